import './backups.css'
import {
  backupList,
  makeBackupNow,
  retentionStatus,
  runRetention,
} from '@podium/contract/office/calls-backups'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { BackupsTable } from './backups-table.tsx'
import { KeptTable, RunsTable } from './retention-tables.tsx'
import { words } from './words.ts'

const everyMs = 3_000
const shownOfBackups = [backupList]
const shownOfRetention = [retentionStatus]

/** Backups and what is kept for how long. */
export function CarePage() {
  const t = words.use()
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')} />
      <div className="care in-order">
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

/** A table with its title, what can be done, and a line about it. */
function Part({ title, aside, foot, children }: PartProps) {
  return (
    <div className="care-part">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
      {foot && <p className="quiet">{foot}</p>}
    </div>
  )
}

/** Whether this person may start something here; the reason where not. */
const useMayNot = () => {
  const t = words.use()
  return useSession()?.permissions?.includes('care.run') ? undefined : t('mayNot')
}

function Backups() {
  const t = words.use()
  const mayNot = useMayNot()
  const { act } = useAct(shownOfBackups)
  const list = useQuery({
    ...endpointQuery(backupList),
    refetchInterval: ({ state }) => (state.data?.underWay ? everyMs : false),
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
          busy={data.underWay}
          disabled={mayNot}
          onClick={() => void act(() => call(makeBackupNow), t('begun'))}
        >
          {data.underWay ? t('backingUp') : t('backUp')}
        </Button>
      }
      foot={data.nightly ? t('eachNight') : t('notAtNight')}
    >
      {data.late ? (
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
  const mayNot = useMayNot()
  const { act } = useAct(shownOfRetention)
  const [asking, setAsking] = useState(false)
  const status = useQuery({
    ...endpointQuery(retentionStatus),
    refetchInterval: ({ state }) => (state.data?.underWay ? everyMs : false),
  })
  const { data, error, refetch } = status
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" />
  const run = (dry: boolean) => act(() => call(runRetention, { body: { dry } }), t('begun'))
  return (
    <>
      <Part
        title={t('kept')}
        aside={
          <div className="care-acts">
            <Button busy={data.underWay} disabled={mayNot} onClick={() => void run(true)}>
              {t('dryRun')}
            </Button>
            <Button disabled={mayNot} onClick={() => setAsking(true)}>
              {t('runNow')}
            </Button>
          </div>
        }
        foot={data.nightly ? t('keptEachNight') : t('notAtNight')}
      >
        <KeptTable status={data} />
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
          onCancel={() => setAsking(false)}
        >
          <p>{t('runSays')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
