import '../catalogue.css'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue/calls-seasons'
import { Link } from '@tanstack/react-router'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
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
  if (!plan.data || !seasons.data) return <Skeleton shape="form" page />
  const { data } = plan
  return (
    <>
      <PageHeader title={t('title', { season: data.FYear })} fact={t('fact', { from: data.from })}>
        <Link to={officePaths.catalogue}>{t('back')}</Link>
      </PageHeader>
      <div className="stack">
        <Note>{t('takenSays')}</Note>
        <OpenForm
          key={data.token}
          plan={data}
          lock={seasons.data.can.write === true ? undefined : t('mayNotWrite')}
        />
      </div>
    </>
  )
}
