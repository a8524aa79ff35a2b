import type { Plan } from './open-form.tsx'
import '../catalogue.css'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue/calls-seasons'
import { Link } from '@tanstack/react-router'
import { dayText } from '#shell/format.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { OpenForm } from './open-form.tsx'
import { openWords } from './words-open.ts'

/** What a new season takes over from the last one, to be looked at and changed before it is made. */
export function OpenSeasonPage() {
  const t = openWords.use()
  const seasons = useEndpoint(officeSeasons)
  const from = seasons.data?.next?.from
  const plan = useEndpoint(openingPlan, { query: { from: from ?? '' }, enabled: from !== undefined })
  const error = seasons.error ?? plan.error
  if (error && !plan.data) return <PageProblem error={error} retry={seasons.refetch} />
  if (seasons.data && !seasons.data.next) {
    return (
      <EmptyState icon="calendar" level={1} actions={<Link to={officePaths.catalogue}>{t('back')}</Link>}>
        {t('there')}
      </EmptyState>
    )
  }
  if (!plan.data || !seasons.data) return <Skeleton shape="form" />
  const { data } = plan
  return (
    <>
      <PageHeader title={t('title', { season: data.FYear })} fact={t('fact', { from: data.from })}>
        <Link to={officePaths.catalogue}>{t('back')}</Link>
      </PageHeader>
      <div className="stack">
        <Decisions plan={data} />
        <OpenForm
          key={data.token}
          plan={data}
          lock={seasons.data.can.write === true ? undefined : t('mayNotWrite')}
        />
      </div>
    </>
  )
}

function Decisions({ plan }: { plan: Plan }) {
  const t = openWords.use()
  const nameOf = (letter: string, level: number) =>
    plan.events.find((event) => event.eventLetter === letter && event.examLevel === level)?.subjectName ??
    letter
  return (
    <>
      <Note>{t('takenSays')}</Note>
      <Panel title={t('decide')}>
        {plan.decisions.length === 0 ? (
          <p>{t('decideNothing')}</p>
        ) : (
          <ul className="cat-decide">
            {plan.decisions.map(({ kind, eventLetter, examLevel, day, name }) => (
              <li key={`${kind} ${eventLetter} ${examLevel} ${day}`}>
                {t(kind, { event: nameOf(eventLetter, examLevel), day: dayText(day), name })}
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}
