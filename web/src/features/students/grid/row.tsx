import { memo, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '#ui/icon.tsx'
import type { CheckedRow } from './grid-check.ts'
import { gridFields, type Row } from './grid-sheet.ts'
import type { EditedCell } from './use-grid.ts'

interface GridRowProps {
  index: number
  row: Row
  height: number
  checked: CheckedRow | undefined
  labels: readonly string[]
  /** “Row 12, Asha Namuna”, read out with each cell of the row */
  name: string
  translate: (message: string) => string
  /** Column of the cursor, or -1 */
  cursor: number
  /** Selected columns, both ends included; `left` > `right` for none */
  left: number
  right: number
  editing: EditedCell | undefined
  /** Shown at the cell with the cursor: errors, suggestions, possible values */
  tip: ReactNode
  onDone: (text: string) => void
}

/** One row of native cells, labelled by their row and column headings. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, row, height, checked, labels, name, translate, cursor, left, right, editing, tip, onDone } =
    props
  return (
    <tr
      aria-rowindex={index + 2}
      style={{ height }}
      className={checked?.faults.length ? 'gr-bad' : undefined}>
      <th scope="row" aria-colindex={1} data-row={index}>
        <span aria-hidden="true">{index + 1}</span>
        <span className="sr">{name}</span>
      </th>
      {gridFields.map((field, column) => {
        const fault = checked?.faults.find((candidate) => candidate.field === field)
        const hasCursor = column === cursor
        const typing = hasCursor && editing?.column === column ? editing : undefined
        const kind = [
          column >= left && column <= right && 'gr-sel',
          hasCursor && 'gr-cur',
          fault && 'gr-no',
          field === 'studentName' && 'gr-name',
        ]
        return (
          <td
            key={field}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: of a table that is a grid
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={column >= left && column <= right}
            aria-invalid={fault ? true : undefined}
            tabIndex={hasCursor ? 0 : -1}
            data-at={`${index}:${column}`}
            className={kind.filter(Boolean).join(' ') || undefined}>
            {typing ? (
              <GridField
                label={`${labels[column]}, ${name}`}
                text={typing.text}
                startedByTyping={typing.startedByTyping}
                onDone={onDone}
              />
            ) : (
              <span className="gr-v">{row[column]}</span>
            )}
            {fault && (
              <span className="gr-f" aria-hidden={hasCursor || undefined} title={translate(fault.message)}>
                <Icon name="warning" small />
                {translate(fault.message)}
              </span>
            )}
            {hasCursor && tip}
          </td>
        )
      })}
    </tr>
  )
})

interface GridFieldProps {
  label: string
  text: string
  startedByTyping: boolean
  /** Called when the field loses the focus: its text goes into the cell. */
  onDone: (text: string) => void
}

/** The input in the cell being edited. The grid handles Enter, Tab, Esc and the arrow keys. */
function GridField({ label, text, startedByTyping, onDone }: GridFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const input = field.current
    if (!startedByTyping) input?.setSelectionRange(input.value.length, input.value.length)
  }, [startedByTyping])
  return (
    <input
      ref={field}
      className="gr-in"
      aria-label={label}
      aria-describedby="gr-tip"
      defaultValue={text}
      maxLength={500}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      data-quick={startedByTyping || undefined}
      onBlur={(event) => {
        // Only if the user left the field: a field that was removed has been dealt with.
        if (event.currentTarget.isConnected) onDone(event.currentTarget.value)
      }}
    />
  )
}
