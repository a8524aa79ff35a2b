import {
  type Backup,
  backupList,
  makeBackupNow,
  type RetentionRun,
  retentionStatus,
  runRetention,
} from '@podium/contract/office/calls-backups'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { count, Moment, nothing } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import type { Column } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { formatBytes } from '#ui/numbers.ts'
import { PageHeader } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/office-backups.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/office-backups.json'))

const makers = { night: 'byNight', office: 'byOffice', command: 'byCommand' } as const

/** The last backups: time, size, and whether the check read them back completely. */
function BackupsTable({ rows }: { rows: readonly Backup[] }) {
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
          {t('noBackupsHint')}
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
      cell: (row) =>
        lines(<Moment value={row.startedAt} />, row.person === '' ? maker(row.madeBy) : row.person),
    },
    { key: 'state', label: t('state'), cell: (row) => <BackupState row={row} /> },
    {
      key: 'size',
      label: t('size'),
      num: true,
      cell: (row) => (row.bytes === 0 ? nothing : formatBytes(row.bytes)),
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
  if (row.endedAt === null) return <Badge kind="underway">{t('inProgress')}</Badge>
  if (row.verifiedAt === null) return <Badge kind="rejected">{t('failed')}</Badge>
  if (row.deletedAt !== null) return <Badge kind="inactive">{t('deleted')}</Badge>
  return <Badge kind="verified">{t('verified')}</Badge>
}

const everyMs = 3_000
const backupCalls = [backupList]
const retentionCalls = [retentionStatus]

/** The page of backups and retention periods. */
export function BackupsPage() {
  const t = words.use()
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')} />
      <div className="stack" ref={hideAfterSkeleton}>
        <Backups />
        <Retention />
      </div>
    </>
  )
}

interface PartProps {
  title: string
  aside?: ReactNode
  foot?: string
  children: ReactNode
}

/** A table with a title, actions and a footnote. */
function Part({ title, aside, foot, children }: PartProps) {
  return (
    <div className="stack gap-3">
      <header className="row between">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
      {foot && <p className="quiet">{foot}</p>}
    </div>
  )
}

/** Returns why this person may not start anything here; undefined if they may. */
const useWriteRefusal = () => {
  const t = words.use()
  return useMay('backups.run') ? undefined : t('mayNot')
}

function Backups() {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const { act } = useAction(backupCalls)
  const list = useQuery({
    ...endpointQuery(backupList),
    refetchInterval: ({ state }) => (state.data?.running ? everyMs : false),
  })
  const { data, error, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" />
  return (
    <Part
      title={t('backups')}
      aside={
        <Button
          kind="primary"
          busy={data.running}
          disabled={disabledReason}
          onClick={() => void act(() => call(makeBackupNow), t('started'))}>
          {data.running ? t('backingUp') : t('backUp')}
        </Button>
      }
      foot={data.nightly ? t('eachNight') : t('notAtNight')}>
      {data.late && data.running ? (
        <Note>{t('running')}</Note>
      ) : data.late ? (
        <Note kind="bad">
          {data.lastGood === null ? (
            t('never')
          ) : (
            <>
              {t('late')} <Moment value={data.lastGood} />
            </>
          )}
        </Note>
      ) : (
        <Note kind="ok">
          {t('lastGood')} <Moment value={data.lastGood} />
        </Note>
      )}
      <BackupsTable rows={data.data} />
    </Part>
  )
}

function Retention() {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const { act } = useAction(retentionCalls)
  const [asking, setAsking] = useState(false)
  const status = useQuery({
    ...endpointQuery(retentionStatus),
    refetchInterval: ({ state }) => (state.data?.running ? everyMs : false),
  })
  const { data, error, refetch } = status
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" />
  const run = (dry: boolean) => act(() => call(runRetention, { body: { dry } }), t('started'))
  return (
    <>
      <Part
        title={t('retention')}
        aside={
          <div className="row gap-2">
            <Button busy={data.running} disabled={disabledReason} onClick={() => void run(true)}>
              {t('dryRun')}
            </Button>
            <Button disabled={disabledReason} onClick={() => setAsking(true)}>
              {t('runNow')}
            </Button>
          </div>
        }
        foot={data.nightly ? t('deletedNightly') : t('notAtNight')}>
        <RetentionTable status={data} />
      </Part>
      <Part title={t('runs')}>
        <RunsTable rows={data.runs} />
      </Part>
      {asking && (
        <ConfirmDialog
          opened
          danger
          title={t('runTitle')}
          action={t('runNow')}
          onConfirm={() => {
            setAsking(false)
            void run(false)
          }}
          onCancel={() => setAsking(false)}>
          <p>{t('runHint')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Technical records that concern nobody in the office. */
const ownRecords = ['idempotency', 'limits']

function useKindName(): (kind: string) => string {
  const t = words.use()
  return (kind) => t(`kind_${kind}` as keyof typeof en)
}

/** The retention periods by kind of record. */
function RetentionTable({ status }: { status: Answer<typeof retentionStatus> }) {
  const t = words.use()
  const nameOf = useKindName()
  const keptFor = (days: number) => {
    if (days === 0) return t('untilExpired')
    return days % 365 === 0 ? t('years', { n: days / 365 }) : t('days', { n: days })
  }
  return (
    <DataTable
      caption={t('retention')}
      compact
      rows={status.classes.filter(({ kind }) => !ownRecords.includes(kind))}
      rowKey={(row) => row.kind}
      empty={null}
      columns={[
        { key: 'kind', label: t('kindOfData'), title: true, cell: (row) => nameOf(row.kind) },
        { key: 'days', label: t('keptFor'), cell: (row) => keptFor(row.days) },
        {
          key: 'last',
          label: t('deletedLast'),
          num: true,
          cell: (row) => (row.last === null ? nothing : count(row.last)),
        },
      ]}
    />
  )
}

/** The last runs, with the number of records that were or would be deleted. */
function RunsTable({ rows }: { rows: readonly RetentionRun[] }) {
  const t = words.use()
  const nameOf = useKindName()
  const deletedText = ({ counts }: RetentionRun) =>
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
          cell: (row) =>
            lines(<Moment value={row.startedAt} />, row.person === '' ? t('byNight') : row.person),
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
        {
          key: 'went',
          label: t('deletedRecords'),
          card: 'wide',
          cell: (row) => deletedText(row) || t('nothingDeleted'),
        },
      ]}
    />
  )
}
