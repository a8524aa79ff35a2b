import '../results.css'
import '../office.css'
import './preview.css'
import { Link, useParams } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { eventName, hasResults, shownState, useOfficeEvent, workingSet } from '../office-event.ts'
import { PreviewChoice } from './preview-choice.tsx'
import { previewFilters } from './preview-filters.ts'
import { PreviewPages } from './preview-pages.tsx'
import { previewWords } from './words-preview.ts'

/** The result pages of a school with a version that is not released: the school is chosen, then its four pages are looked at. */
export function SchoolPreviewPage() {
  const t = previewWords.use()
  const { eventYearId = '' } = useParams({ strict: false })
  const { values } = useFilters(previewFilters)
  const { data, error, refetch } = useOfficeEvent(Number(eventYearId))
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" rows={6} />
  const set = workingSet(data)
  const back = (
    <Link to={officePaths.resultEvent} params={{ eventYearId }} className={buttonClass()}>
      {t('back')}
    </Link>
  )
  if (!set || !hasResults(set) || shownState(set) === 'released') {
    const over = set && shownState(set) === 'released'
    return (
      <>
        <PageHeader title={t('chooseTitle')} fact={eventName(data.event)} />
        <Panel padded={false}>
          <EmptyState
            icon={over ? 'medal' : 'clock'}
            title={over ? t('overTitle', { n: set.version }) : t('noResultsTitle')}
            actions={back}
          >
            {t(over ? 'over' : 'noResults')}
          </EmptyState>
        </Panel>
      </>
    )
  }
  return values.school === '' ? (
    <PreviewChoice event={data.event} set={set} />
  ) : (
    <PreviewPages event={data.event} set={set} />
  )
}
