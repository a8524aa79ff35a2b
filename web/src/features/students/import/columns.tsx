import type { ImportColumn, ImportPreview } from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { type Desk, usePending } from './data.ts'
import { deskWords } from './words.ts'

const reasons = {
  heading: 'byHeading',
  remembered: 'byRemembered',
  content: 'byContent',
  person: 'byPerson',
  nothing: 'byNothing',
} as const

/** What each column was taken for, with a sample of what stands in it; the person has the last word. */
export function DeskColumns({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const { unmapped, headRow } = preview
  const fieldName = (field: string) => {
    const known = rowFields.find((one) => one === field)
    return known ? t(known) : field
  }
  const columns: Column<ImportColumn>[] = [
    {
      key: 'column',
      label: t('columnName'),
      title: true,
      cell: (one) => (
        <>
          <span className="code quiet">{one.columnName}</span>{' '}
          {one.heading || <span className="quiet">{t('noHeading')}</span>}
        </>
      ),
    },
    {
      key: 'samples',
      label: t('samples'),
      card: 'wide',
      cell: (one) =>
        one.samples.length > 0 ? (
          <span className="dk-samples">
            {one.samples.map((sample) => (
              <span key={sample}>{sample}</span>
            ))}
          </span>
        ) : (
          <span className="quiet">–</span>
        ),
    },
    {
      key: 'field',
      label: t('takenFor'),
      card: 'wide',
      cell: (one) => <ColumnChoice column={one} desk={desk} />,
    },
    {
      key: 'by',
      label: t('by'),
      cell: (one) => <span className="quiet">{t(reasons[one.by])}</span>,
    },
  ]
  return (
    <div className="stack">
      <p>
        {t('columnsLead')}{' '}
        <span className="quiet">{headRow > 0 ? t('headRow', { row: headRow }) : t('noHead')}</span>
      </p>
      {unmapped.length > 0 && (
        <Note kind="due">
          <b>{t('columnsNeeded', { n: unmapped.length, names: unmapped.map(fieldName).join(', ') })}</b>
        </Note>
      )}
      <DataTable
        className="dk-columns"
        caption={t('columnsTable')}
        columns={columns}
        rows={preview.columns}
        rowKey={(one) => String(one.column)}
        cardColumns={2}
      />
    </div>
  )
}

function ColumnChoice({ column: one, desk }: { column: ImportColumn; desk: Desk }) {
  const t = deskWords.use()
  const [field, choose] = usePending(one.field, desk)
  const name = one.heading ? `${one.columnName} ${one.heading}` : one.columnName
  return (
    <SelectField
      label={t('takenForLong', { column: name })}
      labelHidden
      empty={t('notUsed')}
      choices={rowFields.map((known) => ({ value: known, label: t(known) }))}
      value={field}
      onChange={(event) => {
        choose(event.currentTarget.value)
        desk.apply({ columns: [{ column: one.column, field: event.currentTarget.value }] })
      }}
    />
  )
}
