import type { ImportPreview, ImportRowError } from '@podium/contract/students/calls-import-preview'
import { type KeyboardEvent, useRef } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { Desk } from './data.ts'
import { deskWords } from './words.ts'

/** One text that stands in so many rows of a column, with what may have been meant. */
interface Meant {
  column: number
  columnName: string
  heading: string
  value: string
  suggestions: readonly string[]
  rows: Set<number>
}

/** The faults that have a suggestion, each text of a column once; the most frequent first. */
function meantOf(errors: readonly ImportRowError[]): Meant[] {
  const found = new Map<string, Meant>()
  for (const { row, column, columnName, heading, value, suggestions } of errors) {
    if (suggestions.length === 0 || column === 0 || value === '') continue
    const key = `${column} ${suggestions[0]} ${value}`
    const known = found.get(key)
    if (known) known.rows.add(row)
    else found.set(key, { column, columnName, heading, value, suggestions, rows: new Set([row]) })
  }
  return [...found.values()].sort((a, b) => b.rows.size - a.rows.size)
}

const mostMeant = 100

/** «Did you mean»: one click puts a text right in all rows where it stands. */
function DeskMeant({ desk, meant }: { desk: Desk; meant: readonly Meant[] }) {
  const t = deskWords.use()
  const first = [...new Map(meant.map((one) => [`${one.column} ${one.value}`, one])).values()]
  const accept = (ones: ReadonlyArray<{ one: Meant; text: string }>) =>
    desk.apply({ replace: ones.map(({ one, text }) => ({ column: one.column, from: one.value, to: text })) })
  const columns: Column<Meant>[] = [
    {
      key: 'column',
      label: t('columnName'),
      cell: (one) => (
        <>
          <span className="code quiet">{one.columnName}</span> {one.heading}
        </>
      ),
    },
    {
      key: 'value',
      label: t('inCell'),
      title: true,
      cell: (one) => <span className="im-cell">{one.value}</span>,
    },
    { key: 'rows', label: t('rowsWith'), num: true, cell: (one) => count(one.rows.size) },
    {
      key: 'meant',
      label: t('meantTitle'),
      card: 'wide',
      cell: (one) => (
        <span className="row gap-2">
          {one.suggestions.map((text) => (
            <Button
              key={text}
              icon="check"
              aria-label={t('accept', { text, value: one.value, column: one.heading || one.columnName })}
              onClick={() => accept([{ one, text }])}
            >
              {text}
            </Button>
          ))}
        </span>
      ),
    },
  ]
  return (
    <section>
      <div className="im-head row bottom between mb-2">
        <div>
          <h2 className="dk-h">{t('meantTitle')}</h2>
          <p className="hint">{t('meantText')}</p>
        </div>
        <Button
          icon="check"
          onClick={() => accept(first.slice(0, 500).map((one) => ({ one, text: one.suggestions[0] ?? '' })))}
        >
          {t('meantAll', { n: Math.min(first.length, 500) })}
        </Button>
      </div>
      <DataTable
        caption={t('meantCaption')}
        columns={columns}
        rows={meant.slice(0, mostMeant)}
        rowKey={(one) => `${one.column} ${one.suggestions[0]} ${one.value}`}
        compact
      />
    </section>
  )
}

const mostShown = 50

interface FaultyRow {
  row: number
  studentName: string
  /** By column; 0 for the row as a whole */
  cells: Map<number, ImportRowError[]>
}

function rowsOf(errors: readonly ImportRowError[]): FaultyRow[] {
  const rows = new Map<number, FaultyRow>()
  for (const error of errors) {
    const known = rows.get(error.row) ?? {
      row: error.row,
      studentName: error.studentName ?? '',
      cells: new Map(),
    }
    known.cells.set(error.column, [...(known.cells.get(error.column) ?? []), error])
    rows.set(error.row, known)
  }
  return [...rows.values()]
}

