import { type OlympiadDate, olympiadDates } from '@podium/contract/dashboard/calls'
import { Link } from '@tanstack/react-router'
import { Day } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'

/** The two dates of each olympiad; only offline ones are listed, as specified, and the online ones named below. */
export function DatesPanel() {
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
      foot={online.length > 0 && <span className="quiet">{t('online', { n: online.length, names })}</span>}
    >
      {dates.isError && !offline && <LoadProblem error={dates.error} retry={() => dates.refetch()} />}
      {dates.isPending && <Skeleton shape="table" rows={8} />}
      {offline && <DatesTable dates={offline} season={season} />}
    </Panel>
  )
}

/** A small table of its own: no paging, no sorting, no cards, so the first page loads without the large one. */
function DatesTable({ dates, season }: { dates: readonly OlympiadDate[]; season: string }) {
  const t = words.use()
  if (dates.length === 0) return <p className="pad quiet">{t('noDates')}</p>
  return (
    <div className="dates">
      <table>
        <caption className="sr">{t('datesTitle', { season })}</caption>
        <thead>
          <tr>
            <th scope="col" className="num">
              {t('serial')}
            </th>
            <th scope="col">{t('olympiad')}</th>
            <th scope="col" className="num">
              {t('firstDate')}
            </th>
            <th scope="col" className="num">
              {t('secondDate')}
            </th>
          </tr>
        </thead>
        <tbody>
          {dates.map((date, index) => (
            <tr key={date.eventLetter}>
              <td className="num">{index + 1}</td>
              <td>{date.eventName}</td>
              <td className="num nowrap">
                <Day value={date.firstDate} />
              </td>
              <td className="num nowrap">
                <Day value={date.secondDate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
