import { type DifferenceRow, nextLevelDifference } from '@podium/contract/results/calls-next-level-list'
import { type NextLevelRound, takeOverNextLevel } from '@podium/contract/results/calls-next-level-office'
import { useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfRounds } from './use-round.ts'
import { officeWords } from './words-office.ts'

/** What a correction of the results changes in the list: shown, and taken over by a person alone. */
export function Difference({ round }: { round: NextLevelRound }) {
  const t = officeWords.use()
  const say = useSentences()
  const reason = useReason(t('mayNot'))
  const renew = useInvalidate(shownOfRounds)
  const [page, setPage] = useState(1)
  const { eventYearId, version, added, removed } = round
  const { data, error, refetch, isPlaceholderData } = useEndpoint(nextLevelDifference, {
    query: { eventYearId: String(eventYearId), page: String(page) },
  })
  const take = useEndpointMutation(takeOverNextLevel, {
    onSettled: renew,
    onSuccess: (done) => toast.success(t('takenToast', { added: done.added, removed: done.removed })),
    onError: (cause) => toast.error(say(cause.message)),
  })
  const visibleVersion = round.visibleVersion ?? 0
  return (
    <Panel
      title={t('difference')}
      padded={false}
      aside={
        <Button
          kind="primary"
          busy={take.isPending}
          disabled={reason(round.can.change)}
          onClick={() => take.mutate({ body: { eventYearId, version, visibleVersion } })}
        >
          {t('takeOver')}
        </Button>
      }
    >
      <div className="pad">
        <Note kind="due">
          {t('differenceSays', { list: round.listVersion ?? 0, now: visibleVersion, added, removed })}
        </Note>
      </div>
      {error && !data ? (
        <LoadProblem error={error} retry={refetch} />
      ) : (
        <DataTable
          caption={t('difference')}
          className="inset"
          compact
          rows={data?.data}
          stale={isPlaceholderData}
          rowKey={(row) => String(row.studentId)}
          columns={columnsOf(t)}
          empty={<EmptyState icon="ok">{t('differenceNone')}</EmptyState>}
          {...(data && data.total > data.pageSize
            ? { paging: { total: data.total, page, size: data.pageSize, onPage: setPage } }
            : {})}
        />
      )}
    </Panel>
  )
}

const columnsOf = (t: ReturnType<typeof officeWords.use>): Column<DifferenceRow>[] => [
  {
    key: 'student',
    label: t('student'),
    title: true,
    cell: (row) => (
      <>
        {row.studentName}
        <span className="under">{row.nioRollNo}</span>
      </>
    ),
  },
  { key: 'class', label: t('class'), cell: (row) => translateSentence(row.className) },
  { key: 'school', label: t('school'), card: 'wide', cell: (row) => `${row.schName}, ${row.schCode}` },
  {
    key: 'change',
    label: t('change'),
    cell: (row) =>
      row.change === 'added' ? (
        <Badge tone="ok" icon="plus">
          {t('added')}
        </Badge>
      ) : (
        <>
          <Badge tone="bad" icon="dash">
            {t('removed')}
          </Badge>
          {row.told && <span className="under">{t('removedTold')}</span>}
        </>
      ),
  },
  { key: 'before', label: t('rankBefore'), num: true, cell: (row) => row.before ?? '–' },
  { key: 'after', label: t('rankAfter'), num: true, cell: (row) => row.after ?? '–' },
]
