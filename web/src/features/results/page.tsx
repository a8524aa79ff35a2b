import './results.css'
import { Link, useNavigate } from '@tanstack/react-router'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { type Choice, type ResultList, useChoice } from './choice.ts'
import { resultFilters } from './filters.ts'
import { ResultsOfEvent } from './results-of-event.tsx'
import { SearchForm } from './search-form.tsx'
import { words } from './words.ts'

const tabs = [
  { list: 'all', to: paths.viewResult },
  { list: 'medal', to: paths.medalList },
  { list: 'award', to: paths.awards },
  { list: 'prize', to: paths.prizes },
] as const satisfies readonly { list: ResultList; to: string }[]

/** The released results of the own school, searched by level, season, subject and class. */
export function ResultsPage({ list }: { list: ResultList }) {
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
    })
  const body = (
    <>
      <LinkTabs label={t('lists')}>
        {tabs.map((tab) => (
          <Link
            key={tab.list}
            to={tab.to}
            search={keepChoice}
            aria-current={tab.list === list ? 'page' : undefined}
          >
            {t(tab.list)}
          </Link>
        ))}
      </LinkTabs>
      {choice && (
        <SearchForm
          key={`${choice.season} ${choice.examLevel} ${choice.event?.eventYearId} ${choice.classId}`}
          choice={choice}
          onSearch={(wanted) => void go(wanted)}
        />
      )}
    </>
  )
  if (choice?.event) {
    return (
      <ResultsOfEvent
        list={list}
        choice={{ ...choice, event: choice.event }}
        onPage={(page) => void go({ ...choice, page })}
      >
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
      }
    >
      {t('noneReleased')}
    </EmptyState>
  )
}
