import { type Deadline, deadlines } from '@podium/contract/dashboard/calls'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { count, dayText, withWholeDays } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'

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

/** «Mathematics», «Mathematics, Science», «14 olympiads». */
function namesOf(t: T, subjects: readonly string[]): string {
  return subjects.length <= 3 ? subjects.join(', ') : t('olympiads', { n: subjects.length })
}

function factOf(t: T, { kind, subjects, later, amount, unpaid }: Deadline): string {
  // How much is said by the next step, in the words of every page.
  if (kind === 'payment') return ''
  if (kind === 'late') {
    const told = [t('deadlineLateSays', { names: namesOf(t, subjects), amount: formatRupees(amount) })]
    if (later > 0) told.push(t('deadlineMore', { n: later }))
    return told.join(' ')
  }
  const says = [t(kind === 'enrolment' ? 'deadlineClosing' : 'deadlineOpen', { names: namesOf(t, subjects) })]
  if (unpaid > 0) says.push(t('deadlineUnpaid'))
  if (later > 0) says.push(t('deadlineMore', { n: later }))
  return says.join(' ')
}

/** The one place where something can be done about it: a date that waits for a payment is reached by paying. */
function placeOf(t: T, { kind, subjects, unpaid }: Deadline): { to: string; label: string } {
  if (kind === 'enrolment' || kind === 'late') return { to: paths.studentEntry, label: t('toStudents') }
  if (kind === 'invitations') return { to: paths.nextLevel, label: t('toInvitations') }
  if (kind === 'dates' && unpaid < subjects.length) return { to: paths.examDate, label: t('toDates') }
  return { to: paths.managePayment, label: t('toPayments') }
}

/** «9 days left», «today», «5 days late», as short as a list of them wants it. */
function leftOf(t: T, daysLeft: number): string {
  if (daysLeft === 0) return t('today')
  return daysLeft < 0 ? t('daysLate', { n: -daysLeft }) : t('daysLeft', { n: daysLeft })
}

/** What ends next, how many days are left to it, and the one link where to act; the others below it. */
export function DeadlinePanel() {
  const t = words.use()
  const season = useSeason()
  const asked = useEndpoint(deadlines, { query: { FYear: season } })
  if (asked.isError && !asked.data) {
    return (
      <Panel padded={false} className="deadline-panel">
        <LoadProblem error={asked.error} retry={() => asked.refetch()} />
      </Panel>
    )
  }
  if (!asked.data) return <Skeleton shape="cards" rows={1} />
  const [first, ...later] = asked.data.data
  return (
    <Panel padded={false} className="deadline-panel">
      {first ? <First deadline={first} /> : <None />}
      {later.length > 0 && (
        <ul className="later" aria-label={t('deadlinesLater')}>
          {later.map((one) => (
            <Later key={`${one.kind}${one.day}`} deadline={one} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function First({ deadline }: { deadline: Deadline }) {
  const t = words.use()
  const { daysLeft } = deadline
  const says = factOf(t, deadline)
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
        <h2>{withWholeDays(titleOf(t, deadline))}</h2>
        {says !== '' && <p>{says}</p>}
      </div>
      <Link to={place.to} className={buttonClass('secondary')}>
        {place.label}
      </Link>
    </div>
  )
}

function Later({ deadline }: { deadline: Deadline }) {
  const t = words.use()
  const place = placeOf(t, deadline)
  return (
    <li>
      <span className={deadline.daysLeft < 0 ? 'when late' : 'when'}>{leftOf(t, deadline.daysLeft)}</span>
      <span className="what">{withWholeDays(titleOf(t, deadline))}</span>
      <Link to={place.to}>{place.label}</Link>
    </li>
  )
}

function None() {
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
