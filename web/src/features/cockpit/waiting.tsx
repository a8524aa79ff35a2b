import { officeWaiting } from '@podium/contract/cockpit'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Answer } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { en } from './words.en.ts'
import { words } from './words.ts'

type Counts = Pick<
  Answer<typeof officeWaiting>,
  | 'applications'
  | 'payments'
  | 'bankLines'
  | 'waivers'
  | 'packets'
  | 'contacts'
  | 'questions'
  | 'results'
  | 'mails'
  | 'incidents'
>
type Kind = keyof Counts & keyof typeof en

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
  const shown = kinds.filter(({ kind }) => data[kind] !== null)
  return (
    <section aria-labelledby="cockpit-waiting">
      <h2 id="cockpit-waiting">{t('waitingTitle')}</h2>
      {shown.length === 0 && <p className="quiet">{t('nobodyWaits')}</p>}
      <Tiles>
        {shown.map(({ kind, to, search }) => (
          <WaitingTile key={kind} kind={kind} n={data[kind] ?? 0} to={to} search={search ?? {}} />
        ))}
      </Tiles>
    </section>
  )
}

interface TileProps {
  kind: Kind
  n: number
  to: string
  search: Record<string, string>
}

/** A number of what waits; a link where the page exists. */
function WaitingTile({ kind, n, to, search }: TileProps) {
  const t = words.use()
  const router = useRouter()
  const exists = Object.keys(router.routesByPath).some((path) => path.toLowerCase() === to)
  const link = (inside: ReactNode) => (
    <Link to={to} search={search} className="tile">
      {inside}
    </Link>
  )
  return (
    <Tile
      label={t(kind)}
      value={count(n)}
      meaning={n === 0 ? t('nothingWaits') : t(`${kind}Meaning`, { n })}
      link={exists ? link : undefined}
    />
  )
}
