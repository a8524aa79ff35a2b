import {
  dashboardSummary,
  downloadForm,
  type FormKind,
  olympiadDates,
  olympiadFees,
  seasonTrack,
} from '@podium/contract/dashboard/calls'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, startTransition, useDeferredValue, useEffect, useState } from 'react'
import { count, Day, dayText, keepDatesTogether } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { DeadlinePanel, SubjectsPanel, words } from './panels.tsx'
import { TrackPanel } from './track-panel.tsx'
import { useSchoolStatus, WaitingForSchool, WhileWaiting } from './waiting.tsx'
import './dashboard.css'

const forms = [
  ['students', 'formStudents'],
  ['books', 'formBooks'],
  ['school', 'formSchool'],
] as const satisfies ReadonlyArray<readonly [FormKind, string]>

const FamilyFormDialog = lazyPart(() => import('./family-form-dialog.tsx'), 'FamilyFormDialog')

/** The forms as PDF: the school's three, prefilled or blank (blank alone before registration), and the blank one of a class for its families. */
function DownloadsPanel({ waits = false }: { waits?: boolean }) {
  const t = words.use()
  const season = useSeason()
  const dates = useEndpoint(olympiadDates, { query: { FYear: season } })
  const [asking, setAsking] = useState(false)
  const { busy, fetchFile } = useDownloads<string>()
  const fetchForm = (form: FormKind, blank: '0' | '1') =>
    fetchFile(`${form} ${blank}`, downloadForm, { query: { FYear: season, form, blank } })
  if (dates.isPending) return <Skeleton shape="table" rows={4} />
  if (dates.data?.forms === false) {
    return (
      <Panel title={t('downloads')}>
        <p className="quiet">{t('formsNotOpened', { season })}</p>
      </Panel>
    )
  }
  return (
    <Panel title={t('downloads')} padded={false}>
      <ul className="downloads">
        {forms.map(([form, name]) => (
          <li key={form}>
            <Icon name="file" />
            <span>{t(name)}</span>
            {(waits ? (['1'] as const) : (['0', '1'] as const)).map((blank) => (
              <button
                key={blank}
                type="button"
                className="lk"
                onClick={() => busy !== `${form} ${blank}` && void fetchForm(form, blank)}
                aria-busy={busy === `${form} ${blank}` || undefined}>
                {t(blank === '1' ? 'blank' : 'filled')}
                <span className="sr">, {t(name)}</span>
              </button>
            ))}
          </li>
        ))}
        <li>
          <Icon name="users" />
          <span>
            {t('formFamily')}
            <small>{t('formFamilyFact')}</small>
          </span>
          <Button
            aria-label={t('chooseFamily')}
            onClick={() => startTransition(() => setAsking(true))}
            onPointerEnter={() => void FamilyFormDialog.load()}>
            {t('choose')}
          </Button>
        </li>
      </ul>
      <Suspense>{asking && <FamilyFormDialog season={season} onClose={() => setAsking(false)} />}</Suspense>
    </Panel>
  )
}

interface DashboardProps {
  /** What the user is asked to answer, provided by another feature. */
  asked: ReactNode
  /** The foundation's notices, provided by another feature. */
  notices: ReactNode
  /** The school detail dialog, provided by another feature. */
  schoolDialog: (close: () => void) => ReactNode
}

/** The dashboard: for a registered school, or for a user still registering one. */
export function Dashboard({ asked, notices, schoolDialog }: DashboardProps) {
  const hasSchool = Boolean(useSession()?.schId)
  if (!hasSchool) return <NewcomerDashboard schoolDialog={schoolDialog} />
  return <SchoolDashboard asked={asked} notices={notices} />
}

