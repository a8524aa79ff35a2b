import {
  type Deadline,
  deadlines,
  studentsByClass,
  studentsBySubject,
} from '@podium/contract/dashboard/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { count, dayText, keepDatesTogether } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { type Bar, BarChart } from '#ui/bar-chart.tsx'
import { buttonClass, Segmented } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/dashboard.json'

/** The words of the dashboard. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/dashboard.json'))

type T = ReturnType<typeof words.use>

const titles = {
  payment: 'deadlinePayment',
  enrolment: 'deadlineEnrolment',
  late: 'deadlineNoLate',
  dates: 'deadlineDates',
  invitations: 'deadlineInvitations',
} as const satisfies Record<Deadline['kind'], string>

function titleOf(t: T, { kind, day, daysLeft }: Deadline): string {
  return t(kind === 'payment' && daysLeft < 0 ? 'deadlineLate' : titles[kind], { day: dayText(day) })
}

/** Returns “Mathematics”, “Mathematics, Science” or “14 olympiads”. */
function namesOf(t: T, subjects: readonly string[]): string {
  return subjects.length <= 3 ? subjects.join(', ') : t('olympiads', { n: subjects.length })
}

function factOf(t: T, { kind, subjects, later, amount, unpaid }: Deadline): string {
  // The next step says how much, in the words used on every page.
  if (kind === 'payment') return ''
  if (kind === 'late') {
    const sentences = [t('deadlineLateHint', { names: namesOf(t, subjects), amount: formatRupees(amount) })]
    if (later > 0) sentences.push(t('deadlineMore', { n: later }))
    return sentences.join(' ')
  }
  const sentences = [
    t(kind === 'enrolment' ? 'deadlineClosing' : 'deadlineOpen', { names: namesOf(t, subjects) }),
  ]
  if (unpaid > 0) sentences.push(t('deadlineUnpaid'))
  if (later > 0) sentences.push(t('deadlineMore', { n: later }))
  return sentences.join(' ')
}

/**
 * Returns the link where something can be done about a deadline: for a date that waits for a payment, the payment.
 */
function placeOf(t: T, { kind, season, subjects, unpaid }: Deadline) {
  return { ...pageOf(t, { kind, subjects, unpaid }), search: { season } }
}

function pageOf(t: T, { kind, subjects, unpaid }: Pick<Deadline, 'kind' | 'subjects' | 'unpaid'>) {
  if (kind === 'enrolment' || kind === 'late') return { to: paths.studentEntry, label: t('toStudents') }
  if (kind === 'invitations') return { to: paths.nextLevel, label: t('toInvitations') }
  if (kind === 'dates' && unpaid < subjects.length) return { to: paths.examDate, label: t('toDates') }
  return { to: paths.managePayment, label: t('toPayments') }
}

/** Returns “9 days left”, “today” or “5 days late”, short enough for a list. */
function daysLeftText(t: T, daysLeft: number): string {
  if (daysLeft === 0) return t('today')
  return daysLeft < 0 ? t('daysLate', { n: -daysLeft }) : t('daysLeft', { n: daysLeft })
}

/** Whether a season can't be shown because the office has not opened it yet. */
export const isUnopened = (error: Error | null) => error instanceof CallError && error.code === 'not_found'

