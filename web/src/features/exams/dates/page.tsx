import '../exams.css'
import { signInOptions } from '@podium/contract/accounts/calls'
import { seasonTrack } from '@podium/contract/dashboard/calls'
import {
  type DateChange,
  type ExamDateSubject,
  getExamDates,
  setExamDate,
} from '@podium/contract/exams/calls'
import { type PaperKind, schoolPapers } from '@podium/contract/exams/calls-attendance'
import { messages } from '@podium/contract/messages'
import { daysBetween, istDay } from '@podium/contract/season'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { canRepeat } from '#shell/call-once.ts'
import { Day, dayText, keepDatesTogether, nothing } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { SeasonChoice, useOwnSeason } from '#shell/own-season.tsx'
import { paths } from '#shell/paths.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { settle, showError, useAction } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import type en from '#words/en/exams-dates.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-dates.json'))

/** School/examdate: one row per offline olympiad of a season; one click chooses its date. */
export function ExamDatesPage() {
  const t = words.use()
  const ownSeason = useOwnSeason()
  const { season } = ownSeason
  const dates = useEndpoint(getExamDates, { query: { FYear: season } })
  const [asking, setAsking] = useState(false)
  const subjects = dates.data?.data
  const n = subjects?.filter((subject) => subject.examDateId !== null).length ?? 0
  const chosen = subjects?.length ? t('factChosen', { n, all: subjects.length }) : ''
  const isOver = subjects?.length && subjects.every((subject) => subject.can === 'exam.too_late')
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          <>
            {chosen} <span>{t(isOver ? 'noteOver' : 'note')}</span>
          </>
        }>
        <Button icon="info" onClick={() => setAsking(true)}>
          {t('how')}
        </Button>
      </PageHeader>
      <FilterRow set={0} search={<SeasonChoice of={ownSeason} />} />
      <DatesTable season={season} list={dates} />
      {asking && <HelpDialog onClose={() => setAsking(false)} />}
    </>
  )
}

const papers = [
  { kind: 'attendance', word: 'attendance' },
  { kind: 'answers', word: 'answerList' },
  { kind: 'admit', word: 'admitCards' },
] as const satisfies readonly { kind: PaperKind; word: string }[]

/** What the school prints for the exam day, for its paid students. */
function Papers({ subject, name }: { subject: ExamDateSubject; name: string }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<PaperKind>()
  return (
    <details name="papers">
      <summary>
        {t('print')}
        <span className="sr">, {name}</span>
      </summary>
      <div className="papers">
        {papers.map(({ kind, word }) => (
          <Button
            key={kind}
            kind="text"
            icon="print"
            busy={busy === kind}
            aria-label={t('paperOf', { paper: t(word), subject: name })}
            onClick={() =>
              void fetchFile(kind, schoolPapers, {
                body: { eventManagementId: subject.eventManagementId, kind },
              })
            }>
            {t(word)}
          </Button>
        ))}
      </div>
    </details>
  )
}

type T = ReturnType<typeof words.use>

const nameOf = (t: T, { subjectName, examLevel }: ExamDateSubject) =>
  examLevel > 1 ? t('level', { subject: subjectName, level: examLevel }) : translateSentence(subjectName)

type ExamDates = ReturnType<typeof useEndpoint<typeof getExamDates>>

/** One olympiad per row: its two dates to choose from, until when, and the papers for the day. */
function DatesTable({ season, list }: { season: string; list: ExamDates }) {
  const t = words.use()
  const choice = useChoice(season)
  const date = (position: 'first' | 'second'): Column<ExamDateSubject> => ({
    key: position,
    label: t(position),
    cell: (subject) => <DateOption subject={subject} position={position} choice={choice} />,
  })
  const olympiad = (subject: ExamDateSubject) => (
    <>
      {nameOf(t, subject)} <State subject={subject} step={choice.stepOf(subject)} />
      <BlockedReason subject={subject} />
      {subject.history.length > 0 && <History of={subject.history} />}
    </>
  )
  const columns: Column<ExamDateSubject>[] = columnsOf(t, [
    { key: 'olympiad', title: true, cell: olympiad },
    date('first'),
    date('second'),
    {
      key: 'until',
      cell: ({ can, until }) => (until ? lines(<Day value={until} />, daysLeft(t, can, until)) : nothing),
    },
    {
      key: 'change',
      label: t('examDate'),
      cell: (subject) =>
        subject.can === true && (subject.examDateId === null || choice.isDraft(subject)) ? (
          <Button
            onClick={() => choice.choose(subject, choice.isDraft(subject) ? choice.of(subject) : null)}
            aria-label={t('edit', { subject: nameOf(t, subject) })}>
            {t('change')}
          </Button>
        ) : subject.examDate ? (
          <b>
            <Day value={subject.examDate} />
          </b>
        ) : (
          <span className="quiet">{t('noDate')}</span>
        ),
    },
    {
      key: 'papers',
      card: 'wide',
      cell: (subject) =>
        subject.paidStudent > 0 ? <Papers subject={subject} name={nameOf(t, subject)} /> : nothing,
    },
  ])
  return (
    <ListTable
      list={list}
      caption={t('caption', { season })}
      className="exam-dates"
      columns={columns}
      rowKey={(subject) => `${season} ${subject.eventManagementId}`}
      empty={
        <EmptyState
          icon="calendar"
          title={t('emptyTitle')}
          actions={
            <Link to={paths.studentEntry} className={buttonClass('primary')}>
              {t('toStudents')}
            </Link>
          }>
          {t('emptyText')}
        </EmptyState>
      }
      cardColumns={2}
    />
  )
}

