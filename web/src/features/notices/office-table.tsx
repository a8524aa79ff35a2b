import type { NoticeState, OfficeNotice, officeNotices } from '@podium/contract/notices/calls'
import { count, dayText, keepDatesTogether } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import type { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/notices-office.json'

/** The words of the office's notices. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/notices-office.json'))

type T = ReturnType<typeof words.use>
export type Act = 'open' | 'edit' | 'again' | 'end'

/** Returns “All schools”, “Kerala, Punjab” or “Sample School (VNK0417)”. */
export function audienceOf(t: T, notice: OfficeNotice): string {
  if (notice.audience === 'all') return t('all')
  return notice.audience === 'state' ? notice.states.join(', ') : `${notice.schName} (${notice.schCode})`
}

export function daysOf(t: T, notice: OfficeNotice): string {
  return t('fromUntil', { from: dayText(notice.from), until: dayText(notice.until) })
}

/** Returns why this officer can't change the notice, or undefined. */
export function lockOf(t: T, notice: OfficeNotice): string | undefined {
  if (notice.can.edit === true) return undefined
  return notice.can.edit === 'notices.over' ? t('isOver') : t('mayNotWrite')
}

const empty = { live: 'noLive', planned: 'noPlanned', over: 'noOver' } as const

interface TableProps {
  list: ReturnType<typeof useEndpoint<typeof officeNotices>>
  state: NoticeState
  /** A search is active: there may be other notices */
  searched: boolean
  page: number
  onPage: (page: number) => void
  columns: readonly Column<OfficeNotice>[]
}

type OnAct = (act: Act, notice: OfficeNotice) => void

/** Returns the columns of the list of notices. */
export function useNoticeColumns(onAct: OnAct): Column<OfficeNotice>[] {
  const t = words.use()
  return [
    {
      key: 'notice',
      label: t('notice'),
      title: true,
      cell: (notice) => (
        <>
          <button
            type="button"
            className="lk nm"
            aria-label={t('open', { title: notice.title })}
            onClick={() => onAct('open', notice)}
          >
            {notice.title}
          </button>{' '}
          {notice.important && <Badge kind="doubt">{t('important')}</Badge>}
        </>
      ),
    },
    { key: 'for', label: t('for'), card: 'wide', cell: (notice) => audienceOf(t, notice) },
    {
      key: 'days',
      label: t('days'),
      card: 'wide',
      cell: (notice) => (
        <>
          <span className="nowrap">{daysOf(t, notice)}</span>
          {notice.endedAt && <span className="under">{t('endedOn', { day: dayText(notice.endedAt) })}</span>}
        </>
      ),
    },
    {
      key: 'read',
      label: t('readAt'),
      cell: (notice) => t('readOf', { read: count(notice.schoolsRead), n: notice.schools }),
    },
    {
      key: 'changed',
      label: t('changed'),
      cell: (notice) =>
        keepDatesTogether(t('changedBy', { name: notice.changedBy, day: dayText(notice.changedAt) })),
    },
    { key: 'act', label: '', act: true, cell: (notice) => <Acts notice={notice} onAct={onAct} /> },
  ]
}

export function NoticesTable({ list, state, searched, page, onPage, columns }: TableProps) {
  const t = words.use()
  const translate = useSentences()
  const { data, error, refetch, isPlaceholderData } = list
  return (
    <DataTable
      caption={t('caption', { state: t(state) })}
      columns={columns}
      rows={data?.data}
      rowKey={(notice) => String(notice.id)}
      stale={isPlaceholderData}
      {...(error ? { error: { message: translate(error.message), retry: refetch } } : {})}
      empty={<EmptyState icon="info">{t(searched ? 'nothing' : empty[state])}</EmptyState>}
      {...(data && data.total > data.pageSize
        ? { paging: { total: data.total, page, size: data.pageSize, onPage } }
        : {})}
      cardColumns={2}
    />
  )
}

function Acts({ notice, onAct }: { notice: OfficeNotice; onAct: OnAct }) {
  const t = words.use()
  const { title } = notice
  if (notice.state === 'over') {
    const lock = notice.can.edit === 'notices.over' ? undefined : t('mayNotWrite')
    return (
      <Button
        kind="text"
        disabled={lock}
        aria-label={t('againOf', { title })}
        onClick={() => onAct('again', notice)}
      >
        {t('again')}
      </Button>
    )
  }
  const lock = lockOf(t, notice)
  return (
    <span className="notice-acts">
      <Button
        kind="text"
        disabled={lock}
        aria-label={t('editOf', { title })}
        onClick={() => onAct('edit', notice)}
      >
        {t('edit')}
      </Button>
      <Button
        kind="text"
        disabled={lock}
        aria-label={t('endOf', { title })}
        onClick={() => onAct('end', notice)}
      >
        {t('end')}
      </Button>
    </span>
  )
}
