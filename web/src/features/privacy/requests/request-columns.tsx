import { replaceClassNames } from '@podium/contract/classes'
import type { DataRequest } from '@podium/contract/privacy/calls'
import { Day } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { StudentLink } from '#shell/record-links.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import type en from '#words/en/privacy-requests.json'

/** The words of requests about children's data. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-requests.json'))

const badges = {
  asked: 'waiting',
  checked: 'underway',
  done: 'verified',
  declined: 'rejected',
  withdrawn: 'inactive',
} as const

const channelWords = { family: 'throughFamily', school: 'throughSchool', office: 'throughOffice' } as const

/** The state of a request, as a badge. */
export function RequestState({ request }: { request: DataRequest }) {
  const t = words.use()
  return <Badge kind={badges[request.state]}>{t(`state_${request.state}`)}</Badge>
}

/** Returns the columns of the list of requests. */
export function useRequestColumns(onOpen: (request: DataRequest) => void): Column<DataRequest>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'what',
      label: t('kind'),
      title: true,
      cell: (row) =>
        lines(
          t(row.kind),
          t(channelWords[row.requestedThrough as keyof typeof channelWords] ?? 'throughOffice'),
        ),
    },
    {
      key: 'child',
      card: 'wide',
      cell: (row) =>
        lines(
          row.studentName === '' ? (
            <span className="quiet">{t('erasedChild')}</span>
          ) : (
            <StudentLink id={row.studentId}>{row.studentName}</StudentLink>
          ),
          `${replaceClassNames(row.place, translateSentence)} · ${row.schName}`,
        ),
    },
    { key: 'asked', cell: (row) => <Day value={row.requestedAt} /> },
    {
      key: 'due',
      cell: (row) => lines(<Day value={row.dueOn} />, row.late && <Badge kind="rejected">{t('late')}</Badge>),
    },
    { key: 'state', cell: (row) => <RequestState request={row} /> },
    {
      key: 'act',
      label: t('open'),
      act: true,
      cell: (row) => (
        <Button className="sm" aria-label={t('openOf', { n: row.id })} onClick={() => onOpen(row)}>
          {t('open')}
        </Button>
      ),
    },
  ])
}
