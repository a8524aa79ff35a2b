import { cutText } from '@podium/contract/fields'
import { acceptQuestion, type OfficeQuestion, officeQuestions } from '@podium/contract/questions/calls'
import { officeMe } from '@podium/contract/staff/calls'
import { AssignedBadge, AssignMenu, type SelectedRows } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { Day } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { fill, useKitWords } from '#ui/kit-words.ts'
import type en from '#words/en/questions-office.json'
import { QuestionOptions } from './options.tsx'

/** The words of the office's review of teachers' questions. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/questions-office.json'))

interface CardProps {
  question: OfficeQuestion
  /** How many other schools have sent the same question */
  same: number
  /** The selection for deciding together, for waiting questions */
  chosen: SelectedRows<OfficeQuestion> | undefined
  onDecline: (question: OfficeQuestion) => void
}

/** Returns the beginning of a question, to name it in a list. */
export function shortened({ question }: OfficeQuestion): string {
  return question.length > 80 ? `${cutText(question, 79).trimEnd()}…` : question
}

/** One question as a student would read it, with its origin and the decision. */
export function QuestionCard({ question, same, chosen, onDecline }: CardProps) {
  const t = words.use()
  const kit = useKitWords()
  const origin = (
    <b>
      {translateSentence(question.subjectName)}, {translateSentence(question.className)},{' '}
      {t('chapter', { n: Number(question.chapter.replace(/\D/g, '')) })}
    </b>
  )
  return (
    <li className="panel pad stack gap-3">
      <div className="oq-from">
        {chosen ? (
          <label className="oq-pick">
            <input
              type="checkbox"
              aria-label={fill(kit.selectRow, { name: shortened(question) })}
              checked={chosen.has(question.id)}
              onChange={() => chosen.toggle(question.id)}
            />
            {origin}
          </label>
        ) : (
          origin
        )}
        <AssignedBadge to={question.assignee} />
        {same > 0 && <Badge kind="doubt">{t('alsoSent', { n: same })}</Badge>}
        <span className="quiet push">
          {question.sentBy}, <SchoolLink id={question.schoolId}>{question.schName}</SchoolLink>,{' '}
          <Day value={question.creationDate} />
        </span>
      </div>
      <p className="oq-asked">{question.question}</p>
      <QuestionOptions of={question} rightAnswer={t('rightAnswer')} />
      {question.status === 'sent' ? (
        <DecisionButtons question={question} onDecline={() => onDecline(question)} />
      ) : (
        <QuestionDecision question={question} />
      )}
    </li>
  )
}

function QuestionDecision({ question }: { question: OfficeQuestion }) {
  const t = words.use()
  const { status, reason, reviewedBy, reviewedAt } = question
  return (
    <p className="row">
      <Badge kind={status === 'accepted' ? 'verified' : 'rejected'}>
        {t(status === 'accepted' ? 'isAccepted' : 'isDeclined')}
      </Badge>{' '}
      {reviewedBy !== '' && (
        <span className="quiet">
          {reviewedBy}, <Day value={reviewedAt} />
        </span>
      )}
      {reason !== '' && <span>{translateSentence(reason)}</span>}
    </p>
  )
}

/** Returns why the user's role can't decide, or undefined. */
export function useDecisionRefusal(): string | undefined {
  const t = words.use()
  const mayWrite = useMay('questions.write')
  return mayWrite ? undefined : t('mayNotWrite')
}

function DecisionButtons({ question, onDecline }: { question: OfficeQuestion; onDecline: () => void }) {
  const t = words.use()
  const refusal = useDecisionRefusal()
  const { id, version } = question
  const { busy, act } = useAction([officeQuestions, officeMe])
  return (
    <div className="acts">
      <Button
        icon="check"
        disabled={refusal}
        busy={busy}
        onClick={() => void act(() => call(acceptQuestion, { body: { id, version } }), t('acceptDone'))}>
        {t('accept')}
      </Button>
      <Button kind="danger" disabled={refusal} onClick={onDecline}>
        {t('decline')}
      </Button>
      {!refusal && (
        <AssignMenu kind="question" ids={[id]} current={question.assignee} of={shortened(question)} />
      )}
    </div>
  )
}
