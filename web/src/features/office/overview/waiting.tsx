import { officeWaiting, type SeasonalWaiting } from '@podium/contract/office/calls-overview'
import { parseSeason } from '@podium/contract/season'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Answer } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/office-overview.json'
import { words } from './words.ts'

type Waiting = Omit<Answer<typeof officeWaiting>, 'result' | 'message'>
type Kind = Exclude<keyof Waiting & keyof typeof en, 'oldest'>

const total = (waits: number | readonly SeasonalWaiting[] | null) =>
  typeof waits === 'number' || waits === null ? (waits ?? 0) : waits.reduce((sum, { n }) => sum + n, 0)

const kinds: readonly { kind: Kind; to: string; search?: Record<string, string> }[] = [
  { kind: 'applications', to: officePaths.applications },
  { kind: 'payments', to: officePaths.payments },
  { kind: 'bankLines', to: officePaths.statements },
  { kind: 'packets', to: officePaths.bookOrders },
  { kind: 'waivers', to: officePaths.waivers },
  { kind: 'results', to: officePaths.results },
  { kind: 'contacts', to: officePaths.schools, search: { contacts: 'waiting' } },
  { kind: 'questions', to: officePaths.questions },
  { kind: 'mails', to: officePaths.mails },
  { kind: 'incidents', to: officePaths.incidents },
]

/** How much of each kind waits, each with its way there; kinds that the role may not read are left out. */
export function WaitingTiles() {
  const t = words.use()
  const waiting = useEndpoint(officeWaiting)
  if (waiting.error && !waiting.data) return <LoadProblem error={waiting.error} retry={waiting.refetch} />
  const { data } = waiting
  if (!data) return <Skeleton shape="text" rows={3} />
  const mine = kinds.filter(({ kind }) => data[kind] !== null)
  // What has been there longest comes first; what is done is one line.
  const age = (kind: Kind) => data.oldest[kind] ?? '~'
  const shown = mine
    .filter(({ kind }) => total(data[kind]) > 0)
    .sort((a, b) => (age(a.kind) < age(b.kind) ? -1 : age(a.kind) > age(b.kind) ? 1 : 0))
  const done = mine.filter(({ kind }) => total(data[kind]) === 0)
  return (
    <section aria-labelledby="cockpit-waiting">
      <h2 id="cockpit-waiting">{t('waitingTitle')}</h2>
      {mine.length === 0 && <p className="quiet">{t('nobodyWaits')}</p>}
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
      {done.length > 0 && (
        <p className="quiet">{t('nothingElse', { kinds: done.map(({ kind }) => t(kind)).join(', ') })}</p>
      )}
    </section>
  )
}

interface TileProps {
  kind: Kind
  /** How many, or how many in each season */
  waits: number | readonly SeasonalWaiting[]
  /** Since when the oldest has been there */
  oldest: string | undefined
  to: string
  search: Record<string, string>
}

/** A number of what waits; a link where the page exists, to the season that has some. */
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
  const link = (inside: ReactNode) => (
    <Link to={to} search={{ ...search, ...(lead ? { season: lead } : {}) }} className="tile">
      {inside}
    </Link>
  )
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
