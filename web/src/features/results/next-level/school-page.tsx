import './next-level.css'
import {
  answerInvitations,
  type InvitationAnswer,
  type InvitedChild,
  type SchoolInvitations,
  schoolInvitations,
} from '@podium/contract/results/calls-next-level'
import { Link, useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '#shell/call.ts'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { Day, dayText, keepDatesTogether, nothing } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass, Segmented } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { usePrinting } from '#ui/pager.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/results-next-level.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/results-next-level.json'))

const LeaveDialog = lazyDialog(() => import('#shell/leave-dialog.tsx'), 'LeaveDialog')

const isOpen = (child: InvitedChild) => !child.withdrawn && child.answer === ''

/** The page with the school's students who are invited to the next level, and its answers. */
export function SchoolInvitationsPage() {
  const t = words.use()
  const season = useSeason()
  const user = useSession()
  const { data, error, refetch } = useEndpoint(schoolInvitations, { query: { FYear: season } })
  const unsent = useRef<ReadonlyMap<number, number>>(new Map())
  const isLost = () => [...unsent.current.values()].some((n) => n > 0)
  // As useLeavePageQuestion does; the shell's form would take this page over its size limit.
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isLost(),
    enableBeforeUnload: isLost,
    withResolver: true,
  })
  if (error && !data) return <PageProblem title={t('title')} error={error} retry={refetch} />
  const children = data?.data.flatMap((event) => event.children.filter(({ withdrawn }) => !withdrawn)) ?? []
  return (
    <div className="stack">
      <PageHeader
        title={t('title')}
        fact={
          data &&
          (children.length > 0
            ? t('fact', { n: children.length, open: children.filter(isOpen).length })
            : null)
        }
      />
      <p className="print-only">
        {t('printed', {
          school: user?.schName ?? '',
          code: user?.schCode ?? '',
          season,
          day: dayText(new Date().toISOString()),
        })}
      </p>
      {!data && <Skeleton shape="table" rows={4} />}
      {data?.data.length === 0 && (
        <Panel padded={false}>
          <EmptyState
            icon="medal"
            title={t('none')}
            actions={
              <Link to={paths.viewResult} className={buttonClass('secondary')}>
                {t('toResults')}
              </Link>
            }>
            {t('noneHint')}
          </EmptyState>
        </Panel>
      )}
      {data?.data.map((event) => (
        <Invitations
          key={event.eventYearId}
          event={event}
          onUnsent={(n) => {
            unsent.current = new Map(unsent.current).set(event.eventYearId, n)
          }}
        />
      ))}
      {leaving.status === 'blocked' && (
        <LeaveDialog draftSaved={false} onLeave={leaving.proceed} onStay={leaving.reset} />
      )}
    </div>
  )
}

interface AnswerInput {
  answer: InvitationAnswer
  note: string
}

const pageSize = 20

interface InvitationsProps {
  event: SchoolInvitations
  /** How many answers would be lost */
  onUnsent: (n: number) => void
}

/**
 * The invitations of one subject: students, deadline and the school's answers. Unsent answers are held here, so that
 * they survive a change of page in the list.
 */
function Invitations({ event, onUnsent }: InvitationsProps) {
  const t = words.use()
  const translate = useSentences()
  const reason = useDisabledReason()
  const [unsavedAnswers, setUnsavedAnswers] = useState<ReadonlyMap<number, AnswerInput>>(new Map())
  const [requestedPage, setPage] = useState(1)
  const printing = usePrinting()
  const { eventYearId, level, children } = event
  const page = Math.min(requestedPage, Math.max(1, Math.ceil(children.length / pageSize)))
  const subjectName = translate(event.subjectName)
  const disabled = reason(event.can.answer)
  const changed = children.flatMap(({ studentId, withdrawn, answer: was, note }) => {
    const input = unsavedAnswers.get(studentId)
    const differs = input && (was !== input.answer || (input.answer === 'no' && note !== input.note))
    return differs && !withdrawn ? [{ studentId, was, ...input }] : []
  })
  const lost = disabled === false ? changed.length : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it changes
  useEffect(() => {
    onUnsent(lost)
    return () => onUnsent(0)
  }, [lost])
  const { busy, act } = useAction([schoolInvitations])
  const setAnswer = (studentId: number, input: AnswerInput) =>
    setUnsavedAnswers(new Map(unsavedAnswers).set(studentId, input))
  const unanswered = children.filter((child) => isOpen(child) && !unsavedAnswers.has(child.studentId))
  const answerAll = (of: readonly InvitedChild[], answer: InvitationAnswer) =>
    setUnsavedAnswers(
      new Map([...unsavedAnswers, ...of.map(({ studentId }) => [studentId, { answer, note: '' }] as const)]),
    )
  const submit = async () => {
    const isSaved = await act(
      () => call(answerInvitations, { body: { eventYearId, answers: changed } }),
      ({ answered }) => t('saved', { n: answered }),
    )
    // What was marked while these were sent is still to be sent.
    const wasSent = ([studentId, input]: [number, AnswerInput]) => unsavedAnswers.get(studentId) === input
    if (isSaved) setUnsavedAnswers((now) => new Map([...now].filter((marked) => !wasSent(marked))))
  }
  return (
    <Panel
      title={t('leads', { subject: subjectName, level })}
      padded={false}
      aside={<AnswerDeadline event={event} />}
      foot={
        disabled === false && (
          <div className="nl-foot row">
            <p aria-live="polite">
              {changed.length > 0
                ? t('unsaved', { n: changed.length })
                : unanswered.length > 0
                  ? t('open', { n: unanswered.length })
                  : t('allAnswered')}
            </p>
            {changed.length > 0 && (
              <Button kind="text" onClick={() => setUnsavedAnswers(new Map())}>
                {t('discard')}
              </Button>
            )}
            {unanswered.length > 1 && (
              <Button onClick={() => answerAll(unanswered, 'yes')}>{t('all')}</Button>
            )}
            <Button
              kind="primary"
              busy={busy}
              disabled={changed.length === 0 ? t('nothingToSave') : false}
              onClick={() => void submit()}>
              {t('save', { n: changed.length })}
            </Button>
          </div>
        )
      }>
      <div className="pad stack">
        {disabled ? (
          <Note kind="due">{keepDatesTogether(t('over', { day: dayText(event.answerBy) }))}</Note>
        ) : (
          <p>{t('until', { day: dayText(event.answerBy) })}</p>
        )}
        {event.examDates.length > 0 && <p>{t('exam', { days: event.examDates.map(dayText).join(', ') })}</p>}
        {event.note && <p className="nl-note">{event.note}</p>}
      </div>
      <DataTable
        caption={t('caption', { subject: subjectName, level })}
        className="inset nl-answers"
        rows={printing ? children : children.slice((page - 1) * pageSize, page * pageSize)}
        rowKey={(row) => String(row.studentId)}
        gone={(row) => row.withdrawn}
        folds={nameWithRoll}
        group={({ className }) => ({
          key: className,
          heading: (
            <ClassHead
              name={translateSentence(className)}
              closed={disabled !== false}
              unanswered={unanswered.filter((child) => child.className === className)}
              answerAll={answerAll}
            />
          ),
        })}
        {...(children.length > pageSize
          ? { paging: { total: children.length, page, size: pageSize, onPage: setPage } }
          : {})}
        empty={<EmptyState icon="users">{t('none')}</EmptyState>}
        columns={useColumns(event.eventYearId, unsavedAnswers, setAnswer, disabled !== false)}
      />
    </Panel>
  )
}

