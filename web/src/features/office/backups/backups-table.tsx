import type { Backup } from '@podium/contract/office/calls-backups'
import { count, Moment } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { sizeText } from '#ui/size-text.ts'
import { words } from './words.ts'

const makers = { night: 'byNight', office: 'byOffice', command: 'byCommand' } as const

/** The last backups: when, how large, whether they were read back whole. */
export function BackupsTable({ rows }: { rows: readonly Backup[] }) {
  const t = words.use()
  return (
    <DataTable
      caption={t('backups')}
      compact
      columns={useColumns()}
      rows={rows}
      rowKey={(row) => String(row.id)}
      empty={
        <EmptyState icon="box" title={t('noBackups')}>
          {t('noBackupsSays')}
        </EmptyState>
      }
    />
  )
}

function useColumns(): Column<Backup>[] {
  const t = words.use()
  const maker = (name: string) => t(makers[name as keyof typeof makers] ?? 'byCommand')
  return [
    {
      key: 'when',
      label: t('when'),
      title: true,
      cell: (row) => (
        <>
          <Moment value={row.startedAt} />
          <span className="under quiet">{row.person === '' ? maker(row.madeBy) : row.person}</span>
        </>
      ),
    },
    { key: 'state', label: t('state'), cell: (row) => <BackupState row={row} /> },
    {
      key: 'size',
      label: t('size'),
      num: true,
      cell: (row) => (row.bytes === 0 ? '–' : sizeText(row.bytes)),
    },
    { key: 'rows', label: t('rows'), num: true, cell: (row) => count(row.rows) },
    {
      key: 'files',
      label: t('files'),
      num: true,
      cell: (row) =>
        row.missing === 0 ? count(row.files) : t('filesMissing', { n: row.files, missing: row.missing }),
    },
    {
      key: 'file',
      label: t('file'),
      card: 'wide',
      cell: (row) => (row.fileName === '' ? row.error : <span className="code">{row.fileName}</span>),
    },
  ]
}

function BackupState({ row }: { row: Backup }) {
  const t = words.use()
  if (row.endedAt === null) return <Badge kind="underway">{t('underWay')}</Badge>
  if (row.verifiedAt === null) return <Badge kind="rejected">{t('failed')}</Badge>
  if (row.deletedAt !== null) return <Badge kind="inactive">{t('deleted')}</Badge>
  return <Badge kind="verified">{t('whole')}</Badge>
}