/** For users without a school, or with a rejected one: the school detail dialog opens by itself, once per visit. */
function NewcomerDashboard({ schoolDialog }: Pick<DashboardProps, 'schoolDialog'>) {
  const t = words.use()
  const season = useSeason()
  const status = useSchoolStatus()
  const [open, setOpen] = useState(false)
  const state = status.details?.state
  const mustRegister = state === 'none' || state === 'rejected'
  useEffect(() => {
    if (mustRegister) setOpen(true)
  }, [mustRegister])
  const close = () => {
    setOpen(false)
    void status.refetch()
  }
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      <div className="stack dash-waiting" ref={hideAfterSkeleton}>
        <WaitingForSchool status={status} onRegister={() => setOpen(true)} />
        {state === 'pending' && (
          <>
            <WhileWaiting />
            <DownloadsPanel waits />
          </>
        )}
        <DatesPanel />
        {state === 'pending' && <FeesPanel />}
      </div>
      {open && schoolDialog(close)}
    </>
  )
}

const placeholderDay = '2026-12-31'

function SchoolDashboard({ asked, notices }: Pick<DashboardProps, 'asked' | 'notices'>) {
  const t = words.use()
  const season = useSeason()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  const { examsFrom, resultsFrom } = track.data ?? {}
  // A placeholder date keeps the space of the real ones.
  const days = track.isPending ? [placeholderDay, placeholderDay] : [examsFrom, resultsFrom]
  const [exams, results] = days.map((day) => day && dayText(day))
  const ofSeason = t('fact', { season })
  const dates = exams && results ? t('factDates', { exams, results }) : ''
  // Everything below is hidden until the season's steps are loaded, so it is left out of the first render.
  const whole = useDeferredValue(true, false)
  const fact = (
    <>
      {ofSeason}{' '}
      <span style={track.isPending ? { visibility: 'hidden' } : {}}>{keepDatesTogether(dates)}</span>
    </>
  )
  return (
    <>
      <PageHeader title={t('title')} fact={fact} />
      <div className="dash" ref={hideAfterSkeleton}>
        {asked}
        <Totals />
        <TrackPanel />
        {whole && (
          <div className="two dash-two mt-5" ref={hideAfterSkeleton}>
            <div className="stack dash-now" ref={hideAfterSkeleton}>
              <DeadlinePanel />
              <Suspense fallback={<Skeleton shape="text" rows={0} />}>{notices}</Suspense>
              <DownloadsPanel />
            </div>
            <div className="stack" ref={hideAfterSkeleton}>
              <DatesPanel />
              <SubjectsPanel />
            </div>
          </div>
        )}
      </div>
    </>
  )
}

/** Four figures, each with a sentence that explains it. */
function Totals() {
  const t = words.use()
  const season = useSeason()
  const summary = useEndpoint(dashboardSummary, { query: { FYear: season } })
  if (summary.isError && !summary.data) {
    return (
      <Panel padded={false} className="totals-failed">
        <LoadProblem error={summary.error} retry={() => summary.refetch()} />
      </Panel>
    )
  }
  const totals = summary.data
  const figure = (n: number | undefined) => (n === undefined ? '…' : count(n))
  return (
    <section className="dash-totals" aria-label={t('totals')} aria-busy={!totals}>
      <Tiles>
        <Tile
          label={t('totalStudents')}
          value={figure(totals?.totalStudent)}
          // A blank line keeps the space, so that nothing below moves.
          meaning={totals ? comparisonText(t, totals.totalStudent, totals.lastSeasonStudent) : '\u00a0'}
          link={<Link to={paths.studentSummary} />}
        />
        <Tile
          label={t('totalBook')}
          value={figure(totals?.totalBook)}
          meaning={totals && totals.bookStudent > 0 && t('studentsWithBooks', { n: totals.bookStudent })}
          link={<Link to={paths.bookSummary} />}
        />
        <Tile
          label={t('teacherQuestions')}
          value={figure(totals?.teacherQuestion)}
          meaning={totals && totals.acceptedQuestion > 0 && t('accepted', { n: totals.acceptedQuestion })}
          link={<Link to={paths.teacherQuestion} />}
        />
        <Tile
          label={t('uniqueVisitors')}
          value={figure(totals?.uniqueVisitor)}
          meaning={totals && totals.uniqueVisitor > 0 && t('families')}
        />
      </Tiles>
    </section>
  )
}

