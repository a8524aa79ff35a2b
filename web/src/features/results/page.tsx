import { classCode, classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { explainResult, resultActions, resultEvents, searchResults } from '@podium/contract/results/calls'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { seasons } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import type { NumberedRow } from './columns.tsx'
import { resultFilters } from './filters.ts'
import { PrintHead, ResultActions, ResultFiles } from './result-files.tsx'
import {
  type Choice,
  type ResultEvent,
  type ResultList,
  ResultsView,
  resultsPageSize,
  SchoolCorrections,
  useChoice,
} from './results-view.tsx'
import { WhyPanel } from './why/panel.tsx'
import { words } from './words.ts'
import './results.css'
import '#ui/filters.css'

const CertificatesJob = lazyPart(() => import('./certificates/job.tsx'), 'CertificatesJob')

interface ResultsOfEventProps {
  list: ResultList
  choice: Choice & { event: ResultEvent }
  onPage: (page: number) => void
  /** Tabs and search form, shown between the title and the table. */
  children: ReactNode
}

/** The school's results in one subject, with files, certificates and links. */
function ResultsOfEvent({ list, choice, onPage, children }: ResultsOfEventProps) {
  const t = words.use()
  const schCode = useSession()?.schCode ?? undefined
  const [opened, setOpened] = useState<string>()
  const [printed, setPrinted] = useState<NumberedRow[]>()
  const { event, season, classId, page } = choice
  const search = {
    schCode,
    examLevel: Number(choice.examLevel),
    fyear: season,
    eventYearId: event.eventYearId,
    eventLetter: event.eventLetter,
    classId,
    action: resultActions[list],
  }
  const offset = (Math.max(page, 1) - 1) * resultsPageSize
  const results = useEndpoint(searchResults, { body: { ...search, offset, limit: resultsPageSize } })
  // Otherwise rows of the previous subject would show under this title during loading.
  const data =
    results.data && results.isPlaceholderData && !sameEvent(results.data.data, event)
      ? undefined
      : results.data
  const { error, refetch, isPlaceholderData } = results
  return (
    <ResultsView
      list={list}
      event={event}
      season={season}
      classId={classId}
      page={page}
      found={{ data, error, refetch, isPlaceholderData }}
      onPage={onPage}
      printed={printed}
      files={<ResultFiles search={search} total={data?.total ?? 0} onPrint={setPrinted} />}
      opened={opened}
      onOpen={setOpened}
      below={(row) => (
        <>
          <WhyPanel resultId={row.resultId} endpoint={explainResult} />
          <ResultActions row={row} />
        </>
      )}
      toAll={
        <Link to={paths.viewResult} search={(search: object) => search} className={buttonClass()}>
          {t('toAll')}
        </Link>
      }>
      <PrintHead />
      {children}
      <Suspense>
        <CertificatesJob of="school" />
      </Suspense>
      {data?.state === 'released' && (data.version ?? 1) > 1 && (
        <SchoolCorrections eventYearId={event.eventYearId} />
      )}
    </ResultsView>
  )
}

const sameEvent = (rows: readonly { eventYearId: number }[], event: ResultEvent) =>
  rows[0]?.eventYearId === event.eventYearId

const tabs = [
  { list: 'all', to: paths.viewResult },
  { list: 'medal', to: paths.medalList },
  { list: 'award', to: paths.awards },
  { list: 'prize', to: paths.prizes },
] as const satisfies readonly { list: ResultList; to: string }[]

/** The school's released results, searched by level, season, subject and class. */
function ResultsPage({ list }: { list: ResultList }) {
  const t = words.use()
  const navigate = useNavigate()
  const { choice, error, retry } = useChoice()
  const go = (wanted: Choice) =>
    navigate({
      to: '.',
      search: resultFilters.validate({
        examLevel: wanted.examLevel,
        FYear: wanted.season,
        eventYearId: wanted.event?.eventYearId ?? 0,
        classId: wanted.classId,
        page: wanted.page,
      }),
      // The form is at the top, and the pager goes to the top of the list by itself.
      resetScroll: false,
    })
  const body = (
    <>
      <LinkTabs label={t('lists')}>
        {tabs.map((tab) => (
          <Link
            key={tab.list}
            to={tab.to}
            search={keepChoice}
            aria-current={tab.list === list ? 'page' : undefined}>
            {t(tab.list)}
          </Link>
        ))}
      </LinkTabs>
      {choice && <SearchForm choice={choice} onSearch={(wanted) => void go(wanted)} />}
    </>
  )
  if (choice?.event) {
    return (
      <ResultsOfEvent
        list={list}
        choice={{ ...choice, event: choice.event }}
        onPage={(page) => void go({ ...choice, page })}>
        {body}
      </ResultsOfEvent>
    )
  }
  return (
    <>
      <PageHeader title={t(list === 'all' ? 'title' : list)} />
      {body}
      {error && !choice ? (
        <LoadProblem error={error} retry={retry} />
      ) : (
        <Panel padded={false}>{choice ? <NothingChosen /> : <Skeleton shape="table" rows={8} />}</Panel>
      )}
    </>
  )
}

const keepChoice = (search: Record<string, unknown>) => ({ ...search, page: undefined })

function NothingChosen() {
  const t = words.use()
  const { given, noEvents, earlier, choice } = useChoice()
  if (noEvents && choice) {
    return (
      <EmptyState icon="medal" title={t('noEventsTitle', { season: choice.season })}>
        {t('noEvents')}
      </EmptyState>
    )
  }
  return given ? (
    <EmptyState icon="search" title={t('chooseTitle')}>
      {t('choose')}
    </EmptyState>
  ) : (
    <EmptyState
      icon="medal"
      title={t('noneReleasedTitle')}
      actions={
        earlier && (
          <Link to="." search={resultFilters.validate({ FYear: earlier })} className={buttonClass('primary')}>
            {t('seeEarlier', { season: earlier })}
          </Link>
        )
      }>
      {t('noneReleased')}
    </EmptyState>
  )
}

interface SearchFormProps {
  choice: Choice
  onSearch: (wanted: Choice & { event: ResultEvent }) => void
}

/** Choosing with the arrow keys passes through other values; after this delay (ms) the list follows the last one. */
const searchDelay = 250

/** The search form. The list follows each choice shortly, or on Search at once. Level and season set the subjects. */
function SearchForm({ choice, onSearch }: SearchFormProps) {
  const t = words.use()
  const translate = useSentences()
  const [level, setLevel] = useState(choice.examLevel)
  const [season, setSeason] = useState(choice.season)
  const [letter, setLetter] = useState(choice.event?.eventLetter ?? '')
  const [classId, setClassId] = useState(choice.classId)
  const [missing, setMissing] = useState(false)
  const [changed, setChanged] = useState(false)
  const choiceKey = `${choice.season} ${choice.examLevel} ${choice.event?.eventYearId} ${choice.classId}`
  const [shownKey, setShownKey] = useState(choiceKey)
  if (shownKey !== choiceKey) {
    setShownKey(choiceKey)
    // Keep choices made in the meantime; they are searched for next.
    if (!changed) {
      setLevel(choice.examLevel)
      setSeason(choice.season)
      setLetter(choice.event?.eventLetter ?? '')
      setClassId(choice.classId)
    }
  }
  const subjectField = useRef<HTMLSelectElement>(null)
  const { data, isPlaceholderData } = useEndpoint(resultEvents, { query: { FYear: season } })
  const events = (isPlaceholderData ? [] : (data?.data ?? [])).filter(
    ({ examLevel }) => String(examLevel) === level,
  )
  const hasNoEvents = data !== undefined && !isPlaceholderData && events.length === 0
  const event = events.find(({ eventLetter }) => eventLetter === letter)
  const years = seasons().map(String)
  const seasonChoices = years.includes(season) ? years : [season, ...years]

  const go = (to: ResultEvent) => {
    setChanged(false)
    onSearch({ examLevel: level, season, event: to, classId, page: 1 })
  }
  useEffect(() => {
    if (!changed || !event) return
    const timer = setTimeout(() => go(event), searchDelay)
    return () => clearTimeout(timer)
  })
  const search = (submitted: FormEvent) => {
    submitted.preventDefault()
    setMissing(!event)
    if (event) go(event)
    else subjectField.current?.focus()
  }
  const changing = (set: (value: string) => void) => ({
    onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
      set(currentTarget.value)
      setMissing(false)
      setChanged(true)
    },
  })

  return (
    <form className="filters" noValidate onSubmit={search}>
      <SelectField
        label={t('examLevel')}
        choices={(['1', '2'] as const).map((value) => ({ value, label: t('level', { level: value }) }))}
        value={level}
        {...changing((value) => setLevel(value === '2' ? '2' : '1'))}
      />
      <SelectField
        label={t('fyear')}
        choices={seasonChoices.map((value) => ({ value, label: value }))}
        value={season}
        {...changing(setSeason)}
      />
      <SelectField
        label={t('subject')}
        className="mid"
        ref={subjectField}
        empty={hasNoEvents ? t('noSubjects') : t('chooseSubject')}
        choices={events.map(({ eventLetter, subjectName, released }) => ({
          value: eventLetter,
          label: released ? translateSentence(subjectName) : t('notOut', { subject: subjectName }),
        }))}
        value={event ? letter : ''}
        error={
          missing && !event
            ? hasNoEvents
              ? t('noSubjectsIn', { level, season })
              : translate(messages.resultSubjectRequired)
            : undefined
        }
        {...changing(setLetter)}
      />
      <SelectField
        label={t('class')}
        choices={[
          { value: '0', label: t('allClasses') },
          ...classes.map((schoolClass) => ({
            value: String(schoolClass.classId),
            label: translateSentence(classCode(schoolClass.classId)),
          })),
        ]}
        value={String(classId)}
        {...changing((value) => setClassId(Number(value)))}
      />
      <Button type="submit" kind="primary">
        {t('search')}
      </Button>
    </form>
  )
}

/** The four result pages share one form and one table; they differ in the action they send. */
export const ViewResultPage = () => <ResultsPage key="all" list="all" />
export const MedalListPage = () => <ResultsPage key="medal" list="medal" />
export const AwardsPage = () => <ResultsPage key="award" list="award" />
export const PrizesPage = () => <ResultsPage key="prize" list="prize" />
