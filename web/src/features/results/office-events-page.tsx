import { lines } from '#ui/data-table.tsx'
import './results.css'
import './office.css'
import { exportResultEvents, officeResultEvents } from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { count, Day, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { shownState } from './office-event.ts'
import { officeWords, StateBadge } from './office-parts.tsx'

/** The page with the events of the season chosen in the header, and the state of their results. */
export function OfficeResultsPage() {
  const t = officeWords.use()
  const season = useSeason()
  const events = useEndpoint(officeResultEvents, { query: { season } })
  const rows = events.data?.data
  const released = rows?.filter(({ visible }) => visible).length ?? 0
  return (
    <>
      <PageHeader title={t('title')} fact={rows && t('eventsFact', { released, n: rows.length, season })}>
        <ListDownloads endpoint={exportResultEvents} bodyOf={(format) => ({ season, format })} />
      </PageHeader>
      <ListTable
        list={events}
        caption={t('eventsCaption', { season })}
        rowKey={(row) => String(row.eventYearId)}
        empty={<EmptyState icon="medal">{t('noEvents', { season })}</EmptyState>}
        cardColumns={2}
        columns={[
          {
            key: 'event',
            label: t('event'),
            title: true,
            cell: (row) => (
              <Link to={officePaths.resultEvent} params={{ eventYearId: String(row.eventYearId) }}>
                {translateSentence(row.subjectName)}
              </Link>
            ),
          },
          { key: 'letter', label: t('letter'), cell: (row) => row.eventLetter },
          { key: 'level', label: t('level'), num: true, cell: (row) => row.examLevel },
          { key: 'state', label: t('state'), cell: (row) => <StateBadge state={shownState(row.newest)} /> },
          { key: 'version', label: t('version'), num: true, cell: (row) => row.newest?.version ?? nothing },
          {
            key: 'visible',
            label: t('visible'),
            cell: (row) =>
              row.visible ? (
                lines(t('versionNo', { n: row.visible.version }), <Day value={row.visible.releaseAt} />)
              ) : (
                <span className="quiet">{t('nothing')}</span>
              ),
          },
          {
            key: 'holds',
            label: t('holds'),
            num: true,
            cell: (row) => (row.holds > 0 ? count(row.holds) : nothing),
          },
        ]}
      />
    </>
  )
}
