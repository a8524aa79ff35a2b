import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { SelectField } from '#ui/select-field.tsx'
import { importWords } from './words-progress.ts'

const pageSize = 100

interface ImportErrorsProps {
  errors: readonly ImportRowError[]
  title: string
  fact?: string
  /** Rows of no file: the student's name stands for row and column */
  byName?: boolean
}

/** All errors of a file by row and column; one column at a time where somebody corrects column by column. */
export function ImportErrors({ errors, title, fact, byName = false }: ImportErrorsProps) {
  const t = importWords.use()
  const say = useSentences()
  const [only, setOnly] = useState('')
  const [page, setPage] = useState(1)
  const headingOf = (error: ImportRowError) =>
    error.column === 0 ? t('wholeRow') : error.heading || error.columnName
  const columnsWith = new Map<string, { name: string; n: number }>()
  for (const error of errors) {
    const key = String(error.column)
    const known = columnsWith.get(key)
    columnsWith.set(key, { name: headingOf(error), n: (known?.n ?? 0) + 1 })
  }
  const found = only === '' ? errors : errors.filter((error) => String(error.column) === only)
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const student: Column<ImportRowError> = {
    key: 'student',
    label: t('student'),
    title: true,
    cell: (error) => error.studentName,
  }
  const place: Column<ImportRowError>[] = [
    { key: 'row', label: t('row'), num: true, title: true, cell: (error) => count(error.row) },
    {
      key: 'column',
      label: t('column'),
      cell: (error) => (
        <>
          {error.columnName && <span className="code quiet">{error.columnName} </span>}
          {headingOf(error)}
        </>
      ),
    },
  ]
  const columns: Column<ImportRowError>[] = [
    ...(byName ? [student] : place),
    {
      key: 'value',
      label: t('value'),
      cell: (error) =>
        error.value ? <span className="im-cell">{error.value}</span> : <span className="quiet">–</span>,
    },
    { key: 'message', label: t('error'), card: 'wide', cell: (error) => say(error.message) },
  ]
  return (
    <div>
      <div className="im-head">
        <div>
          <h3>{title}</h3>
          {fact && <p className="hint">{fact}</p>}
        </div>
        {columnsWith.size > 1 && (
          <SelectField
            label={t('column')}
            labelHidden
            empty={t('allColumns', { n: errors.length })}
            value={only}
            choices={[...columnsWith].map(([value, { name, n }]) => ({
              value,
              label: t('columnCount', { name, n }),
            }))}
            onChange={(event) => {
              setOnly(event.currentTarget.value)
              setPage(1)
            }}
          />
        )}
      </div>
      <DataTable
        className="im-table"
        caption={t('errorsCaption')}
        columns={columns}
        rows={shown}
        rowKey={(error) => `${error.row}.${error.column}.${error.field}.${error.message}`}
        compact
        paging={{ total: found.length, page, size: pageSize, onPage: setPage }}
      />
    </div>
  )
}
