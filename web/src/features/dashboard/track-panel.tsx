import {
  type SeasonTrackAnswer,
  type Step,
  type StepKey,
  seasonTrack,
} from '@podium/contract/dashboard/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import { carryOverOffer } from '@podium/contract/students/calls-carry-over'
import { Link } from '@tanstack/react-router'
import { dayText, keepDatesTogether } from '#shell/format.tsx'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { SchoolMoney } from '#shell/school-money.tsx'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { NextStep, SeasonTrack } from '#ui/season-track.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isUnopened, words } from './panels.tsx'

/** The page where a step is done; only existing pages. */
const places: Partial<Record<StepKey, string>> = {
  students: paths.studentEntry,
  payment: paths.managePayment,
  dates: paths.examDate,
  signoff: paths.signOff,
  results: paths.viewResult,
}

function useStepFact() {
  const t = words.use()
  return ({ key, state, day, count: n }: Step, owes: boolean): string => {
    switch (key) {
      case 'school':
        return dayText(day)
      case 'students':
        return n ? t('studentsEntered', { n }) : t('studentsNone')
      case 'books':
        return n ? t('booksOrdered', { n }) : t('booksNone')
      case 'payment':
        if (state === 'done') return t(owes ? 'paymentDoneButLibrary' : 'paymentDone')
        return state === 'now' ? t('dueOn', { day: dayText(day) }) : t('paymentLater')
      case 'dates':
        if (n) return t('datesChosen', { n })
        return t(state === 'done' ? 'datesNone' : 'datesLater')
      case 'signoff':
        if (n) return t('listsSigned', { n })
        return t(state === 'done' ? 'listsClosed' : 'listsOpen')
      case 'results':
        return state === 'done' ? t('resultsOut') : t('resultsFrom', { day: dayText(day) })
    }
  }
}

/** The season in steps, and the next one with its amount and one button. */
export function TrackPanel() {
  const t = words.use()
  const season = useSeason()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  const fact = useStepFact()
  const next = track.data?.next
  const mayCarry = next?.key === 'students' || next?.key === 'payment'
  const offer = useEndpoint(carryOverOffer, { query: { FYear: season }, enabled: mayCarry })
  if (isUnopened(track.error) && !track.data) return <NotOpened season={season} />
  if (track.isError && !track.data) {
    return <PanelProblem error={track.error} retry={() => track.refetch()} />
  }
  if (!track.data || (mayCarry && offer.isPending)) return <Skeleton shape="cards" rows={1} />
  const { money, rejected } = track.data
  const steps = track.data.steps.map((step) => {
    const to = step.state === 'later' ? undefined : places[step.key]
    return {
      key: step.key,
      state: step.state,
      label: t(step.key),
      fact: fact(step, money.total > 0),
      ...(to ? { link: (inside: React.ReactNode) => <Link to={to}>{inside}</Link> } : {}),
    }
  })
  const carry = mayCarry && offer.data?.offered ? offer.data : undefined
  // If everything can be paid now, the step itself says how much.
  const isAmountShown = next?.key === 'payment' && !rejected && !carry && money.total === money.payNow
  return (
    <Panel padded={false}>
      {rejected ? (
        <NextRejected rejected={rejected} />
      ) : carry ? (
        <NextCarry offer={carry} />
      ) : (
        next && <Next next={next} money={money} examsFrom={track.data.examsFrom} />
      )}
      {money.total > 0 && !isAmountShown && (
        <div className="track-money row bottom between gap-5">
          <SchoolMoney money={money} />
          {(rejected || carry || next?.key !== 'payment') && (
            <Link to={paths.managePayment}>{t('toPayments')}</Link>
          )}
        </div>
      )}
      <SeasonTrack label={t('track')} steps={steps} />
    </Panel>
  )
}

/** From April, until the office has opened the new season. */
function NotOpened({ season }: { season: string }) {
  const t = words.use()
  return (
    <Panel padded={false}>
      <EmptyState icon="clock" title={t('notOpened', { season })}>
        {t('notOpenedText')}
      </EmptyState>
    </Panel>
  )
}

function NextRejected({ rejected }: { rejected: NonNullable<SeasonTrackAnswer['rejected']> }) {
  const t = words.use()
  return (
    <NextStep
      kind="bad"
      title={t('nextRejected', { amount: formatRupees(rejected.amount) })}
      action={<StepLink to={paths.managePayment}>{t('sendAgain')}</StepLink>}>
      {t('nextRejectedHint', { reason: rejected.reason })}
    </NextStep>
  )
}

