import type { DateChange, ExamDateSubject } from '@podium/contract/exams/calls'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Day, dayText } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { DateForm } from './date-form.tsx'
import { Papers } from './question-papers.tsx'
import { words } from './words.ts'

type Say = ReturnType<typeof words.use>

const nameOf = (t: Say, { subjectName, examLevel }: ExamDateSubject) =>
  examLevel > 1 ? t('level', { subject: subjectName, level: examLevel }) : subjectName

/** Why the pencil is off, in words with the figures behind it; undefined where it is on. */
function reasonOf(t: Say, { can, totalStudent, paidStudent, until }: ExamDateSubject): string | undefined {
  switch (can) {
    case true:
      return undefined
    case 'exam.unpaid':
      return t('unpaid', { n: totalStudent - paidStudent, all: totalStudent })
    case 'exam.too_late':
      return t('tooLate', { day: dayText(until) })
    default:
      return t('noDates')
  }
}

/** One olympiad: the date chosen or still to choose, the two that are offered, and the pencil. */
export function DateCard({ subject }: { subject: ExamDateSubject }) {
  const t = words.use()
  const say = useSentences()
  const [editing, setEditing] = useState(false)
  const card = useRef<HTMLLIElement>(null)
  const name = nameOf(t, subject)
  const reason = reasonOf(t, subject)
  const close = () => {
    setEditing(false)
    // The form that had the cursor is gone: back to the pencil.
    card.current?.querySelector<HTMLElement>('.who button')?.focus()
  }
  return (
    <li className="panel pad" ref={card}>
      <div className="who">
        <div>
          <h2>{name}</h2>
          <State subject={subject} />
        </div>
        <IconButton
          icon="edit"
          label={t('edit', { subject: name })}
          disabled={reason ?? false}
          aria-expanded={reason ? undefined : editing}
          onClick={() => (editing ? close() : setEditing(true))}
        />
      </div>
      <p className="date">
        {subject.examDate ? <Day value={subject.examDate} /> : <span className="none">{t('noDate')}</span>}
      </p>
      {editing && !reason ? (
        <DateForm subject={subject} say={say} onDone={close} />
      ) : (
        <>
          <Offer subject={subject} />
          <Standing subject={subject} reason={reason} />
        </>
      )}
      {subject.paidStudent > 0 && <Papers subject={subject} name={name} />}
      {subject.history.length > 0 && <History of={subject.history} />}
    </li>
  )
}

function State({ subject: { can, examDateId } }: { subject: ExamDateSubject }) {
  const t = words.use()
  if (examDateId !== null) return <Badge kind="yes">{t('chosen')}</Badge>
  if (can === true) return <Badge kind="waiting">{t('toChoose')}</Badge>
  return can === 'exam.too_late' ? (
    <Badge kind="no">{t('missed')}</Badge>
  ) : (
    <Badge icon="lock">{t('notYet')}</Badge>
  )
}

/** The two dates on offer, the chosen one marked by its word. */
function Offer({ subject }: { subject: ExamDateSubject }) {
  const t = words.use()
  return (
    <dl>
      <div>
        <dt>{t('first')}</dt>
        <dd>
          <Day value={subject.firstDate} />
        </dd>
      </div>
      <div>
        <dt>{t('second')}</dt>
        <dd>
          <Day value={subject.secondDate} />
        </dd>
      </div>
    </dl>
  )
}

function Standing({ subject, reason }: { subject: ExamDateSubject; reason: string | undefined }) {
  const t = words.use()
  const { can, examDateId, until, waitingStudent, freeStudent, totalStudent, paidStudent } = subject
  if (!reason)
    return (
      <p className="quiet">{t(examDateId === null ? 'canChoose' : 'canChange', { day: dayText(until) })}</p>
    )
  if (can !== 'exam.unpaid') return <p className="quiet">{reason}</p>
  return (
    <p className="quiet">
      {reason} {waitingStudent > 0 && `${t('waiting', { n: waitingStudent })} `}
      {freeStudent > 0 && (
        <>
          {t('free', { n: freeStudent })} <Link to={paths.signOff}>{t('toSignOff')}</Link>{' '}
        </>
      )}
      {freeStudent < totalStudent - paidStudent && <Link to={paths.managePayment}>{t('toPayments')}</Link>}
    </p>
  )
}

function History({ of: changes }: { of: readonly DateChange[] }) {
  const t = words.use()
  return (
    <details>
      <summary>{t('history', { n: changes.length })}</summary>
      <ol>
        {changes.map(({ at, by, from, to }) => (
          <li key={`${at} ${to}`}>
            {t(from ? 'lineChanged' : 'lineFirst', {
              at: dayText(at),
              from: dayText(from),
              to: dayText(to),
              by: by === '' ? t('foundation') : by,
            })}
          </li>
        ))}
      </ol>
    </details>
  )
}