const examDateCalls = [getExamDates, seasonTrack]

/** Chosen dates by olympiad */
type Dates = Readonly<Record<number, number>>

const without =
  (event: number) =>
  ({ [event]: _, ...others }: Dates): Dates =>
    others

/**
 * The chosen dates. A click saves at once, or after the choice before it. An arrow key only moves to the other date;
 * Enter, the space bar or Change then saves it. Change without a date (null) shows a message; so does a refusal, and
 * the list is refetched.
 */
function useChoice(season: string) {
  const t = words.use()
  const translate = useSentences()
  const client = useQueryClient()
  const { act } = useAction(examDateCalls)
  /** Dates being saved, by olympiad: the next one can be chosen meanwhile */
  const [saving, setSaving] = useState<Dates>({})
  /** The last choice of each olympiad, over once it is saved */
  const turns = useRef(new Map<number, Promise<unknown>>())
  /** Dates reached by arrow keys but not saved */
  const [drafts, setDrafts] = useState<Dates>({})
  const byArrow = useRef(false)
  const chosenDateOf = ({ eventManagementId: event, examDateId }: ExamDateSubject) =>
    saving[event] ?? drafts[event] ?? examDateId
  const save = async (eventManagementId: number, examDateId: number) => {
    // As it is by now: the choice before has changed the version.
    const { queryKey } = endpointQuery(getExamDates, { query: { FYear: season } })
    const rows = client.getQueryData(queryKey)?.data
    const version = rows?.find((row) => row.eventManagementId === eventManagementId)?.version
    const set = () => call(setExamDate, { body: { eventManagementId, examDateId, version } })
    const isSaved = await act(
      () =>
        set().catch(async (cause: unknown) => {
          if (!(cause instanceof CallError && canRepeat(cause))) throw cause
          // Only the answer may have been lost: then the date is chosen.
          const { data } = await call(getExamDates, { query: { FYear: season } })
          const now = data.find((row) => row.eventManagementId === eventManagementId)
          if (now?.examDateId !== examDateId) throw cause
          return { message: messages.saved }
        }),
      ({ message }) => translate(message),
    )
    if (isSaved) setDrafts(without(eventManagementId))
    setSaving((dates) =>
      dates[eventManagementId] === examDateId ? without(eventManagementId)(dates) : dates,
    )
  }
  const choose = (subject: ExamDateSubject, examDateId: number | null) => {
    const { eventManagementId: event } = subject
    const action = `date ${event}`
    if (examDateId === null) return showError(translate(messages.selectExamDate), action)
    if (examDateId === (saving[event] ?? subject.examDateId)) return showError(t('chosenAlready'), action)
    settle(action)
    setSaving((dates) => ({ ...dates, [event]: examDateId }))
    const next = () => save(event, examDateId)
    turns.current.set(event, Promise.resolve(turns.current.get(event)).then(next, next))
  }
  return {
    of: chosenDateOf,
    stepOf: ({ eventManagementId: event, examDateId }: ExamDateSubject) =>
      event in saving ? 'saving' : (drafts[event] ?? examDateId) === examDateId ? undefined : 'unsaved',
    isDraft: ({ eventManagementId, examDateId }: ExamDateSubject) =>
      (drafts[eventManagementId] ?? examDateId) !== examDateId,
    choose,
    onPointerDown: () => {
      byArrow.current = false
    },
    onKeyDown: (event: KeyboardEvent, subject: ExamDateSubject, id: number) => {
      byArrow.current = event.key.startsWith('Arrow')
      // The browser itself handles the space bar on a date not yet chosen.
      if (event.key !== 'Enter' && !(event.key === ' ' && chosenDateOf(subject) === id)) return
      event.preventDefault()
      if (id !== subject.examDateId) choose(subject, id)
    },
    onChange: (subject: ExamDateSubject, id: number) => {
      if (byArrow.current) setDrafts((drafts) => ({ ...drafts, [subject.eventManagementId]: id }))
      else choose(subject, id)
    },
  }
}