function comparisonText(t: ReturnType<typeof words.use>, now: number, last: number | null): string {
  if (last === null) return t('firstSeason')
  if (now === last) return t('sameAsLast')
  return now > last ? t('moreThanLast', { n: now - last }) : t('fewerThanLast', { n: last - now })
}

/** The two dates of each olympiad. Only offline ones are listed, as specified; the online ones are named below. */
function DatesPanel() {
  const t = words.use()
  const season = useSeason()
  const hasSchool = Boolean(useSession()?.schId)
  const dates = useEndpoint(olympiadDates, { query: { FYear: season } })
  const offline = dates.data?.data.filter((date) => date.examMode === 'Offline')
  const online = dates.data?.data.filter((date) => date.examMode === 'Online') ?? []
  const names = online.map((date) => date.eventName).join(', ')
  return (
    <Panel
      title={t('datesTitle', { season })}
      aside={hasSchool && <Link to={paths.examDate}>{t('toDates')}</Link>}
      padded={false}
      foot={online.length > 0 && <span className="quiet">{t('online', { n: online.length, names })}</span>}>
      {dates.isError && !offline && <LoadProblem error={dates.error} retry={() => dates.refetch()} />}
      {dates.isPending && <Skeleton shape="table" rows={8} />}
      {offline && (
        <OlympiadTable
          caption={t('datesTitle', { season })}
          headings={[t('firstDate'), t('secondDate')]}
          nothing={t('noDates')}
          rows={offline.map(({ eventName, firstDate, secondDate }) => ({
            name: eventName,
            cells: [<Day key="first" value={firstDate} />, <Day key="second" value={secondDate} />],
          }))}
        />
      )}
    </Panel>
  )
}

/** What an entry costs, for users who can't enter students yet. */
function FeesPanel() {
  const t = words.use()
  const season = useSeason()
  const fees = useEndpoint(olympiadFees, { query: { FYear: season } })
  const title = t('feesTitle', { season })
  return (
    <Panel title={title} padded={false} foot={<span className="quiet">{t('feesFoot')}</span>}>
      {fees.isError && !fees.data && <LoadProblem error={fees.error} retry={() => fees.refetch()} />}
      {fees.isPending && <Skeleton shape="table" rows={8} />}
      {fees.data && (
        <OlympiadTable
          caption={title}
          headings={[t('feePerStudent'), t('enterBy')]}
          nothing={t('noFees')}
          rows={fees.data.data.map(({ eventName, from, to, closesOn }) => ({
            name: eventName,
            cells: [
              from === to ? formatRupees(from) : `${formatRupees(from)}–${formatRupees(to)}`,
              <Day key="closes" value={closesOn} />,
            ],
          }))}
        />
      )}
    </Panel>
  )
}

interface OlympiadTableProps {
  caption: string
  headings: readonly string[]
  rows: ReadonlyArray<{ name: string; cells: ReactNode[] }>
  nothing: string
}

/** A small table without paging, sorting or cards, so that the first page loads without the large one. */
function OlympiadTable({ caption, headings, rows, nothing }: OlympiadTableProps) {
  const t = words.use()
  if (rows.length === 0) return <p className="pad quiet">{nothing}</p>
  return (
    <div className="dates">
      <table>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="num">
              {t('serial')}
            </th>
            <th scope="col">{t('olympiad')}</th>
            {headings.map((head) => (
              <th key={head} scope="col" className="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }, index) => (
            <tr key={name}>
              <td className="num">{index + 1}</td>
              <td>{translateSentence(name)}</td>
              {cells.map((cell, index) => (
                <td key={headings[index]} className="num nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
