import '../office.css'
import type { ResultChange, ResultFacts } from '@podium/contract/results/calls-corrections'
import { count, finalScore } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { words } from '../words.ts'

type ChangedRow = ResultChange & { schCode?: string; schName?: string }

interface ChangedResultsProps {
  caption: string
  rows: readonly ChangedRow[] | undefined
  paging?: { total: number; page: number; size: number; onPage: (page: number) => void }
}

/** Lists what a correction changes for each student, before and after. */
export function ChangedResults({ caption, rows, paging }: ChangedResultsProps) {
  const t = words.use()
  const rank = (value: number | null | undefined) => (value ? count(value) : '–')
  const honours = (of: ResultFacts | null) =>
    [
      of?.medal,
      translateSentence(of?.prize ?? ''),
      translateSentence(of?.award ?? ''),
      of?.nextLevel && t('nextLevel'),
    ]
      .filter(Boolean)
      .join(', ') || '–'
  const pair = (row: ChangedRow, show: (of: ResultFacts | null) => string) => {
    const [before, after] = [show(row.before), show(row.after)]
    return before === after ? (
      <span className="quiet">{after}</span>
    ) : (
      <>
        <del>{before}</del> <ins className="strong">{after}</ins>
      </>
    )
  }
  const score = (of: ResultFacts | null) =>
    of === null ? t('noResult') : of.absent ? t('absent') : finalScore(of.marks)
  const columns: Column<ChangedRow>[] = columnsOf(t, [
    {
      key: 'name',
      title: true,
      cell: (row) =>
        lines(
          row.studentName,
          row.schName
            ? `${row.schName}, ${row.schCode}`
            : `${translateSentence(row.className)} ${row.section}`,
        ),
    },
    { key: 'roll', label: t('rollNo'), cell: (row) => <span className="nowrap">{row.nioRollNo}</span> },
    { key: 'score', label: t('finalScore'), num: true, cell: (row) => pair(row, score) },
    ...(['classRank', 'stateRank', 'zonalRank', 'olympiadRank'] as const).map(
      (key): Column<ChangedRow> => ({
        key,
        label: t(key),
        num: true,
        cell: (row) => pair(row, (of) => rank(of?.[key])),
      }),
    ),
    { key: 'honours', card: 'wide', cell: (row) => pair(row, honours) },
  ])
  return (
    <DataTable
      caption={caption}
      className="res-changed"
      rows={rows ? [...rows] : undefined}
      rowKey={(row) => row.nioRollNo}
      columns={columns}
      cardColumns={2}
      paging={paging}
    />
  )
}
