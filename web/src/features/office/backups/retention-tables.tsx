import type { RetentionRun, retentionStatus } from '@podium/contract/office/calls-backups'
import type { Answer } from '#shell/call.ts'
import { count, Moment } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/office-backups.json'
import { words } from './words.ts'

type Status = Answer<typeof retentionStatus>

function useKindName(): (kind: string) => string {
  const t = words.use()
  return (kind) => t(`kind_${kind}` as keyof typeof en)
}

/** What is kept for how long. */
export function KeptTable({ status }: { status: Status }) {
  const t = words.use()
  const nameOf = useKindName()
  const keptFor = (days: number) => {
    if (days === 0) return t('atOnce')
    return days % 365 === 0 ? t('years', { n: days / 365 }) : t('days', { n: days })
  }
  return (
    <DataTable
      caption={t('kept')}
      compact
      rows={status.classes}
      rowKey={(row) => row.kind}
      empty={null}
      columns={[
        { key: 'kind', label: t('kindOfData'), title: true, cell: (row) => nameOf(row.kind) },
        { key: 'days', label: t('keptFor'), cell: (row) => keptFor(row.days) },
        {
          key: 'last',
          label: t('wentLast'),
          num: true,
          cell: (row) => (row.last === null ? '–' : count(row.last)),
        },
      ]}
    />
  )
}

/** The last runs, with what went or would go. */
export function RunsTable({ rows }: { rows: readonly RetentionRun[] }) {
  const t = words.use()
  const nameOf = useKindName()
  const went = ({ counts }: RetentionRun) =>
    Object.entries(counts)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => `${nameOf(kind)}: ${count(n)}`)
      .join(' · ')
  return (
    <DataTable
      caption={t('runs')}
      compact
      rows={rows}
      rowKey={(row) => String(row.id)}
      empty={<EmptyState icon="clock" title={t('noRuns')} />}
      columns={[
        {
          key: 'when',
          label: t('when'),
          title: true,
          cell: (row) => (
            <>
              <Moment value={row.startedAt} />
              <span className="under quiet">{row.person === '' ? t('byNight') : row.person}</span>
            </>
          ),
        },
        {
          key: 'state',
          label: t('state'),
          cell: (row) =>
            row.dry ? (
              <Badge kind="none">{t('dry')}</Badge>
            ) : (
              <Badge kind="verified">{t('deletedFor')}</Badge>
            ),
        },
        { key: 'went', label: t('went'), card: 'wide', cell: (row) => went(row) || t('nothingWent') },
      ]}
    />
  )
}
