import { formatRupees } from '@podium/contract/money'
import {
  type ResultSet,
  releaseResults,
  resultsSummary,
  withdrawRelease,
} from '@podium/contract/results/calls-office'
import { istDay, istTime } from '@podium/contract/season'
import { type FormEvent, useState } from 'react'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { focusFirstError } from '#shell/field-focus.ts'
import { dayText, keepDatesTogether, Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { eventName, type OfficeEvent, resultEventCalls, shownState } from '../office-event.ts'
import { officeWords, Problem, useReason } from '../office-parts.tsx'
import { sumOf } from '../office-summary.tsx'

const CorrectDialog = lazyDialog(() => import('../corrections/dialogs.tsx'), 'CorrectDialog')

/** Releases now or at a set time; explains the effect and asks for the event's name. Then shows the release. */
export function ReleaseStep({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const state = shownState(set)
  if (state === 'released') {
    return (
      <Panel title={t('release')}>
        <div className="stack">
          <Note kind="ok">
            {keepDatesTogether(
              t('releasedHint', { n: set.version, at: moment(set.releaseAt), next: set.version + 1 }),
            )}
          </Note>
          <CorrectButton of={of} />
        </div>
      </Panel>
    )
  }
  return <ReleaseActions key={`${set.setId} ${set.releaseAt}`} of={of} set={set} />
}

/** An approved version: the release form, or the scheduled time with Change and Cancel. */
function ReleaseActions({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const [changing, setChanging] = useState(false)
  const scheduled = shownState(set) === 'scheduled'
  return (
    <Panel title={t('release')}>
      <div className="stack">
        {scheduled && (
          <Note>
            <b>{t('scheduledHint', { at: moment(set.releaseAt) })}</b>
            <div className="acts">
              {!changing && (
                <Button disabled={reason(set.can.release)} onClick={() => setChanging(true)}>
                  {t('changeTime')}
                </Button>
              )}
              <CancelRelease set={set} />
            </div>
          </Note>
        )}
        <ReleaseFacts of={of} set={set} />
        {set.approvedBy && (
          <p className="quiet">
            {t('approvedFact', { name: set.approvedBy })}, <Moment value={set.approvedAt} />
          </p>
        )}
        {(!scheduled || changing) && (
          <ReleaseForm of={of} set={set} onKeep={scheduled ? () => setChanging(false) : undefined} />
        )}
      </div>
    </Panel>
  )
}

function CorrectButton({ of: { event, can } }: { of: OfficeEvent }) {
  const t = officeWords.use()
  const reason = useReason()
  const [open, setOpen] = useState(false)
  const disabled = reason(can.correct)
  return (
    <div>
      <Button icon="edit" disabled={disabled} onClick={() => setOpen(true)}>
        {t('correct')}
      </Button>
      {disabled && <p className="hint">{disabled}</p>}
      {open && <CorrectDialog event={event} onClose={() => setOpen(false)} />}
    </div>
  )
}

const moment = (instant: string | null) =>
  instant ? `${dayText(instant)} ${istTime(new Date(instant))}` : ''

/** Parses a typed day and time in IST; undefined if empty or incomplete. */
function instantOf(day: string, clock: string): Date | undefined {
  const instant = new Date(`${day}T${clock.trim().padStart(5, '0')}:00+05:30`)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

/** Returns the time of day in IST as a field value, `HH:MM`. */
const clockOf = (instant: string) => new Date(Date.parse(instant) + 19_800_000).toISOString().slice(11, 16)

interface FormProps {
  of: OfficeEvent
  set: ResultSet
  /** Keeps the scheduled time. */
  onKeep?: () => void
}

function ReleaseForm({ of: { event }, set, onKeep }: FormProps) {
  const t = officeWords.use()
  const reason = useReason()
  const { busy, error, attempt } = useAttempt(resultEventCalls)
  const [when, setWhen] = useState<'now' | 'time'>(set.releaseAt ? 'time' : 'now')
  const [day, setDay] = useState(set.releaseAt ? istDay(new Date(set.releaseAt)) : '')
  const [clock, setClock] = useState(set.releaseAt ? clockOf(set.releaseAt) : '')
  const [name, setName] = useState('')
  const [early, setEarly] = useState('')
  const [tried, setTried] = useState(false)
  const expectedName = eventName(event)
  const confirmed = name.trim().toLowerCase() === expectedName.toLowerCase()
  const chosen = when === 'time' ? instantOf(day, clock) : undefined
  const over = chosen !== undefined && chosen <= new Date()
  const timed = when === 'now' || (chosen !== undefined && !over)
  const promised = event.resultsFrom > istDay(chosen ?? new Date())
  const explained = !promised || early.trim() !== ''
  const disabled = reason(set.can.release)
  const submit = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    setTried(true)
    focusFirstError(submitted.currentTarget)
    if (!confirmed || !timed || !explained || disabled) return
    const at = chosen?.toISOString()
    void attempt(
      () => call(releaseResults, { body: { setId: set.setId, seen: set.seen, releaseAt: at, early } }),
      () => toast.success(t(when === 'now' ? 'releasedToast' : 'scheduledToast', { n: set.version })),
    )
  }
  return (
    <form className="stack no-print" onSubmit={submit} noValidate>
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
          <>
            <DateField
              className="c3"
              label={t('releaseDay')}
              value={day}
              min={istDay(new Date())}
              error={over ? t('timePassed') : tried && !timed ? t('timeMissing') : undefined}
              onChange={setDay}
            />
            <TextField
              className="c3"
              label={t('releaseClock')}
              hint={t('clockHint')}
              inputMode="numeric"
              value={clock}
              onChange={(changed) => setClock(changed.currentTarget.value)}
            />
          </>
        )}
        <TextField
          className="c4"
          label={t('confirmName', { name: expectedName })}
          value={name}
          autoComplete="off"
          error={tried && !confirmed ? t('confirmWrong') : undefined}
          onChange={(changed) => setName(changed.currentTarget.value)}
        />
      </div>
      {promised && timed && (
        <>
          <Note kind="bad">{keepDatesTogether(t('earlyRelease', { day: dayText(event.resultsFrom) }))}</Note>
          <TextArea
            label={t('earlyReleaseReason')}
            value={early}
            maxLength={300}
            error={tried && !explained ? t('noteMissing') : undefined}
            onChange={(changed) => setEarly(changed.currentTarget.value)}
          />
        </>
      )}
      <Problem error={error} />
      <div className="acts">
        <Button type="submit" kind="primary" icon="flag" busy={busy} disabled={disabled}>
          {when === 'now'
            ? t('releaseNow')
            : chosen && !over
              ? t('releaseAt', { at: moment(chosen.toISOString()) })
              : t('schedule')}
        </Button>
        {onKeep && <Button onClick={onKeep}>{t('keepTime')}</Button>}
        {disabled && <p className="hint">{disabled}</p>}
      </div>
    </form>
  )
}

/** Explains what a release will do, with counts. */
function ReleaseFacts({ of: { event }, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultsSummary, { query: { setId: String(set.setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  const { classes: lines, changes, withheld: held } = data
  const absent = sumOf(lines, 'absent')
  const medals = sumOf(lines, 'gold') + sumOf(lines, 'silver') + sumOf(lines, 'bronze')
  const sentences = [
    t(changes ? 'correctedResults' : 'releaseResults', {
      results: sumOf(lines, 'present') + absent - held.results,
      absent: absent - held.absent,
      classes: lines.length,
    }),
    t(changes ? 'correctedHonours' : 'releaseHonours', {
      medals: medals - held.medals,
      prizes: sumOf(lines, 'prizes') - held.prizes,
      amount: formatRupees(sumOf(lines, 'prizeAmount') - held.prizeAmount),
      awards: sumOf(lines, 'awards') - held.awards,
    }),
    ...(changes
      ? [
          t('releaseReplaces', {
            version: changes.version,
            added: changes.added,
            removed: changes.removed,
            changed: changes.changed,
          }),
        ]
      : []),
    event.holds > 0 ? t('releaseHeld', { n: event.holds }) : t('releaseNoneHeld'),
    ...(held.results > 0
      ? [
          t('heldHonours', {
            results: held.results,
            medals: held.medals,
            prizes: held.prizes,
            awards: held.awards,
          }),
        ]
      : []),
    t(changes ? 'correctedMails' : 'releaseMails'),
  ]
  return (
    <div>
      <h3>{t('releaseWhat')}</h3>
      <ul className="bullets stack gap-1 mt-2">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

/** Cancels a scheduled release. */
function CancelRelease({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button disabled={reason(set.can.withdraw)} onClick={() => setAsking(true)}>
        {t('withdraw')}
      </Button>
      {asking && (
        <ConfirmAction
          danger
          title={t('withdrawTitle')}
          action={t('withdraw')}
          act={() => call(withdrawRelease, { body: { setId: set.setId } })}
          invalidates={resultEventCalls}
          onClose={() => setAsking(false)}>
          <p>{t('withdrawHint', { n: set.version })}</p>
        </ConfirmAction>
      )}
    </>
  )
}
