import { type ResultSet, releaseResults } from '@podium/contract/results/calls-office'
import { istTime } from '@podium/contract/season'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { dayText, Moment } from '#shell/format.tsx'
import { useEndpointMutation, useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useReason } from '../allowed.ts'
import { Withdraw } from '../corrections/withdraw.tsx'
import { eventName, type OfficeEvent, shownOfEvents, shownState } from '../office-event.ts'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'
import { ReleaseFacts } from './release-facts.tsx'

const CorrectDialog = lazy(() =>
  import('../corrections/dialog.tsx').then((m) => ({ default: m.CorrectDialog })),
)

/** Release now or at a time; what that will do, in words; the event's name typed to confirm. Then what is out. */
export function ReleaseStep({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const state = shownState(set)
  if (state === 'released') {
    return (
      <Panel title={t('release')}>
        <div className="stack">
          <Note kind="ok">
            {t('releasedSays', { n: set.version, at: moment(set.releaseAt), next: set.version + 1 })}
          </Note>
          <Correct of={of} />
        </div>
      </Panel>
    )
  }
  return (
    <Panel title={t('release')}>
      <div className="stack">
        {state === 'scheduled' && (
          <Note>
            {t('scheduledSays', { n: set.version, at: moment(set.releaseAt) })} <Withdraw set={set} />
          </Note>
        )}
        <ReleaseFacts of={of} set={set} />
        {set.approvedBy && (
          <p className="quiet">
            {t('approvedFact', { name: set.approvedBy })}, <Moment value={set.approvedAt} />
          </p>
        )}
        <ReleaseForm of={of} set={set} />
      </div>
    </Panel>
  )
}

function Correct({ of: { event, can } }: { of: OfficeEvent }) {
  const t = officeWords.use()
  const reason = useReason()
  const [open, setOpen] = useState(false)
  const off = reason(can.correct)
  return (
    <div>
      <Button icon="edit" disabled={off} onClick={() => setOpen(true)}>
        {t('correct')}
      </Button>
      {off && <p className="hint">{off}</p>}
      <Suspense>{open && <CorrectDialog event={event} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  )
}

const moment = (at: string | null) => (at ? `${dayText(at)} ${istTime(new Date(at))}` : '')

/** The instant of what was typed as a day and time in India; undefined unless it is to come. */
function instantOf(typed: string): string | undefined {
  const at = new Date(`${typed}:00+05:30`)
  return Number.isNaN(at.getTime()) || at <= new Date() ? undefined : at.toISOString()
}

function ReleaseForm({ of: { event }, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const renew = useRenew(shownOfEvents)
  const [when, setWhen] = useState<'now' | 'time'>('now')
  const [typed, setTyped] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const release = useEndpointMutation(releaseResults, {
    onSettled: renew,
    onSuccess: () =>
      toast.success(t(when === 'now' ? 'releasedToast' : 'scheduledToast', { n: set.version })),
  })
  const asked = eventName(event)
  const confirmed = name.trim().toLowerCase() === asked.toLowerCase()
  const releaseAt = when === 'time' ? instantOf(typed) : undefined
  const timed = when === 'now' || releaseAt !== undefined
  const off = reason(set.can.release)
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setTried(true)
    if (confirmed && timed && !off) release.mutate({ body: { setId: set.setId, seen: set.seen, releaseAt } })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <RadioField
        label={t('when')}
        name="when"
        value={when}
        choices={[
          { value: 'now', label: t('now') },
          { value: 'time', label: t('atTime') },
        ]}
        onChange={(value) => setWhen(value === 'time' ? 'time' : 'now')}
      />
      <div className="grid">
        {when === 'time' && (
          <TextField
            type="datetime-local"
            className="c4"
            label={t('time')}
            value={typed}
            error={tried && !timed ? t('timeMissing') : undefined}
            onChange={(changed) => setTyped(changed.currentTarget.value)}
          />
        )}
        <TextField
          className="c4"
          label={t('confirmName', { name: asked })}
          value={name}
          autoComplete="off"
          error={tried && !confirmed ? t('confirmWrong') : undefined}
          onChange={(changed) => setName(changed.currentTarget.value)}
        />
      </div>
      <Problem error={release.error} />
      <div>
        <Button type="submit" kind="primary" icon="flag" busy={release.isPending} disabled={off}>
          {releaseAt ? t('releaseAt', { at: moment(releaseAt) }) : t('releaseNow')}
        </Button>
        {off && <p className="hint">{off}</p>}
      </div>
    </form>
  )
}