/** In the last week, how many days are left to choose or change the date. */
function daysLeft(t: T, can: ExamDateSubject['can'], until: string) {
  const n = daysBetween(istDay(new Date()), until)
  if (n < 0 || n > 7 || can === 'exam.too_late') return null
  return <b className="last-days">{n === 0 ? t('lastDay') : t('daysLeft', { n })}</b>
}

interface OptionProps {
  subject: ExamDateSubject
  position: 'first' | 'second'
  choice: ReturnType<typeof useChoice>
}

function DateOption({ subject, position, choice }: OptionProps) {
  const t = words.use()
  const [id, day] =
    position === 'first'
      ? [subject.firstDateId, subject.firstDate]
      : [subject.secondDateId, subject.secondDate]
  if (id === null) return '–'
  const open = subject.can === true
  return (
    <label className={open ? 'date-choice' : 'date-choice off'} onPointerDown={choice.onPointerDown}>
      <input
        type="radio"
        name={`date-${subject.eventManagementId}`}
        checked={choice.of(subject) === id}
        disabled={!open}
        aria-label={t('option', { name: `${nameOf(t, subject)}, ${t(position)}`, day: dayText(day) })}
        onKeyDown={(event) => choice.onKeyDown(event, subject, id)}
        onChange={() => choice.onChange(subject, id)}
      />
      <span aria-hidden="true">
        <Day value={day} />
      </span>
    </label>
  )
}

interface StateProps {
  subject: ExamDateSubject
  step: 'saving' | 'unsaved' | undefined
}

function State({ subject: { can, examDateId }, step }: StateProps) {
  const t = words.use()
  const badge = step && <Badge kind={step === 'saving' ? 'underway' : 'waiting'}>{t(step)}</Badge>
  if (badge) return <span role="status">{badge}</span>
  if (examDateId !== null) return <Badge kind="yes">{t('chosen')}</Badge>
  if (can === true) return <Badge kind="waiting">{t('toChoose')}</Badge>
  return can === 'exam.too_late' ? (
    <Badge kind="no">{t('missed')}</Badge>
  ) : (
    <Badge icon="lock">{t('notYet')}</Badge>
  )
}

/** Why no date can be chosen, with the figures behind it and a link to change that. */
function BlockedReason({ subject }: { subject: ExamDateSubject }) {
  const t = words.use()
  const { can, until, waitingStudent, freeStudent, totalStudent, paidStudent } = subject
  if (can === true) return null
  if (can === 'exam.too_late') return <span className="under">{t('tooLate', { day: dayText(until) })}</span>
  if (can !== 'exam.unpaid') return <span className="under">{t('noDates')}</span>
  return (
    <span className="under">
      {t('unpaid', { n: totalStudent - paidStudent, all: totalStudent })}{' '}
      {waitingStudent > 0 && `${t('waiting', { n: waitingStudent })} `}
      {freeStudent > 0 && (
        <>
          {t('free', { n: freeStudent })} <Link to={paths.signOff}>{t('toSignOff')}</Link>{' '}
        </>
      )}
      {freeStudent < totalStudent - paidStudent && <Link to={paths.managePayment}>{t('toPayments')}</Link>}
    </span>
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
            {keepDatesTogether(
              t(from ? 'lineChanged' : 'lineFirst', {
                at: dayText(at),
                from: dayText(from),
                to: dayText(to),
                by: by === '' ? t('foundation') : by,
              }),
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** How dates are chosen, and whom to ask for changes later. */
function HelpDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const email = useEndpoint(signInOptions).data?.supportEmail
  return (
    <Dialog opened onClose={onClose} title={t('howTitle')} size="small">
      <DialogBody>
        {(['howTwo', 'howPaid', 'howUntil', 'howKept'] as const).map((key) => (
          <p key={key}>{t(key)}</p>
        ))}
        {email && <p>{t('howLate', { email })}</p>}
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
