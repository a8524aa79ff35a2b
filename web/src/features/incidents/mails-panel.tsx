import type { Incident } from '@podium/contract/incidents'
import {
  approveIncidentSending,
  askIncidentSending,
  withdrawIncidentSending,
} from '@podium/contract/incidents-mails'
import { lazy, Suspense, useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { call } from '#shell/call.ts'
import { count, Moment } from '#shell/format.tsx'
import { useAct } from '#shell/use-act.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const WordsDialog = lazy(() => import('./words-dialog.tsx').then((m) => ({ default: m.WordsDialog })))
const MailsDialog = lazy(() => import('./mails-dialog.tsx').then((m) => ({ default: m.MailsDialog })))

/** The mails to those affected: worded, looked at, asked for by one and approved by another, then sent by a job. */
export function Mails({ incident }: { incident: Incident }) {
  const t = words.use()
  const mayWrite = useReason(t('mayNotWrite'))
  const [doing, setDoing] = useState<'words' | 'mails'>()
  const { counts, can } = incident
  return (
    <Panel
      title={t('mails')}
      aside={
        <span className="incident-acts">
          <Button icon="edit" disabled={mayWrite(can.change)} onClick={() => setDoing('words')}>
            {t('writeWords')}
          </Button>
          <Button
            icon="eye"
            disabled={counts.waiting === 0 ? t('nobodyWaits') : undefined}
            onClick={() => setDoing('mails')}
          >
            {t('showMails')}
          </Button>
        </span>
      }
    >
      <div className="stack">
        <Standing incident={incident} />
        <Sending incident={incident} />
      </div>
      <Suspense>
        {doing === 'words' && <WordsDialog incident={incident} onClose={() => setDoing(undefined)} />}
        {doing === 'mails' && <MailsDialog incident={incident} onClose={() => setDoing(undefined)} />}
      </Suspense>
    </Panel>
  )
}

function Standing({ incident: { sending, counts } }: { incident: Incident }) {
  const t = words.use()
  const { state, done, total, askedBy, askedAt, approvedBy, approvedAt } = sending
  if (state === 'running')
    return (
      <ProgressBar label={t('sendingNow')} total={total} done={done}>
        {t('sendingCounts', { done: count(done), total: count(total) })}
      </ProgressBar>
    )
  if (state === 'asked')
    return (
      <Note kind="due">
        {t('askedSays', { name: askedBy, n: counts.waiting })} <Moment value={askedAt} />
      </Note>
    )
  return (
    <>
      {state === 'failed' && <Note kind="bad">{t('sendingFailed')}</Note>}
      {state === 'done' && approvedBy !== '' && (
        <p className="quiet">
          {t('approvedSays', { name: approvedBy })} <Moment value={approvedAt} />
        </p>
      )}
      <p>{counts.waiting === 0 ? t('nobodyWaits') : t('waitingSays', { n: counts.waiting })}</p>
    </>
  )
}

function Sending({ incident }: { incident: Incident }) {
  const t = words.use()
  const mayWrite = useReason(t('mayNotWrite'))
  const mayDecide = useReason(t('ownerOnly'))
  const { busy, act } = useAct(shownOfIncidents)
  const { id, version, can, sending } = incident
  const body = { id, version }
  if (sending.state === 'running') return null
  if (sending.state !== 'asked')
    return (
      <div className="incident-acts">
        <Button
          kind="primary"
          icon="mail"
          busy={busy}
          disabled={mayWrite(can.askSend)}
          onClick={() => void act(() => call(askIncidentSending, { body }), t('askedDone'))}
        >
          {t('askSending')}
        </Button>
      </div>
    )
  return (
    <div className="incident-acts">
      <Button
        busy={busy}
        disabled={mayWrite(can.change)}
        onClick={() => void act(() => call(withdrawIncidentSending, { body }), t('withdrawnDone'))}
      >
        {t('withdrawSending')}
      </Button>
      <Button
        kind="primary"
        icon="mail"
        busy={busy}
        disabled={mayDecide(can.approveSend)}
        onClick={() => void act(() => call(approveIncidentSending, { body }), t('approvedDone'))}
      >
        {t('approveSending')}
      </Button>
    </div>
  )
}
