import { getNotices, readNotice, type SchoolNotice } from '@podium/contract/notices/calls'
import { call } from '#shell/call.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { NoticeView, useNoticeWords, words } from './notice-view.tsx'

/** The foundation's current notices to schools; renders nothing without any. */
export function NoticesPanel() {
  const t = words.use()
  const season = useSeason()
  const notices = useEndpoint(getNotices, { query: { FYear: season } })
  if (notices.isError && !notices.data) {
    return (
      <Panel title={t('title')} padded={false} className="notices">
        <LoadProblem error={notices.error} retry={() => notices.refetch()} />
      </Panel>
    )
  }
  if (!notices.data) return <Skeleton shape="text" rows={0} />
  const { data, unread } = notices.data
  if (data.length === 0) return null
  const count =
    unread > 0 ? (
      <Badge tone="info" icon="info">
        {t('unread', { n: unread })}
      </Badge>
    ) : (
      <Badge kind="yes">{t('allRead')}</Badge>
    )
  return (
    <Panel title={t('title')} aside={count} padded={false} className="notices">
      <ul>
        {/* Unread ones first; within both groups in the server's order. */}
        {[...data]
          .sort((a, b) => Number(a.read) - Number(b.read))
          .map((notice) => (
            <li key={notice.id}>
              <Notice notice={notice} />
            </li>
          ))}
      </ul>
    </Panel>
  )
}

function Notice({ notice }: { notice: SchoolNotice }) {
  const t = words.use()
  const { title } = useNoticeWords(notice)
  const { busy, act } = useAction([getNotices])
  return (
    <NoticeView notice={notice} read={notice.read} open={notice.important && !notice.read}>
      {!notice.read && (
        <Button
          icon="check"
          busy={busy}
          aria-label={t('markReadOf', { title })}
          onClick={() => void act(() => call(readNotice, { body: { id: notice.id } }))}>
          {t('markRead')}
        </Button>
      )}
    </NoticeView>
  )
}
