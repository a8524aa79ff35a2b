import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import {
  decideNextLevel,
  type InvitationMail,
  makeNextLevel,
  type NextLevelRound,
  nextLevelMail,
  remindNextLevel,
  saveNextLevel,
  sendNextLevel,
} from '@podium/contract/results/calls-next-level'
import { nextLevelCandidate } from '@podium/contract/results/calls-next-level-list'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { FormDialog, useAsOpened, useFormDialog } from '#shell/form-dialog.tsx'
import { count } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useFreshQuery } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAttempt } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { officeWords, roundCalls } from './use-round.ts'

const schema = z.pick(makeNextLevel.body, { answerBy: true, note: true })

/** Creates the list, or changes the date by which schools answer and the text they read with it. */
export function TermsDialog({ round, onClose }: { round: NextLevelRound; onClose: () => void }) {
  const t = officeWords.use()
  const { eventYearId, version, stage } = useAsOpened(round)
  const making = stage === 'none'
  const f = useFormDialog({
    schema,
    initialValues: { answerBy: round.answerBy ?? '', note: round.note },
    save: (terms) =>
      making
        ? call(makeNextLevel, { body: { eventYearId, ...terms } })
        : call(saveNextLevel, { body: { eventYearId, version, ...terms } }),
    invalidates: roundCalls,
    done: t(making ? 'madeToast' : 'savedToast'),
    onClose,
  })
  return (
    <FormDialog
      of={f}
      title={t(making ? 'make' : 'changeTerms')}
      size="small"
      save={t(making ? 'make' : 'save')}>
      <p>
        {t(making ? 'makeHint' : stage === 'approved' ? 'termsAgain' : 'termsHint', { n: round.eligibleNow })}
      </p>
      <DateField
        label={t('answerBy')}
        hint={t('answerByHint')}
        data-autofocus
        {...f.form.field('answerBy')}
      />
      <TextArea label={t('note')} hint={t('noteHint')} rows={4} optional {...f.form.field('note')} />
    </FormDialog>
  )
}

interface Props {
  round: NextLevelRound
  onClose: () => void
}

