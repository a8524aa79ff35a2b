import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import {
  closeIncident,
  type Incident,
  noteIncident,
  reopenIncident,
  reportHours,
  sendIncidentMail,
} from '@podium/contract/privacy/calls-incidents'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { People } from './people-panel.tsx'
import { incidentCalls, useIncident, words } from './use-incident.ts'
import './incidents.css'

const MailDialog = lazyDialog(() => import('./dialogs.tsx'), 'MailDialog')

/** The single e-mail to the people affected: written in both languages, previewed, sent. */
export function IncidentMail({ incident }: { incident: Incident }) {
  const t = words.use()
  const mayWrite = useDisabledReason(t('mayNotWrite'))
  const mayDecide = useDisabledReason(t('ownerOnly'))
  const [openDialog, setOpenDialog] = useState<'write' | 'send'>()
  const { can, sentAt, sentBy, waiting } = incident
  return (
    <Panel
      title={t('mail')}
      aside={
        <span className="row inline gap-2">
          <Button icon="edit" disabled={mayWrite(can.write)} onClick={() => setOpenDialog('write')}>
            {t('writeMail')}
          </Button>
          <Button icon="mail" disabled={mayDecide(can.send)} onClick={() => setOpenDialog('send')}>
            {t('send')}
          </Button>
        </span>
      }>
      <div className="stack">
        <p>
          {waiting === 0 ? t('nobodyWaits') : t('waitingHint', { n: waiting })}{' '}
          {sentAt !== null && (
            <span className="quiet">
              {t('sentByHint', { name: sentBy })} <Moment value={sentAt} />
            </span>
          )}
        </p>
        <Preview incident={incident} />
      </div>
      {openDialog === 'write' && <MailDialog incident={incident} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'send' && <SendDialog incident={incident} onClose={() => setOpenDialog(undefined)} />}
    </Panel>
  )
}

function Preview({ incident: { preview } }: { incident: Incident }) {
  const t = words.use()
  const pageLanguage = useWrittenLanguage()
  const [language, setLanguage] = useState<WrittenLanguage>(pageLanguage)
  if (preview === null) return <p className="quiet">{t('mailNotWritten')}</p>
  return (
    <>
      <Segmented label={t('language')} value={language} choices={languageChoices} onChange={setLanguage} />
      <article className="letter">
        <h3 lang={language}>{preview[language].subject}</h3>
        <pre lang={language}>{preview[language].text}</pre>
      </article>
    </>
  )
}

function SendDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { id, version, waiting, unreachable } = incident
  return (
    <ConfirmAction
      title={t('send')}
      action={t('sendTo', { n: waiting })}
      cancel={t('cancel')}
      icon="mail"
      act={() => call(sendIncidentMail, { body: { id, version } })}
      invalidates={incidentCalls}
      done={t('sent')}
      onClose={onClose}>
      <div className="stack">
        <p>
          {t('waitingHint', { n: waiting })} {unreachable > 0 && t('unreachable', { n: unreachable })}
        </p>
        <p>{t('sendHint')}</p>
      </div>
    </ConfirmAction>
  )
}

const IncidentDialog = lazyDialog(() => import('./dialogs.tsx'), 'IncidentDialog')
const ReasonDialog = lazyDialog(() => import('#shell/reason-dialog.tsx'), 'ReasonDialog')

/** One breach: what is known and was done, who is affected, the e-mail to them, and the history beside it. */
export function IncidentPage() {
  const { record, incident } = useIncident()
  if (record.isError && !incident) return <PageProblem error={record.error} retry={record.refetch} />
  if (!incident) return <Skeleton shape="form" page />
  return (
    <>
      <PageHeader title={incident.title} fact={<Fact incident={incident} />}>
        <IncidentActions incident={incident} />
      </PageHeader>
      <div className="with-aside">
        <div className="stack">
          <Facts incident={incident} />
          <Notes incident={incident} />
          <IncidentMail incident={incident} />
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
    <span className="row gap-4">
      <Link to={officePaths.incidents}>{t('back')}</Link>
      {incident.state === 'open' ? (
        <Badge kind="underway">{t('isOpen')}</Badge>
      ) : (
        <Badge kind="yes">{t('isClosed')}</Badge>
      )}
      <span>{t('openedByAt', { name: incident.openedBy })}</span>
      <Moment value={incident.openedAt} />
    </span>
  )
}

type OpenDialog = 'change' | 'close' | 'reopen'

