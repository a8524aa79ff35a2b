import { type Incident, sendIncidentMail } from '@podium/contract/privacy/calls-incidents'
import { lazy, Suspense, useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { call } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useAct } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const MailDialog = lazy(() => import('./mail-dialog.tsx').then((m) => ({ default: m.MailDialog })))

/** The one mail to those affected: written in both languages, looked at as it leaves, and sent. */
export function IncidentMail({ incident }: { incident: Incident }) {
  const t = words.use()
  const mayWrite = useReason(t('mayNotWrite'))
  const mayDecide = useReason(t('ownerOnly'))
  const [doing, setDoing] = useState<'write' | 'send'>()
  const { can, sentAt, sentBy, waiting } = incident
  return (
    <Panel
      title={t('mail')}
      aside={
        <span className="incident-acts">
          <Button icon="edit" disabled={mayWrite(can.write)} onClick={() => setDoing('write')}>
            {t('writeMail')}
          </Button>
          <Button icon="mail" disabled={mayDecide(can.send)} onClick={() => setDoing('send')}>
            {t('send')}
          </Button>
        </span>
      }
    >
      <div className="stack">
        <p>
          {waiting === 0 ? t('nobodyWaits') : t('waitingSays', { n: waiting })}{' '}
          {sentAt !== null && (
            <span className="quiet">
              {t('sentBySays', { name: sentBy })} <Moment value={sentAt} />
            </span>
          )}
        </p>
        <Preview incident={incident} />
      </div>
      <Suspense>
        {doing === 'write' && <MailDialog incident={incident} onClose={() => setDoing(undefined)} />}
      </Suspense>
      {doing === 'send' && <SendDialog incident={incident} onClose={() => setDoing(undefined)} />}
    </Panel>
  )
}

function Preview({ incident: { preview } }: { incident: Incident }) {
  const t = words.use()
  const own = useWrittenLanguage()
  const [language, setLanguage] = useState<'en' | 'hi'>(own)
  if (preview === null) return <p className="quiet">{t('notWritten')}</p>
  return (
    <>
      <Segmented
        label={t('language')}
        value={language}
        choices={[
          { value: 'en', label: 'English' },
          { value: 'hi', label: 'हिन्दी' },
        ]}
        onChange={setLanguage}
      />
      <article className="incident-mail">
        <h3 lang={language}>{preview[language].subject}</h3>
        <pre lang={language}>{preview[language].text}</pre>
      </article>
    </>
  )
}

function SendDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfIncidents)
  const { id, version, waiting, unreachable } = incident
  const send = async () => {
    if (await act(() => call(sendIncidentMail, { body: { id, version } }), t('sent'))) onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('send')} size="small">
      <DialogBody>
        <div className="stack">
          <p>
            {t('waitingSays', { n: waiting })} {unreachable > 0 && t('unreachable', { n: unreachable })}
          </p>
          <p>{t('sendSays')}</p>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" icon="mail" busy={busy} onClick={() => void send()}>
          {t('sendTo', { n: waiting })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
