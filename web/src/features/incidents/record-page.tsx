import './incidents.css'
import { closeIncident, type Incident, incidentFile, reopenIncident } from '@podium/contract/incidents'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-act.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Clocks } from './clocks-panel.tsx'
import { Facts } from './facts-panel.tsx'
import { Mails } from './mails-panel.tsx'
import { People } from './people-panel.tsx'
import { shownOfIncidents, useIncident } from './use-incident.ts'
import { words } from './words.ts'

const FactsDialog = lazy(() => import('./facts-dialog.tsx').then((m) => ({ default: m.FactsDialog })))
const ReasonDialog = lazy(() => import('#shell/reason-dialog.tsx').then((m) => ({ default: m.ReasonDialog })))

/** One breach: its clocks, what is known, who is affected and told, and its history beside it. */
export function IncidentPage() {
  const { record, incident } = useIncident()
  if (record.isError && !incident) return <PageProblem error={record.error} retry={record.refetch} />
  if (!incident) return <Skeleton shape="form" />
  return (
    <>
      <PageHeader title={incident.title} fact={<Fact incident={incident} />}>
        <Acts incident={incident} />
      </PageHeader>
      <div className="incident-record">
        <div className="stack">
          <Clocks incident={incident} />
          <Facts incident={incident} />
          <Mails incident={incident} />
          <People incident={incident} />
        </div>
        <RecordHistory kind="incident" id={incident.id} />
      </div>
    </>
  )
}

function Fact({ incident }: { incident: Incident }) {
  const t = words.use()
  return (
    <span className="incident-fact">
      <Link to={officePaths.incidents}>{t('back')}</Link>
      {incident.state === 'open' ? (
        <Badge kind="underway">{t('isOpen')}</Badge>
      ) : (
        <Badge kind="yes">{t('isClosed')}</Badge>
      )}
      {incident.drill && (
        <Badge tone="mute" icon="flag">
          {t('drill')}
        </Badge>
      )}
      <span>{t('openedByAt', { name: incident.openedBy })}</span>
      <Moment value={incident.openedAt} />
    </span>
  )
}

type Doing = 'change' | 'close' | 'reopen'

function Acts({ incident }: { incident: Incident }) {
  const t = words.use()
  const reason = useReason(t('ownerOnly'))
  const mayWrite = useReason(t('mayNotWrite'))
  const [doing, setDoing] = useState<Doing>()
  const { can, state } = incident
  return (
    <>
      <ReportButtons incident={incident} />
      {state === 'open' ? (
        <>
          <Button disabled={reason(can.close)} onClick={() => setDoing('close')}>
            {t('close')}
          </Button>
          <Button
            kind="primary"
            icon="edit"
            disabled={mayWrite(can.change)}
            onClick={() => setDoing('change')}
          >
            {t('change')}
          </Button>
        </>
      ) : (
        <Button disabled={reason(can.reopen)} onClick={() => setDoing('reopen')}>
          {t('reopen')}
        </Button>
      )}
      <Suspense>
        {doing && <ActDialog incident={incident} doing={doing} onClose={() => setDoing(undefined)} />}
      </Suspense>
    </>
  )
}

function ActDialog({ incident, doing, onClose }: { incident: Incident; doing: Doing; onClose: () => void }) {
  const t = words.use()
  const { id, version } = incident
  const shared = { draftKey: `incident.${id}.${doing}`, renews: shownOfIncidents, onClose }
  if (doing === 'change') return <FactsDialog incident={incident} onClose={onClose} />
  if (doing === 'close')
    return (
      <ReasonDialog
        {...shared}
        title={t('closeTitle')}
        says={t('closeSays')}
        label={t('conclusion')}
        rule={closeIncident.body.shape.conclusion}
        action={t('close')}
        done={t('closedDone')}
        act={(conclusion) => call(closeIncident, { body: { id, version, conclusion } })}
      />
    )
  return (
    <ReasonDialog
      {...shared}
      title={t('reopenTitle')}
      says={t('reopenSays')}
      action={t('reopen')}
      done={t('reopenedDone')}
      act={(reason) => call(reopenIncident, { body: { id, version, reason } })}
    />
  )
}

const files = [
  { format: 'pdf', label: 'PDF' },
  { format: 'xlsx', label: 'Excel' },
] as const

function ReportButtons({ incident }: { incident: Incident }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfIncidents)
  const take = (format: 'pdf' | 'xlsx') =>
    void act(() => download(incidentFile, { body: { id: incident.id, format } }))
  return files.map(({ format, label }) => (
    <Button
      key={format}
      icon="download"
      busy={busy}
      aria-label={t('reportAs', { format: label })}
      onClick={() => take(format)}
    >
      {label}
    </Button>
  ))
}
