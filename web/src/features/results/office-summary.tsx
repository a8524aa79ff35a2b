import { classCode } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { officeResultChanges } from '@podium/contract/results/calls-corrections'
import { type ResultSet, resultsSummary } from '@podium/contract/results/calls-office'
import { useState } from 'react'
import { count, finalScore, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { ChangedResults } from './corrections/changed-results.tsx'
import { officeWords } from './office-parts.tsx'

type Line = AnswerOf<typeof resultsSummary>['classes'][number]
type Figure = {
  [K in keyof Line]: Line[K] extends number ? K : never
}[keyof Line]

/** Adds up one figure over all classes. Don't use it for schools: a school has several classes. */
export const sumOf = (lines: readonly Line[], key: Figure) => lines.reduce((sum, line) => sum + line[key], 0)

const figures = [
  'present',
  'absent',
  'schools',
  'gold',
  'silver',
  'bronze',
  'prizes',
  'awards',
  'nextLevel',
] as const

/** On a phone these are in a class's line; the others are visible once it is opened. */
const leading: readonly Figure[] = ['present', 'gold', 'silver', 'bronze']

/** Returns the classes that have results in a version, as filter choices. An event covers only some classes. */
export function useClassChoices(setId: number): { value: string; label: string }[] {
  const { data } = useEndpoint(resultsSummary, { query: { setId: String(setId) } })
  const classes = data?.classes ?? []
  return classes.map(({ classId }) => ({
    value: String(classId),
    label: translateSentence(classCode(classId)),
  }))
}

/** Figures of a computed version by class, and the changes since the version that schools have seen. */
export function Summary({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultsSummary, { query: { setId: String(set.setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  const lines = data?.classes
  const columns: Column<Line>[] = columnsOf(t, [
    { key: 'class', title: true, cell: (row) => translateSentence(row.className), foot: t('allClasses') },
    ...figures.map(
      (key): Column<Line> => ({
        key,
        label: t(key),
        num: true,
        ...(leading.includes(key) ? { card: 'said' } : {}),
        cell: (row) => count(row[key]),
        foot: lines && key !== 'schools' ? count(sumOf(lines, key)) : undefined,
      }),
    ),
    {
      key: 'amount',
      label: t('prizeAmount'),
      num: true,
      cell: (row) => <Rupees amount={row.prizeAmount} dash />,
      foot: lines && <Rupees amount={sumOf(lines, 'prizeAmount')} />,
    },
    { key: 'highest', num: true, cell: (row) => finalScore(row.highest) },
  ])
  const { changes } = data ?? {}
  return (
    <>
      {changes && (
        <Note>
          {t('changes', {
            n: changes.version,
            added: changes.added,
            removed: changes.removed,
            changed: changes.changed,
          })}
        </Note>
      )}
      {changes && <OfficeChanges set={set} />}
      <DataTable
        caption={t('summaryCaption', { n: set.version })}
        rows={lines}
        rowKey={(row) => String(row.classId)}
        folds={(row) => translateSentence(row.className)}
        columns={columns}
      />
    </>
  )
}

const pageSize = 50

/** Before approval, shows what a computed correction changes in the version that schools have seen. */
export function OfficeChanges({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(officeResultChanges, {
    query: { setId: String(set.setId), page: String(page), pageSize: String(pageSize) },
  })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (data && (data.version === null || data.total === 0)) return null
  const caption = t('changesCaption', { n: data?.version ?? set.version - 1 })
  return (
    <section className="mt-4 mb-6">
      <h2 className="mb-3">{caption}</h2>
      <ChangedResults
        caption={caption}
        rows={data?.data}
        paging={{ total: data?.total ?? 0, page, size: pageSize, onPage: setPage }}
      />
    </section>
  )
}
