import type { OfficeNotice } from '@podium/contract/notices/calls'
import { count, dayText, keepDatesTogether, placeText } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import type en from '#words/en/notices-office.json'

/** The words of the office's notices. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/notices-office.json'))

type T = ReturnType<typeof words.use>
export type NoticeAction = 'open' | 'edit' | 'again' | 'end'

/** Returns “All schools”, “Kerala, Punjab” or “Sample School (VNK0417)”. */
export function audienceOf(t: T, notice: OfficeNotice): string {
  if (notice.audience === 'all') return t('all')
  return notice.audience === 'state' ? placeText(...notice.states) : `${notice.schName} (${notice.schCode})`
}

export function daysOf(t: T, notice: OfficeNotice): string {
  return t('fromUntil', { from: dayText(notice.from), until: dayText(notice.until) })
}

/** Returns why this officer can't change the notice, or undefined. */
export function disabledReasonOf(t: T, notice: OfficeNotice): string | undefined {
  if (notice.can.edit === true) return undefined
  return notice.can.edit === 'notices.over' ? t('isOver') : t('mayNotWrite')
}

type OnNoticeAction = (act: NoticeAction, notice: OfficeNotice) => void

/** Returns the columns of the list of notices. */
export function useNoticeColumns(onAction: OnNoticeAction): Column<OfficeNotice>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'notice',
      title: true,
      cell: (notice) => (
        <>
          <button
            type="button"
            className="lk nm"
            aria-label={t('open', { title: notice.title })}
            onClick={() => onAction('open', notice)}>
            {notice.title}
          </button>{' '}
          {notice.important && <Badge kind="doubt">{t('important')}</Badge>}
        </>
      ),
    },
    { key: 'for', card: 'wide', cell: (notice) => audienceOf(t, notice) },
    {
      key: 'days',
      card: 'wide',
      cell: (notice) =>
        lines(
          <span className="nowrap">{daysOf(t, notice)}</span>,
          notice.endedAt && t('endedOn', { day: dayText(notice.endedAt) }),
        ),
    },
    {
      key: 'read',
      label: t('readAt'),
      cell: (notice) => t('readOf', { read: count(notice.schoolsRead), n: notice.schools }),
    },
    {
      key: 'changed',
      cell: (notice) =>
        keepDatesTogether(t('changedBy', { name: notice.changedBy, day: dayText(notice.changedAt) })),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (notice) => <NoticeActions notice={notice} onAction={onAction} />,
    },
  ])
}

function NoticeActions({ notice, onAction }: { notice: OfficeNotice; onAction: OnNoticeAction }) {
  const t = words.use()
  const { title } = notice
  if (notice.state === 'over') {
    const disabledReason = notice.can.edit === 'notices.over' ? undefined : t('mayNotWrite')
    return (
      <Button
        kind="text"
        disabled={disabledReason}
        aria-label={t('againOf', { title })}
        onClick={() => onAction('again', notice)}>
        {t('again')}
      </Button>
    )
  }
  const disabledReason = disabledReasonOf(t, notice)
  return (
    <span className="notice-acts">
      <Button
        kind="text"
        disabled={disabledReason}
        aria-label={t('editOf', { title })}
        onClick={() => onAction('edit', notice)}>
        {t('edit')}
      </Button>
      <Button
        kind="text"
        disabled={disabledReason}
        aria-label={t('endOf', { title })}
        onClick={() => onAction('end', notice)}>
        {t('end')}
      </Button>
    </span>
  )
}