/** Sends an approved list to the schools, after a preview of the e-mail. */
export function SendDialog({ round, onClose }: Props) {
  const t = officeWords.use()
  const reason = useDisabledReason(t('mayNot'))
  const { busy, problem, attempt } = useAttempt(roundCalls)
  const { eventYearId, version } = round
  const send = () =>
    attempt(
      () => call(sendNextLevel, { body: { eventYearId, version } }),
      () => {
        toast.success(t('sendingToast', { n: round.schools }))
        onClose()
      },
    )
  const disabled = reason(round.can.send)
  return (
    <Dialog opened onClose={onClose} title={t('sendTitle', { n: round.schools })} size="wide">
      <DialogBody>
        <div className="stack">
          <p>{t('sendHint', { n: count(round.children) })}</p>
          {disabled && <Note kind="due">{disabled}</Note>}
          <MailPreviews eventYearId={eventYearId} kinds={['invitation', 'withdrawal']} />
          {problem && <Note kind="bad">{problem}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button kind="primary" icon="mail" busy={busy} disabled={disabled} onClick={() => void send()}>
          {t('send', { n: round.schools })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Reminds the schools that have not answered for all their students. */
export function RemindDialog({ round, onClose }: Props) {
  const t = officeWords.use()
  const { busy, problem, attempt } = useAttempt(roundCalls)
  const { eventYearId } = round
  const remind = () =>
    attempt(
      () => call(remindNextLevel, { body: { eventYearId } }),
      () => {
        toast.success(t('remindingToast'))
        onClose()
      },
    )
  return (
    <Dialog opened onClose={onClose} title={t('remind', { n: round.due })} size="wide">
      <DialogBody>
        <div className="stack">
          <p>{t('remindHint')}</p>
          <MailPreviews eventYearId={eventYearId} kinds={['reminder']} />
          {problem && <Note kind="bad">{problem}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button kind="primary" icon="mail" busy={busy} onClick={() => void remind()}>
          {t('remindNow')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Previews the e-mail in both languages, for the first school or for the one whose code is typed. */
function MailPreviews({ eventYearId, kinds }: { eventYearId: number; kinds: readonly InvitationMail[] }) {
  const t = officeWords.use()
  const ownLanguage = useWrittenLanguage()
  const [language, setLanguage] = useState<WrittenLanguage>(ownLanguage)
  const [typed, setTyped] = useState('')
  const [schCode, setSchCode] = useState('')
  return (
    <section className="stack" aria-label={t('preview')}>
      <div className="row bottom">
        <Segmented label={t('language')} value={language} choices={languageChoices} onChange={setLanguage} />
        <TextField
          label={t('schoolCode')}
          value={typed}
          maxLength={20}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => setSchCode(typed.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setSchCode(typed.trim())
          }}
        />
        <Button onClick={() => setSchCode(typed.trim())}>{t('show')}</Button>
      </div>
      {kinds.map((kind) => (
        <MailPreview
          key={kind}
          eventYearId={eventYearId}
          kind={kind}
          language={language}
          schCode={schCode}
          isOnly={kinds.length === 1}
        />
      ))}
    </section>
  )
}

interface MailPreviewProps {
  eventYearId: number
  kind: InvitationMail
  language: WrittenLanguage
  schCode: string
  isOnly: boolean
}

function MailPreview({ eventYearId, kind, language, schCode, isOnly }: MailPreviewProps) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(nextLevelMail, {
    query: { eventYearId: String(eventYearId), kind, ...(schCode ? { schCode } : {}) },
  })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={5} />
  const { mail } = data
  if (!mail) return isOnly || kind === 'invitation' ? <p className="quiet">{t(`noMail_${kind}`)}</p> : null
  const written = mail[language]
  return (
    <article className="letter" lang={language}>
      <p className="quiet" lang={undefined}>
        {t(`mail_${kind}`, { name: mail.schName, code: mail.schCode, n: mail.children })}{' '}
        {mail.to.length > 0 ? t('mailTo', { to: mail.to.join(', ') }) : t('mailToNobody')}
      </p>
      <h3>{written.subject}</h3>
      <pre>{written.text}</pre>
    </article>
  )
}

const addSchema = z.pick(decideNextLevel.body, { reason: true })

/** Manually invites a student whom the rules left out. Finds the student by exam roll no and asks for a reason. */
export function AddDialog({ round, onClose }: { round: NextLevelRound; onClose: () => void }) {
  const t = officeWords.use()
  const reason = useDisabledReason(t('mayNot'))
  const [typed, setTyped] = useState('')
  const [roll, setRoll] = useState('')
  const { eventYearId, version } = round
  const lookup = useFreshQuery(nextLevelCandidate, {
    query: { eventYearId: String(eventYearId), nioRollNo: roll },
    enabled: roll !== '',
  })
  const candidate = roll === '' ? undefined : lookup.data?.candidate
  const against = candidate ? reason(candidate.can) : false
  const f = useFormDialog({
    schema: addSchema,
    initialValues: { reason: '' },
    save: async (given) => {
      if (!candidate || against) throw new CallError(t('findFirst'), 400, 'input.invalid')
      const body = {
        eventYearId,
        version,
        studentIds: [candidate.studentId],
        as: 'invite' as const,
        ...given,
      }
      await call(decideNextLevel, { body })
      return candidate
    },
    invalidates: roundCalls,
    done: (added) => t('addedToast', { name: added.studentName }),
    onClose,
  })
  const look = () => setRoll(typed.trim())
  return (
    <FormDialog
      of={f}
      title={t('add')}
      size="small"
      save={t('as_invite')}
      disabled={candidate && !against ? false : t('findFirst')}>
      <div className="nl-find row bottom">
        <TextField
          label={t('rollNo')}
          value={typed}
          maxLength={40}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            look()
          }}
        />
        <Button busy={lookup.isFetching} disabled={typed.trim() === ''} onClick={look}>
          {t('find')}
        </Button>
      </div>
      {candidate === null && !lookup.isFetching && <Note kind="bad">{t('noCandidate')}</Note>}
      {candidate && (
        <Note kind={against ? 'due' : 'info'}>
          <strong>{candidate.studentName}</strong>, {translateSentence(candidate.className)}{' '}
          {candidate.section}. {candidate.schName}, {candidate.schCode}.{' '}
          {against || t('candidateHint', { marks: candidate.marks, rank: candidate.olympiadRank ?? '–' })}
        </Note>
      )}
      <TextArea label={t('reason')} hint={t('reasonHint')} rows={3} {...f.form.field('reason')} />
    </FormDialog>
  )
}

export type InvitationDecision = 'invite' | 'leave' | 'rules'

interface DecideProps {
  round: NextLevelRound
  how: InvitationDecision
  studentIds: number[]
  onClose: () => void
  onDone: () => void
}

/** Excludes or invites the selected students, or lets the rules decide again. Only the office sees the reason. */
export function DecideDialog({ round, how, studentIds, onClose, onDone }: DecideProps) {
  const t = officeWords.use()
  const { eventYearId, version, stage } = round
  return (
    <ReasonDialog
      title={t(`decide_${how}`, { n: studentIds.length })}
      description={
        <>
          <p>{t(`decideHint_${how}`)}</p>
          {(stage === 'approved' || stage === 'sent') && <p>{t('approvedAgain')}</p>}
        </>
      }
      hint={t('reasonHint')}
      rule={decideNextLevel.body.shape.reason}
      action={t(`as_${how}`)}
      act={(reason) => call(decideNextLevel, { body: { eventYearId, version, studentIds, as: how, reason } })}
      invalidates={roundCalls}
      done={({ changed }) => t('decidedToast', { n: changed })}
      onDone={() => {
        onDone()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
