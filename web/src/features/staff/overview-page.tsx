import './overview.css'
import { listApplications } from '@podium/contract/applications'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayText } from '#shell/format.tsx'
import { mayUse } from '#shell/guard.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useOfficeMe } from './use-office-me.ts'
import { words } from './words.ts'

/** What waits for the office, each with its way there. */
export function OverviewPage() {
  const t = words.use()
  const me = useOfficeMe()
  if (me.isError && !me.data) return <LoadProblem error={me.error} retry={me.refetch} />
  const waiting = me.data?.waiting
  return (
    <>
      <PageHeader title={t('overview')} fact={t('overviewFact')} />
      {waiting ? (
        <Tiles>
          <Waiting
            label={t('applications')}
            n={waiting.applications}
            meaning={t('applicationsMeaning', { n: waiting.applications })}
            to={officePaths.applications}
            open={mayUse('schools.read')}
          />
          <Waiting
            label={t('payments')}
            n={waiting.payments}
            meaning={t('paymentsMeaning', { n: waiting.payments })}
            to={officePaths.payments}
            open={mayUse('payments.read')}
          />
          <Waiting
            label={t('contacts')}
            n={waiting.contacts}
            meaning={t('contactsMeaning', { n: waiting.contacts })}
            to={officePaths.schools}
            search={{ contacts: 'waiting' }}
            open={mayUse('schools.read')}
          />
        </Tiles>
      ) : (
        <Skeleton shape="text" rows={3} />
      )}
      {mayUse('schools.read') && <OldestApplications />}
    </>
  )
}

interface WaitingProps {
  label: string
  n: number
  meaning: string
  to: string
  /** The filters of the page there. */
  search?: Record<string, string>
  /** Whether the role may see the page. */
  open: boolean
}

/** A number of what waits; a link where the page exists and the role may see it. */
function Waiting({ label, n, meaning, to, search = {}, open }: WaitingProps) {
  const t = words.use()
  const router = useRouter()
  const link = (inside: ReactNode) => (
    <Link to={to} search={search} className="tile">
      {inside}
    </Link>
  )
  const exists = Object.keys(router.routesByPath).some((path) => path.toLowerCase() === to)
  return (
    <Tile
      label={label}
      value={n.toLocaleString('en-IN')}
      meaning={open ? (n === 0 ? t('nothingWaits') : meaning) : t('mayNot')}
      link={exists && open ? link : undefined}
    />
  )
}

const shown = 5

function OldestApplications() {
  const t = words.use()
  const list = useEndpoint(listApplications, { query: { state: 'submitted' } })
  const all = <Link to={officePaths.applications}>{t('all')}</Link>
  return (
    <Panel title={t('oldest')} aside={all} padded={false}>
      {list.isError && !list.data ? (
        <LoadProblem error={list.error} retry={list.refetch} />
      ) : list.data === undefined ? (
        <div className="pad">
          <Skeleton shape="text" rows={4} />
        </div>
      ) : list.data.data.length === 0 ? (
        <EmptyState icon="ok" title={t('noApplications')}>
          {t('noApplicationsText')}
        </EmptyState>
      ) : (
        <ul className="oldest">
          {list.data.data.slice(0, shown).map((one) => (
            <li key={one.id}>
              <Link to={officePaths.applications} search={{ id: one.id }}>
                <span>
                  {one.schName}
                  <small>
                    {one.city}, {one.state}
                  </small>
                </span>
                <small>{t('since', { day: dayText(one.submittedAt) })}</small>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