/** What is wrong, put right in place: many rows at once by what may have been meant, the rest cell by cell. */
export function DeskFaults({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const list = useRef<HTMLOListElement>(null)
  const { errors, outRows, correctedCount, badCount, errorCount } = preview
  const meant = meantOf(errors)
  const rows = rowsOf(errors)
  const next = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const fields = [...(list.current?.querySelectorAll('input') ?? [])]
    const following = fields[fields.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)]
    if (following) following.focus()
    else event.currentTarget.blur()
  }
  return (
    <div className="stack">
      <p className="sr" role="status">
        {t('faultsLeft', { n: errorCount })}
      </p>
      {outRows.length > 0 && (
        <p>
          {t('outRows', { n: outRows.length })}{' '}
          <button
            type="button"
            className="lk"
            onClick={() => desk.apply({ choices: outRows.map((row) => ({ row, choice: '' as const })) })}
          >
            {t('bringBack', { n: outRows.length })}
          </button>
        </p>
      )}
      {meant.length > 0 && <DeskMeant desk={desk} meant={meant} />}
      {rows.length === 0 ? (
        <Panel padded={false}>
          <EmptyState icon="ok" title={t('noFaults')}>
            {t('noFaultsText')}
          </EmptyState>
        </Panel>
      ) : (
        <section>
          <h2 className="dk-h">{t('faultsTitle', { n: badCount })}</h2>
          <p className="hint">
            {t('faultsText')} {correctedCount > 0 && t('corrected', { n: correctedCount })}
          </p>
          <ol className="panel dk-faults ruled mt-2" ref={list}>
            {rows.slice(0, mostShown).map((one) => (
              <Faulty key={one.row} faulty={one} desk={desk} onKey={next} />
            ))}
          </ol>
          {rows.length > mostShown && (
            <p className="hint">{t('faultsShown', { shown: mostShown, n: rows.length })}</p>
          )}
        </section>
      )}
    </div>
  )
}

interface FaultyProps {
  faulty: FaultyRow
  desk: Desk
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** One row with a field for each faulty cell; what is typed is sent when the field is left. */
function Faulty({ faulty: { row, studentName, cells }, desk, onKey }: FaultyProps) {
  const t = deskWords.use()
  const say = useSentences()
  const set = (column: number, before: string, text: string) => {
    if (text.trim() !== before) desk.apply({ cells: [{ row, column, text: text.trim() }] })
  }
  return (
    <li>
      <div className="dk-who">
        <b>{t('row', { row })}</b>
        <span className="quiet">{studentName || '–'}</span>
      </div>
      <div className="dk-cells row gap-4">
        {[...cells].map(([column, faults]) => {
          const [first] = faults
          const says = faults.map(({ message }) => say(message)).join(' ')
          if (!first || column === 0) return <p key={column}>{says}</p>
          const name = first.heading || first.columnName
          const texts = [...new Set(faults.flatMap(({ suggestions }) => suggestions))]
          return (
            <div key={column} className="dk-cell">
              <TextField
                key={first.value}
                label={name}
                aria-label={t('correct', { row, column: name })}
                defaultValue={first.value}
                error={says}
                autoComplete="off"
                maxLength={500}
                onKeyDown={onKey}
                onBlur={(event) => set(column, first.value, event.currentTarget.value)}
              />
              {texts.length > 0 && (
                <span className="row gap-2">
                  {texts.map((text) => (
                    <Button
                      key={text}
                      onClick={() => desk.apply({ cells: [{ row, column, text }] })}
                      aria-label={t('accept', { text, value: first.value, column: name })}
                    >
                      {text}
                    </Button>
                  ))}
                </span>
              )}
            </div>
          )
        })}
      </div>
      <IconButton
        icon="delete"
        label={t('leaveOut', { row })}
        onClick={() => desk.apply({ choices: [{ row, choice: 'out' }] })}
      />
    </li>
  )
}
