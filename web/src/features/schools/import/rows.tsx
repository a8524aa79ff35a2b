import {
  type ImportRowState,
  importFields,
  importRowStates,
  schoolImportRows,
} from '@podium/contract/schools/calls-import'
import { Link } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import type { SchoolImport } from './data.ts'
import { importFilters } from './filters.ts'
import { words } from './words.ts'

type Row = Answer<typeof schoolImportRows>['data'][number]

interface RowsProps {
  id: string
  one: SchoolImport
  /** Rows that look like a known school and are to be made all the same */
  ticked: ReadonlySet<string>
  onTicked: ((ticked: ReadonlySet<string>) => void) | undefined
}

/** The rows of a file by what they are. */
export function ImportRows({ id, one, ticked, onTicked }: RowsProps) {
  const t = words.use()
  const say = useSentences()
  const filters = useFilters(importFilters)
  const { state: asked, page } = filters.values
  const state =
    one.counts[asked] > 0 ? asked : (importRowStates.find((name) => one.counts[name] > 0) ?? asked)
  const list = useEndpoint(schoolImportRows, { query: { id, state, page: String(page) } })
  const columns = useRowColumns(state, say)
  const shown = importRowStates.filter((name) => name === state || one.counts[name] > 0)
  if (list.isError && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  const ticks = state === 'likely' && onTicked
  return (
    <section className="stack">
      <h2>{t('rowsTitle')}</h2>
      <div>
        <Segmented
          label={t('rowsTitle')}
          value={state}
          choices={shown.map((name) => ({ value: name, label: t(`rows_${name}`, { n: one.counts[name] }) }))}
          onChange={(chosen) => filters.change({ state: chosen as ImportRowState })}
        />
        <p className="hint">{t(`says_${state}`)}</p>
      </div>
      <DataTable
        caption={t(`rows_${state}`, { n: one.counts[state] })}
        columns={columns}
        rows={list.data?.data}
        rowKey={({ row }) => String(row)}
        stale={list.isPlaceholderData}
        empty={<EmptyState title={t('nothingHere')} />}
        {...(ticks
          ? { selection: { selected: ticked, onChange: onTicked, name: (row: Row) => row.schName } }
          : {})}
        {...(list.data
          ? {
              paging: {
                total: list.data.total,
                page: Math.max(1, page),
                size: list.data.pageSize,
                onPage: (next: number) => filters.change({ page: next }),
              },
            }
          : {})}
      />
    </section>
  )
}

function useRowColumns(state: ImportRowState, say: (text: string) => string): Column<Row>[] {
  const t = words.use()
  const titleOf = (field: string) => {
    const known = importFields.find((name) => name === field)
    return known ? `${t(known)}: ` : ''
  }
  const columns: Column<Row>[] = [
    { key: 'row', label: t('row'), num: true, cell: ({ row }) => row },
    { key: 'name', label: t('name'), title: true, cell: ({ schName }) => schName || '–' },
    { key: 'place', label: t('place'), cell: ({ place }) => place },
  ]
  if (state === 'faulty')
    columns.push({
      key: 'faults',
      label: t('faults'),
      card: 'wide',
      cell: ({ faults }) => faults.map(({ field, message }) => `${titleOf(field)}${say(message)}`).join(' '),
    })
  if (state !== 'faulty' && state !== 'new')
    columns.push({
      key: 'school',
      label: t('knownAs'),
      card: 'wide',
      cell: ({ school }) =>
        school && (
          <>
            <Link to={officePaths.school} params={{ id: String(school.id) }}>
              {school.schName}
            </Link>
            <span className="under">
              <span className="num">{school.schCode}</span>, {school.place}
            </span>
          </>
        ),
    })
  return columns
}
