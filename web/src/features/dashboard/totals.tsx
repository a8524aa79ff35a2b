import { dashboardSummary } from '@podium/contract/dashboard/calls'
import { Link } from '@tanstack/react-router'
import { count } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Panel, Tile, Tiles } from '#ui/panel.tsx'
import { words } from './words.ts'

/** Four figures, each with the sentence that gives it meaning. */
export function Totals() {
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
          meaning={totals && compared(t, totals.totalStudent, totals.lastSeasonStudent)}
          link={(inside) => (
            <Link to={paths.studentSummary} className="tile">
              {inside}
            </Link>
          )}
        />
        <Tile
          label={t('totalBook')}
          value={figure(totals?.totalBook)}
          meaning={totals && totals.bookStudent > 0 && t('takeBooks', { n: totals.bookStudent })}
          link={(inside) => (
            <Link to={paths.bookSummary} className="tile">
              {inside}
            </Link>
          )}
        />
        <Tile
          label={t('teacherQuestions')}
          value={figure(totals?.teacherQuestion)}
          meaning={totals && totals.acceptedQuestion > 0 && t('accepted', { n: totals.acceptedQuestion })}
          link={(inside) => (
            <Link to={paths.teacherQuestion} className="tile">
              {inside}
            </Link>
          )}
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

function compared(t: ReturnType<typeof words.use>, now: number, last: number | null): string {
  if (last === null) return t('firstSeason')
  if (now === last) return t('sameAsLast')
  return now > last ? t('moreThanLast', { n: now - last }) : t('fewerThanLast', { n: last - now })
}
