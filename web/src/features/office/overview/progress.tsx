import { formatRupees } from '@podium/contract/money'
import { type SeasonFigures, seasonProgress } from '@podium/contract/office/calls-overview'
import { useQuery } from '@tanstack/react-query'
import { count, Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Plots } from './charts.tsx'
import { words } from './words.ts'

const whileCounting = 2_000
const minute = 60_000

/** How the season goes, as it was counted last; asked again while it is being counted. */
export function Progress() {
  const t = words.use()
  const season = useSeason()
  const progress = useQuery({
    ...endpointQuery(seasonProgress, { query: { FYear: season } }),
    refetchInterval: ({ state }) => (state.data?.counting ? whileCounting : minute),
  })
  const { data, error, refetch } = progress
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={6} />
  return (
    <section aria-labelledby="cockpit-progress">
      <div className="cockpit-head">
        <h2 id="cockpit-progress">{t('progress', { season })}</h2>
        {data.figures && (
          <span className="quiet">
            <Moment value={data.figures.takenAt} />
          </span>
        )}
      </div>
      {data.figures ? (
        <>
          <Figures figures={data.figures} />
          <Plots figures={data.figures} />
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
  const { money } = figures
  return (
    <Tiles>
      <Tile
        label={t('schools')}
        value={count(figures.entered)}
        meaning={t('schoolsOf', { n: count(figures.schools) })}
      />
      <Tile
        label={t('students')}
        value={count(figures.students)}
        meaning={t('studentsPaid', { n: count(figures.paid) })}
      />
      <Tile label={t('entries')} value={count(figures.entries)} meaning={t('entriesMeaning')} />
      {money && <Tile label={t('due')} value={formatRupees(money.due)} meaning={t('dueMeaning')} />}
      {money && (
        <Tile
          label={t('received')}
          value={formatRupees(money.received)}
          meaning={t('verifying', { amount: formatRupees(money.verifying) })}
        />
      )}
      {money && (
        <Tile
          label={t('outstanding')}
          value={formatRupees(money.outstanding)}
          meaning={t('outstandingMeaning')}
        />
      )}
    </Tiles>
  )
}
