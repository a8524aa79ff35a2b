import type { ResultSet } from '@podium/contract/results/calls-office'
import { count, Day, Moment } from '#shell/format.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { type OfficeEvent, shownState } from '../office-event.ts'
import { StateBadge } from '../state-badge.tsx'
import { officeWords } from '../words-office.ts'

const none = <span className="quiet">–</span>

/** Every version of an event's results, newest first: who did what, and when schools saw it. */
export function Versions({ of: { sets } }: { of: OfficeEvent }) {
  const t = officeWords.use()
  return (
    <section aria-label={t('versions')}>
      <h2 className="res-head">{t('versions')}</h2>
      <DataTable
        caption={t('versionsCaption')}
        rows={sets}
        rowKey={(set) => String(set.setId)}
        empty={<EmptyState icon="upload">{t('noVersions')}</EmptyState>}
        cardColumns={2}
        columns={[
          {
            key: 'version',
            label: t('version'),
            title: true,
            cell: (set: ResultSet) => (
              <>
                {t('versionNo', { n: set.version })}
                <span className="under">{set.fileName}</span>
                {set.reason && <span className="under">{set.reason}</span>}
              </>
            ),
          },
          { key: 'state', label: t('state'), cell: (set) => <StateBadge state={shownState(set)} /> },
          { key: 'rows', label: t('rows'), num: true, cell: (set) => count(set.rows) },
          { key: 'rules', label: t('rules'), num: true, cell: (set) => set.rulesVersion || none },
          {
            key: 'imported',
            label: t('imported'),
            cell: (set) => (
              <>
                {set.importedBy}
                <span className="under">
                  <Day value={set.importedAt} />
                </span>
              </>
            ),
          },
          { key: 'computed', label: t('computedBy'), cell: (set) => set.computedBy || none },
          { key: 'approved', label: t('approvedBy'), cell: (set) => set.approvedBy || none },
          { key: 'release', label: t('visibleFrom'), cell: (set) => <Moment value={set.releaseAt} /> },
        ]}
      />
    </section>
  )
}