/** Most of this season's students are last season's, so carrying them over comes before paying for the others. */
function NextCarry({ offer: { left: n, fromSeason: from } }: { offer: AnswerOf<typeof carryOverOffer> }) {
  const t = words.use()
  return (
    <NextStep
      title={t('nextCarry', { n, from })}
      action={<StepLink to={paths.carryOver}>{t('toCarry')}</StepLink>}>
      {t('nextCarryHint')}
    </NextStep>
  )
}

type NextOf = NonNullable<SeasonTrackAnswer['next']>

function useDaysLeft() {
  const t = words.use()
  return (days: number | null) => {
    if (days === null) return undefined
    if (days < 0) return t('over')
    return days === 0 ? t('today') : t('daysLeft', { n: days })
  }
}

type NextProps = { next: NextOf } & Pick<SeasonTrackAnswer, 'money' | 'examsFrom'>

function Next({ next, money, examsFrom }: NextProps) {
  const t = words.use()
  const daysLeft = useDaysLeft()
  const until = dayText(next.until)
  if (next.key === 'students') {
    const closed = next.daysLeft !== null && next.daysLeft < 0
    return (
      <NextStep
        title={t('nextStudents')}
        amount={closed ? undefined : daysLeft(next.daysLeft)}
        action={!closed && <StepLink to={paths.studentEntry}>{t('toStudents')}</StepLink>}>
        {keepDatesTogether(t(closed ? 'nextStudentsClosed' : 'nextStudentsHint', { until }))}
      </NextStep>
    )
  }
  if (next.key === 'payment') return <NextPayment next={next} money={money} />
  // Also while dates of other exams are still to be chosen.
  if (next.attendance > 0) {
    return (
      <NextStep
        title={t('nextAttendance')}
        action={<StepLink to={paths.attendance}>{t('toAttendance')}</StepLink>}>
        {t('nextAttendanceHint', { n: next.attendance })}
      </NextStep>
    )
  }
  if (next.key === 'dates') {
    return (
      <NextStep title={t('nextDates')} action={<StepLink to={paths.examDate}>{t('toDates')}</StepLink>}>
        {t('nextDatesHint')}
      </NextStep>
    )
  }
  if (next.key === 'signoff') {
    return (
      <NextStep
        title={t('nextSignOff')}
        amount={daysLeft(next.daysLeft)}
        action={<StepLink to={paths.signOff}>{t('toSignOff')}</StepLink>}>
        {keepDatesTogether(t('nextSignOffHint', { until }))}
      </NextStep>
    )
  }
  const begun = examsFrom !== null && examsFrom <= istDay(new Date())
  return (
    <NextStep title={t(begun ? 'nextResultsAwaited' : 'nextResults')}>
      {keepDatesTogether(t('nextResultsHint', { until }))}
    </NextStep>
  )
}

function NextPayment({ next, money }: { next: NextOf; money: SeasonTrackAnswer['money'] }) {
  const t = words.use()
  const go = <StepLink to={paths.managePayment}>{t('toPayments')}</StepLink>
  if (!next.payable) {
    return (
      <NextStep title={t('nextVerified')} action={go}>
        {t(money.payLater > 0 ? 'nextPaymentAllLater' : 'nextVerifiedHint')}
      </NextStep>
    )
  }
  const values = {
    students: t('studentsN', { n: next.students }),
    entries: t('entriesN', { n: next.entries }),
    books: t('booksN', { n: next.books }),
  }
  const payableText = next.retained
    ? t('payableHint', { retained: formatRupees(next.retained) })
    : t('payableAll')
  const key =
    next.students === 0
      ? 'nextPaymentLibrary'
      : next.entries === 0
        ? 'nextPaymentBooks'
        : next.books > 0
          ? 'nextPaymentAll'
          : 'nextPaymentHint'
  return (
    <NextStep
      title={t('nextPayment')}
      amount={formatRupees(next.payable)}
      amountHint={payableText}
      action={go}>
      {t(key, values)}
    </NextStep>
  )
}

function StepLink({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <Link to={to} className={`${buttonClass('primary')} big`}>
      {children}
    </Link>
  )
}