function IncidentActions({ incident }: { incident: Incident }) {
  const t = words.use()
  const reason = useDisabledReason(t('ownerOnly'))
  const mayWrite = useDisabledReason(t('mayNotWrite'))
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const { can, state } = incident
  return (
    <>
      {state === 'open' ? (
        <>
          <Button disabled={reason(can.close)} onClick={() => setOpenDialog('close')}>
            {t('close')}
          </Button>
          <Button
            kind="primary"
            icon="edit"
            disabled={mayWrite(can.change)}
            onClick={() => setOpenDialog('change')}>
            {t('change')}
          </Button>
        </>
      ) : (
        <Button disabled={reason(can.reopen)} onClick={() => setOpenDialog('reopen')}>
          {t('reopen')}
        </Button>
      )}
      {openDialog && (
        <RecordDialog incident={incident} openDialog={openDialog} onClose={() => setOpenDialog(undefined)} />
      )}
    </>
  )
}

function RecordDialog({
  incident,
  openDialog,
  onClose,
}: {
  incident: Incident
  openDialog: OpenDialog
  onClose: () => void
}) {
  const t = words.use()
  const { id, version } = incident
  const shared = { draftKey: `incident.${id}.${openDialog}`, invalidates: incidentCalls, onClose }
  if (openDialog === 'change') return <IncidentDialog incident={incident} onClose={onClose} />
  if (openDialog === 'close')
    return (
      <ReasonDialog
        {...shared}
        title={t('close')}
        description={t('closeHint')}
        label={t('lastNote')}
        rule={closeIncident.body.shape.note}
        action={t('close')}
        done={t('closedDone')}
        act={(note) => call(closeIncident, { body: { id, version, note } })}
      />
    )
  return (
    <ReasonDialog
      {...shared}
      title={t('reopenTitle')}
      description={t('reopenHint')}
      action={t('reopen')}
      done={t('reopenedDone')}
      act={(reason) => call(reopenIncident, { body: { id, version, reason } })}
    />
  )
}

const texts = ['happened', 'extent', 'measures'] as const
const hour = 3_600_000

/** What is known of a breach, and the legal deadlines of its reports. */
function Facts({ incident }: { incident: Incident }) {
  const t = words.use()
  const due = (hours: number) => new Date(new Date(incident.foundAt).getTime() + hours * hour).toISOString()
  return (
    <Panel title={t('facts')}>
      <dl className="incident-facts">
        <div>
          <dt>{t('nature')}</dt>
          <dd>{t(`nature_${incident.nature}`)}</dd>
        </div>
        <div>
          <dt>{t('found')}</dt>
          <dd>
            <Moment value={incident.foundAt} />
          </dd>
        </div>
        <div>
          <dt>{t('reportsDue')}</dt>
          <dd>
            {t('cert')}: <Moment value={due(reportHours.cert)} />
            <br />
            {t('board')}: <Moment value={due(reportHours.board)} />
          </dd>
        </div>
        {texts.map((name) => (
          <div key={name} className="wide">
            <dt>{t(name)}</dt>
            <dd>{incident[name] || <span className="quiet">{t('notWritten')}</span>}</dd>
          </div>
        ))}
        {incident.closedAt !== null && (
          <div className="wide">
            <dt>{t('isClosed')}</dt>
            <dd>
              <Moment value={incident.closedAt} />, {incident.closedBy}
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}

/** What was done step by step, including reports. */
function Notes({ incident: { id, notes, can } }: { incident: Incident }) {
  const t = words.use()
  const mayWrite = useDisabledReason(t('mayNotWrite'))
  const [adding, setAdding] = useState(false)
  return (
    <Panel
      title={t('notes')}
      padded={notes.length === 0}
      aside={
        <Button icon="plus" disabled={mayWrite(can.change)} onClick={() => setAdding(true)}>
          {t('addNote')}
        </Button>
      }>
      {notes.length === 0 ? (
        <p className="quiet">{t('noteHint')}</p>
      ) : (
        <ol className="incident-notes">
          {notes.map((note) => (
            <li key={note.id}>
              {note.text}
              <span className="under">
                {note.by}, <Moment value={note.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {adding && (
        <ReasonDialog
          title={t('addNote')}
          description={t('noteHint')}
          label={t('note')}
          rule={noteIncident.body.shape.text}
          invalidates={incidentCalls}
          action={t('addNote')}
          done={t('saved')}
          draftKey={`incident.${id}.note`}
          act={(text) => call(noteIncident, { body: { id, text } })}
          onClose={() => setAdding(false)}
        />
      )}
    </Panel>
  )
}
