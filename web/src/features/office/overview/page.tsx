import { formatRupees } from '@podium/contract/money'
import {
  officeWaiting,
  type SeasonalWaiting,
  type SeasonFigures,
  type FirstSteps as Steps,
} from '@podium/contract/office/calls-overview'
import { parseSeason } from '@podium/contract/season'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '#shell/call.ts'
import { count, dayText, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { BarChart } from '#ui/bar-chart.tsx'
import { Segmented } from '#ui/button.tsx'
import { ColumnChart } from '#ui/column-chart.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/office-overview.json'
import { FewReminders, useProgress, words } from './reminder-list.tsx'
import './overview.css'

type Waiting = Omit<Answer<typeof officeWaiting>, 'result' | 'message'>
type Kind = Exclude<keyof Waiting & keyof typeof en, 'oldest' | 'firstSteps'>

const total = (waits: number | readonly SeasonalWaiting[] | null) =>
  typeof waits === 'number' || waits === null ? (waits ?? 0) : waits.reduce((sum, { n }) => sum + n, 0)

const kinds: readonly { kind: Kind; to: string; search?: Record<string, string> }[] = [
  { kind: 'applications', to: officePaths.applications },
  { kind: 'payments', to: officePaths.payments },
  { kind: 'bankLines', to: officePaths.statements },
  { kind: 'refunds', to: officePaths.credits },
  { kind: 'accounts', to: officePaths.bankAccounts },
  { kind: 'packets', to: officePaths.bookOrders },
  { kind: 'waivers', to: officePaths.waivers },
  { kind: 'results', to: officePaths.results },
  { kind: 'nextLevel', to: officePaths.nextLevel },
  { kind: 'contacts', to: officePaths.schools, search: { contacts: 'waiting' } },
  { kind: 'followUps', to: officePaths.schools, search: { followUp: 'due' } },
  { kind: 'questions', to: officePaths.questions },
  { kind: 'mails', to: officePaths.mails },
  { kind: 'requests', to: officePaths.dataRequests },
  { kind: 'incidents', to: officePaths.incidents },
]

/** Tiles with the number of waiting items by kind, linked to their pages. Leaves out kinds the role may not read. */
function WaitingTiles() {
  const t = words.use()
  // Always refetch, so that finished work is gone when the user comes back.
  const waiting = useQuery({ ...endpointQuery(officeWaiting, {}), staleTime: 0 })
  if (waiting.error && !waiting.data) return <LoadProblem error={waiting.error} retry={waiting.refetch} />
  const { data } = waiting
  if (!data) return <Skeleton shape="text" rows={3} />
  const mine = kinds.filter(({ kind }) => data[kind] !== null)
  // The oldest comes first; kinds with nothing to do share one line.
  const age = (kind: Kind) => data.oldest[kind] ?? '~'
  const shown = mine
    .filter(({ kind }) => total(data[kind]) > 0)
    .sort((a, b) => (age(a.kind) < age(b.kind) ? -1 : age(a.kind) > age(b.kind) ? 1 : 0))
  const done = mine.filter(({ kind }) => total(data[kind]) === 0)
  return (
    <>
      {data.firstSteps && <FirstSteps steps={data.firstSteps} />}
      <section aria-labelledby="overview-waiting">
        <h2 id="overview-waiting">{t('waitingTitle')}</h2>
        {mine.length === 0 && <p className="quiet">{t('nobodyWaits')}</p>}
        {shown.length > 0 && (
          <Tiles>
            {shown.map(({ kind, to, search }) => (
              <WaitingTile
                key={kind}
                kind={kind}
                waits={data[kind] ?? 0}
                oldest={data.oldest[kind]}
                to={to}
                search={search ?? {}}
              />
            ))}
          </Tiles>
        )}
        {done.length > 0 && (
          <p className="quiet">{t('nothingElse', { kinds: done.map(({ kind }) => t(kind)).join(', ') })}</p>
        )}
      </section>
    </>
  )
}

const ways = {
  season: officePaths.catalogue,
  events: officePaths.catalogue,
  people: officePaths.staff,
  accounts: officePaths.bankAccounts,
  open: officePaths.catalogue,
  schools: officePaths.schools,
} as const satisfies Record<keyof Steps, string>

const firstKinds = Object.keys(ways) as (keyof Steps)[]

/** The steps a new office completes before schools can enter students and pay, with their state. */
function FirstSteps({ steps }: { steps: Steps }) {
  const t = words.use()
  return (
    <Panel
      title={t('firstSteps')}
      aside={t('firstFact', { n: firstKinds.filter((kind) => steps[kind]).length, all: firstKinds.length })}
      padded>
      <ol className="ruled">
        {firstKinds.map((kind) => (
          <li key={kind} className="row between one-line gap-4">
            <span>
              <Link to={ways[kind]}>{t(`${kind}Step`)}</Link>
              <span className="under">{t(`${kind}StepHint`)}</span>
            </span>
            <Badge kind={steps[kind] ? 'yes' : 'waiting'}>{t(steps[kind] ? 'stepDone' : 'stepToDo')}</Badge>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

interface TileProps {
  kind: Kind
  /** The number of items, in total or by season */
  waits: number | readonly SeasonalWaiting[]
  /** When the oldest item arrived */
  oldest: string | undefined
  to: string
  search: Record<string, string>
}

/** The tile of one kind, linked to its page and, for seasonal items, to a season that has some. */
function WaitingTile({ kind, waits, oldest, to, search }: TileProps) {
  const t = words.use()
  const router = useRouter()
  const season = useSeason()
  const exists = Object.keys(router.routesByPath).some((path) => path.toLowerCase() === to)
  const inSeasons = typeof waits === 'number' ? [] : waits
  const n = total(waits)
  const days = oldest === undefined ? 0 : Math.floor((Date.now() - Date.parse(oldest)) / 86_400_000)
  const elsewhere = inSeasons.filter(({ FYear }) => FYear !== season)
  const lead = elsewhere.length === inSeasons.length ? parseSeason(elsewhere[0]?.FYear ?? '') : undefined
  const link = <Link to={to} search={{ ...search, ...(lead ? { season: lead } : {}) }} />
  return (
    <Tile
      label={t(kind)}
      value={count(n)}
      meaning={
        <>
          {t(`${kind}Meaning`, { n })}
          {days > 0 && <span className="under">{t('oldestDays', { n: days })}</span>}
          {elsewhere.map(({ FYear, n: those }) => (
            <span key={FYear} className="under">
              {those === n
                ? t('ofSeason', { season: FYear })
                : t('someOfSeason', { season: FYear, n: those })}
            </span>
          ))}
        </>
      }
      link={exists ? link : undefined}
    />
  )
}

/** The season's progress from the last count. */
export function Progress() {
  const t = words.use()
  const season = useSeason()
  const { data, error, refetch } = useProgress(season)
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={6} />
  return (
    <section aria-labelledby="overview-progress">
      <div className="overview-head">
        <h2 id="overview-progress">{t('progress', { season })}</h2>
        {data.figures && (
          <span className="quiet">
            {t('asOf')} <Moment value={data.figures.takenAt} />
            {data.figures.before &&
              ` · ${t('before', { season: data.figures.before.season, day: dayText(data.figures.before.day) })}`}
          </span>
        )}
      </div>
      {data.figures ? (
        <>
          <Figures figures={data.figures} />
          <Charts figures={data.figures} />
        </>
      ) : (
        <p className="quiet" role="status">
          {t('countingFirst')}
        </p>
      )}
    </section>
  )
}

function Figures({ figures }: { figures: SeasonFigures }) {
  const t = words.use()
  const { money, before } = figures
  /** Returns the line under a figure that compares it with a year ago. */
  const beside = (now: number, last: number | undefined, said: (n: number) => string = count) => {
    if (last === undefined) return null
    const key = now > last ? 'moreThanBefore' : now < last ? 'fewerThanBefore' : 'sameAsBefore'
    return <span className="under">{t(key, { n: said(Math.abs(now - last)) })}</span>
  }
  return (
    <Tiles>
      <Tile
        label={t('schools')}
        value={count(figures.entered)}
        meaning={
          <>
            {t('schoolsOf', { n: count(figures.schools) })}
            {beside(figures.entered, before?.entered)}
          </>
        }
      />
      <Tile
        label={t('students')}
        value={count(figures.students)}
        meaning={
          <>
            {t('studentsPaid', { n: count(figures.paid) })}
            {beside(figures.students, before?.students)}
          </>
        }
      />
      <Tile
        label={t('entries')}
        value={count(figures.entries)}
        meaning={
          <>
            {t('entriesMeaning')}
            {beside(figures.entries, before?.entries)}
          </>
        }
      />
      {money && <Tile label={t('due')} value={formatRupees(money.due)} meaning={t('dueMeaning')} />}
      {money && (
        <Tile
          label={t('received')}
          value={formatRupees(money.received)}
          meaning={
            <>
              {t('verifying', { amount: formatRupees(money.verifying) })}
              {beside(money.received, before?.received, formatRupees)}
            </>
          }
        />
      )}
      {money && (
        <Tile
          label={t('feesDue')}
          value={formatRupees(money.outstanding)}
          meaning={t('outstandingMeaning')}
        />
      )}
    </Tiles>
  )
}

/** The office's start page: waiting items, season progress and schools to remind. */
export function OverviewPage() {
  const t = words.use()
  const season = useSeason()
  const readsSchools = useMay('schools.read')
  return (
    <>
      <PageHeader title={t('overview')} fact={t('overviewFact', { season })} />
      <div className="overview stack gap-6" ref={hideAfterSkeleton}>
        <WaitingTiles />
        <Progress key={season} />
        {readsSchools && <FewReminders />}
      </div>
    </>
  )
}

type ChartName = 'day' | 'state' | 'subject'

/** Bar charts of the season by day, state and subject, each with its table. */
function Charts({ figures }: { figures: SeasonFigures }) {
  const t = words.use()
  const language = useLanguage()
  // A past season has no data by day.
  const lately = figures.days.some(({ students, received }) => students > 0 || received > 0)
  const [chart, setChart] = useState<ChartName>(lately ? 'day' : 'state')
  if (figures.students === 0) return <EmptyState icon="users" title={t('nothingEntered')} />
  const choices = [
    { value: 'day', label: t('byDay') },
    { value: 'state', label: t('byState') },
    { value: 'subject', label: t('bySubject') },
  ] as const
  return (
    <div className="stack mt-4">
      <div className="overview-choice">
        <Segmented label={t('plot')} value={chart} choices={choices} onChange={setChart} />
      </div>
      {chart === 'day' && <Days figures={figures} />}
      {chart === 'state' && (
        <PaidBars
          title={t('stateTitle')}
          labelName={t('state')}
          rows={figures.states.map((item) => ({
            ...item,
            key: item.state,
            label: countryName(language, translateSentence(item.state)),
          }))}
        />
      )}
      {chart === 'subject' && (
        <PaidBars
          title={t('subjectTitle')}
          labelName={t('subject')}
          rows={figures.subjects.map((subject) => ({
            ...subject,
            key: subject.letter,
            label: translateSentence(subject.name),
          }))}
        />
      )}
    </div>
  )
}

/** Students entered and money received, side by side, for each day. */
function Days({ figures }: { figures: SeasonFigures }) {
  const t = words.use()
  const { days, money } = figures
  return (
    <div className="two">
      <ColumnChart
        title={t('dayTitle')}
        labelName={t('day')}
        solidName={t('students')}
        nothing={t('noneEntered')}
        bars={days.map(({ day, students }) => ({ key: day, label: dayText(day), solid: students }))}
      />
      {money && (
        <ColumnChart
          title={t('moneyTitle')}
          labelName={t('day')}
          solidName={t('received')}
          nothing={t('noneReceived')}
          format={formatRupees}
          bars={days.map(({ day, received }) => ({ key: day, label: dayText(day), solid: received }))}
        />
      )}
    </div>
  )
}

interface PaidProps {
  title: string
  labelName: string
  rows: readonly { key: string; label: string; students: number; paid: number }[]
}

function PaidBars({ title, labelName, rows }: PaidProps) {
  const t = words.use()
  return (
    <BarChart
      title={title}
      labelName={labelName}
      solidName={t('paid')}
      hatchedName={t('unpaid')}
      totalName={t('all')}
      bars={rows.map(({ key, label, students, paid }) => ({
        key,
        label,
        solid: paid,
        hatched: students - paid,
      }))}
    />
  )
}