interface ClassHeadProps {
  name: string
  closed: boolean
  unanswered: readonly InvitedChild[]
  answerAll: (of: readonly InvitedChild[], answer: InvitationAnswer) => void
}

/** The heading of a class, with one answer for all its unanswered students, on whichever page of the list they are. */
function ClassHead({ name, closed, unanswered, answerAll }: ClassHeadProps) {
  const t = words.use()
  const n = unanswered.length
  const disabled = n === 0 && t('allAnswered')
  return (
    <div className="nl-class row between">
      <span>
        {name}
        {n > 0 && <span className="quiet"> {t('classOpen', { n })}</span>}
      </span>
      {!closed && (
        <span className="row inline gap-2">
          {(['yes', 'no'] as const).map((answer) => (
            <Button
              key={answer}
              className="sm"
              disabled={disabled}
              aria-label={t(answer === 'yes' ? 'classYesOf' : 'classNoOf', { name })}
              onClick={() => answerAll(unanswered, answer)}>
              {t(answer === 'yes' ? 'classYes' : 'classNo')}
            </Button>
          ))}
        </span>
      )}
    </div>
  )
}

/** Two children of a class may have the same name: what is only heard is told apart by the roll number. */
const nameWithRoll = ({ studentName, nioRollNo }: InvitedChild) => `${studentName}, ${nioRollNo}`

function AnswerDeadline({ event }: { event: SchoolInvitations }) {
  const t = words.use()
  const { daysLeft } = event
  if (daysLeft < 0) return null
  return <Badge kind="waiting">{daysLeft === 0 ? t('today') : t('daysLeft', { n: daysLeft })}</Badge>
}

function useColumns(
  eventYearId: number,
  unsavedAnswers: ReadonlyMap<number, AnswerInput>,
  setAnswer: (studentId: number, input: AnswerInput) => void,
  closed: boolean,
): Column<InvitedChild>[] {
  const t = words.use()
  return columnsOf(t, [
    { key: 'student', title: true, cell: (row) => row.studentName },
    {
      key: 'class',
      card: 'beside',
      cell: (row) => `${translateSentence(row.className)}${row.section === '-' ? '' : ` ${row.section}`}`,
    },
    { key: 'rollNo', card: 'said', cell: (row) => <span className="num nowrap">{row.nioRollNo}</span> },
    {
      key: 'answer',
      card: 'lead',
      cell: (row) => {
        if (row.withdrawn) return lines(<Badge kind="inactive">{t('withdrawn')}</Badge>, t('withdrawnHint'))
        // What was not sent in time is no answer.
        if (closed) return row.answer === '' ? nothing : <Badge kind={row.answer}>{t(row.answer)}</Badge>
        const now = unsavedAnswers.get(row.studentId) ?? { answer: row.answer, note: row.note }
        return (
          <>
            <Segmented
              label={t('answerOf', { name: nameWithRoll(row) })}
              value={now.answer}
              choices={[
                { value: 'yes', label: t('yes') },
                { value: 'no', label: t('no') },
              ]}
              onChange={(answer) => {
                if (answer !== '') setAnswer(row.studentId, { answer, note: now.note })
              }}
            />
            {now.answer === 'no' && (
              <TextField
                className="nl-child-note"
                label={t('noteLabel')}
                aria-label={t('noteOf', { name: nameWithRoll(row) })}
                hint={t('noteHint')}
                maxLength={300}
                id={`note-${eventYearId}-${row.studentId}`}
                value={now.note}
                onChange={(event) =>
                  setAnswer(row.studentId, { answer: 'no', note: event.currentTarget.value })
                }
              />
            )}
          </>
        )
      },
    },
    {
      key: 'answeredBy',
      card: 'wide',
      cell: (row) => (row.answeredAt ? lines(<Day value={row.answeredAt} />, row.answeredBy) : nothing),
    },
  ])
}
