import { bookKinds } from '@podium/contract/classes'
import type { OrderStatus } from '@podium/contract/shipping/calls'
import {
  awardKinds,
  type DueContents,
  dispatchJobState,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
} from '@podium/contract/shipping/calls-orders'
import {
  type MovedPacket,
  maxPackets,
  type OfficePacket,
  officePacket,
  officePackets,
  type StoppedBy,
  undoMove,
} from '@podium/contract/shipping/calls-packets'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import type en from '#words/en/shipping.json'
import { dueFilters, packetFilters } from './filters.ts'

/** Translations of the office's dispatch pages: items to send, parcels, couriers. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shipping.json'))

/** Why a parcel must not leave: as a badge in a list, and in full. */
export const stopWords = {
  'dispatch.withheld': { badge: 'withheld', note: 'withheldNote' },
  'dispatch.corrected': { badge: 'outdated', note: 'correctedNote' },
  'dispatch.unpaid': { badge: 'unpaid', note: 'unpaidNote' },
  'dispatch.address_changed': { badge: 'readdress', note: 'readdressNote' },
} as const satisfies Record<StoppedBy, object>

/** Returns the kinds that these contents can have; papers have none. */
const kindsIn = (contents: DueContents): readonly string[] =>
  contents === 'books' ? bookKinds : contents === 'awards' ? awardKinds : []

/** After a release all schools are recounted, some with each request: the list polls until none is left. */
const pollWhileCounting = {
  refetchInterval: ({ state }: { state: { data?: { counting: number } | undefined } }) =>
    (state.data?.counting ?? 0) > 0 ? 1_500 : (false as const),
}

/** Loads the items to send that match the filters in the URL. */
export function useDue(contents: DueContents) {
  const season = useSeason()
  const filters = useFilters(dueFilters)
  const { page, by, ...wanted } = filters.values
  const letter = /^[A-Z]$/.test(wanted.letter) ? wanted.letter : ''
  const classId = /^\d{1,2}$/.test(wanted.classId) ? wanted.classId : ''
  const kind = kindsIn(contents).includes(wanted.kind) ? wanted.kind : ''
  const show = contents !== 'awards' && wanted.show === 'extra' ? 'due' : wanted.show
  const asked = { ...wanted, FYear: season, contents, letter, classId, kind, show } as const
  const list = useQuery({
    ...endpointQuery(officeDue, { query: { ...asked, page: String(page) } }),
    enabled: by === 'school',
    ...pollWhileCounting,
  })
  const items = useQuery({
    ...endpointQuery(officeDueItems, { query: asked }),
    enabled: by === 'item',
    ...pollWhileCounting,
  })
  const sums = by === 'school' ? list.data?.sums : items.data?.sums
  const counting = (by === 'school' ? list.data?.counting : items.data?.counting) ?? 0
  const set = filters.countSet('search', 'state', 'district', 'letter', 'classId', 'kind', 'show')
  return { season, contents, filters, asked, by, list, items, sums, counting, set }
}

export type Due = ReturnType<typeof useDue>

export const useMayWrite = () => useMay('dispatch.write')

/** The queries that show parcels or items to send. */
export const dispatchCalls = [
  officeSpares,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officePackets,
  officePacket,
  dispatchJobState,
  officeMe,
]

/** Returns the undo action for the message about moved parcels; none if they exceed one request. */
export function useUndoMove() {
  const t = words.use()
  const { act } = useAction(dispatchCalls)
  return (packets: MovedPacket[]) => {
    if (packets.length === 0 || packets.length > maxPackets) return undefined
    const undo = () =>
      void act(
        () => call(undoMove, { body: { packets } }),
        ({ undone, left }) =>
          left > 0 ? t('moveUndoneSome', { n: undone, left }) : t('moveUndone', { n: undone }),
      )
    return { label: t('undo'), act: undo }
  }
}

/** Loads the parcels that match the filters in the URL. */
export function usePackets() {
  const season = useSeason()
  const filters = useFilters(packetFilters)
  const { page, ...wanted } = filters.values
  const courier = /^\d{1,15}$/.test(wanted.courier) ? wanted.courier : ''
  const asked = { ...wanted, FYear: season, courier }
  const list = useEndpoint(officePackets, { query: { ...asked, page: String(page) } })
  const set = filters.countSet('search', 'contents', 'status', 'state', 'courier', 'mark')
  return { season, filters, asked, list, set }
}

export type Packets = ReturnType<typeof usePackets>

/** Loads the parcel whose id is in the URL. */
export function usePacket() {
  const { id } = useParams({ strict: false })
  const packetId = String(Number(id) || 0)
  const query = useEndpoint(officePacket, { query: { packetId } })
  // While the next parcel loads, the data is still the previous one's.
  const data = query.data?.packet.packetId === Number(packetId) ? query.data : undefined
  return { packetId, query, data }
}

/** The badge of each state of a parcel. */
export const statusLooks: Record<OrderStatus, readonly [BadgeTone, IconName]> = {
  Packed: ['mute', 'box'],
  Dispatched: ['info', 'truck'],
  'In transit': ['info', 'truck'],
  Delivered: ['ok', 'ok'],
  Returned: ['due', 'undo'],
  Cancelled: ['mute', 'close'],
}

export function StatusBadge({ of }: { of: OrderStatus }) {
  const t = words.use()
  const [tone, icon] = statusLooks[of]
  return (
    <Badge tone={tone} icon={icon}>
      {t(of)}
    </Badge>
  )
}

/** A parcel with more lines is folded by subject, as the school sees it. */
const fewLines = 20

interface BySubjectProps<Row> {
  rows: readonly Row[]
  title: string
  count: (rows: readonly Row[]) => number
  /** Of all rows, or of one subject, which then need not be named */
  children: (rows: readonly Row[], isOneSubject: boolean) => ReactNode
}

export function BySubject<Row extends { eventYearId: number; subjectName: string }>({
  rows,
  title,
  count,
  children,
}: BySubjectProps<Row>) {
  const t = words.use()
  if (rows.length <= fewLines) return children(rows, false)
  const subjects = Map.groupBy(rows, ({ eventYearId }) => eventYearId)
  return (
    <div className="stack gap-2">
      <p className="quiet">{title}</p>
      {[...subjects].map(([eventYearId, those]) => (
        <details key={eventYearId} className="panel" open={subjects.size === 1}>
          <summary>
            <Icon name="right" small />
            <h2>{translateSentence(those[0]?.subjectName ?? '')}</h2>
            <span className="quiet">{t('copies', { n: count(those) })}</span>
          </summary>
          {children(those, true)}
        </details>
      ))}
    </div>
  )
}

/** The tracking of a parcel as a line of stations. */
export function TrackingHistory({ of: { track } }: { of: OfficePacket }) {
  const t = words.use()
  return (
    <ol className="stations">
      {track.map(({ status, remarks, at, by }) => (
        <li key={`${at} ${status}`} className={statusLooks[status][0]}>
          <span className="station">
            <Icon name={statusLooks[status][1]} small />
          </span>
          <div>
            <b>{t(status)}</b>
            {remarks !== '' && <span>{translateSentence(remarks)}</span>}
            <small>
              <Moment value={at} />
              {by !== '' && `, ${by}`}
            </small>
          </div>
        </li>
      ))}
    </ol>
  )
}