/** The next deadline, the days left, and one link to act; the other deadlines below it. */
export function DeadlinePanel() {
  const t = words.use()
  const season = useSeason()
  const query = useEndpoint(deadlines, { query: { FYear: season } })
  if (query.isError && !query.data) {
    return (
      <Panel padded={false} className="deadline-panel">
        <LoadProblem error={query.error} retry={() => query.refetch()} />
      </Panel>
    )
  }
  if (!query.data) return <Skeleton shape="cards" rows={1} />
  const [first, ...laterDeadlines] = query.data.data
  return (
    <Panel padded={false} className="deadline-panel">
      {first ? <NextDeadline deadline={first} /> : <NoDeadline />}
      {laterDeadlines.length > 0 && (
        <ul className="later" aria-label={t('deadlinesLater')}>
          {laterDeadlines.map((deadline) => (
            <LaterDeadline key={`${deadline.kind}${deadline.day}`} deadline={deadline} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function NextDeadline({ deadline }: { deadline: Deadline }) {
  const t = words.use()
  const { daysLeft } = deadline
  const fact = factOf(t, deadline)
  const place = placeOf(t, deadline)
  const urgent = daysLeft < 0 ? 'late' : daysLeft <= 7 ? 'soon' : ''
  return (
    <div className="first">
      <p className={`left ${urgent}`}>
        {daysLeft === 0 ? (
          <b>{t('todayShort')}</b>
        ) : (
          <>
            <b>{count(Math.abs(daysLeft))}</b>
            <span>{t(daysLeft < 0 ? 'daysLateWord' : 'daysLeftWord', { n: Math.abs(daysLeft) })}</span>
          </>
        )}
      </p>
      <div className="say">
        <span className="k">{t('deadlineNext')}</span>
        <h2>{keepDatesTogether(titleOf(t, deadline))}</h2>
        {fact !== '' && <p>{fact}</p>}
      </div>
      <Link to={place.to} search={place.search as never} className={buttonClass('secondary')}>
        {place.label}
      </Link>
    </div>
  )
}

function LaterDeadline({ deadline }: { deadline: Deadline }) {
  const t = words.use()
  const place = placeOf(t, deadline)
  return (
    <li>
      <span className={deadline.daysLeft < 0 ? 'when late' : 'when'}>
        {daysLeftText(t, deadline.daysLeft)}
      </span>
      <span className="what">{keepDatesTogether(titleOf(t, deadline))}</span>
      <Link to={place.to} search={place.search as never}>
        {place.label}
      </Link>
    </li>
  )
}

function NoDeadline() {
  const t = words.use()
  return (
    <div className="first none">
      <Icon name="ok" />
      <div className="say">
        <h2>{t('deadlineNone')}</h2>
      </div>
    </div>
  )
}

type SubjectCount = AnswerOf<typeof studentsBySubject>['data'][number]

const bar = (key: string, label: string, total: number, paid: number): Bar => ({
  key,
  label,
  solid: paid,
  hatched: total - paid,
})

/** Returns the bars. Little-star subjects share one: a school has few students in each. */
function barsOf(counted: readonly SubjectCount[], littleName: (n: number) => string): Bar[] {
  const upper = counted
    .filter((c) => !c.littleStar)
    .map((c) => bar(c.eventLetter, translateSentence(c.subjectName), c.total, c.paid))
  const little = counted.filter((c) => c.littleStar)
  if (little.length === 0) return upper
  const sum = (pick: (c: SubjectCount) => number) => little.reduce((total, c) => total + pick(c), 0)
  return [
    ...upper,
    bar(
      'little',
      littleName(little.length),
      sum((c) => c.total),
      sum((c) => c.paid),
    ),
  ]
}

/** Students per subject or per class, paid and unpaid, as bars or as a table. */
export function SubjectsPanel() {
  const t = words.use()
  const [by, setBy] = useState<'subject' | 'class'>('subject')
  const choice = (
    <div className="chart-choice">
      <Segmented
        label={t('chartBy')}
        value={by}
        choices={[
          { value: 'subject', label: t('chartBySubject') },
          { value: 'class', label: t('chartByClass') },
        ]}
        onChange={setBy}
      />
    </div>
  )
  return by === 'subject' ? <BySubject choice={choice} /> : <ByClass choice={choice} />
}

function BySubject({ choice }: { choice: ReactNode }) {
  const t = words.use()
  const season = useSeason()
  const query = useEndpoint(studentsBySubject, { query: { FYear: season } })
  const bars = query.data && barsOf(query.data.data, (n) => t('littleStar', { n }))
  return <Chart query={query} title={t('bySubject')} label={t('subject')} bars={bars} choice={choice} />
}

function ByClass({ choice }: { choice: ReactNode }) {
  const t = words.use()
  const season = useSeason()
  const query = useEndpoint(studentsByClass, { query: { FYear: season } })
  const bars = query.data?.data.map((c) =>
    bar(String(c.classId), translateSentence(c.className), c.total, c.paid),
  )
  return <Chart query={query} title={t('byClass')} label={t('class')} bars={bars} choice={choice} />
}

interface ChartProps {
  query: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown }
  title: string
  /** Heading of the table's first column */
  label: string
  bars: readonly Bar[] | undefined
  choice: ReactNode
}

function Chart({ query, title, label, bars, choice }: ChartProps) {
  const t = words.use()
  if (!bars || bars.length === 0) {
    return (
      <Panel title={title} padded={!query.isError}>
        {query.isPending && <Skeleton shape="text" rows={5} />}
        {query.isError && query.error && <LoadProblem error={query.error} retry={() => query.refetch()} />}
        {bars?.length === 0 && <p className="quiet">{t('noStudents')}</p>}
      </Panel>
    )
  }
  return (
    <BarChart
      title={title}
      choice={choice}
      bars={bars}
      solidName={t('paid')}
      hatchedName={t('unpaid')}
      labelName={label}
      totalName={t('all')}
    />
  )
}
