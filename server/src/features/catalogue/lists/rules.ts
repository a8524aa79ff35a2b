import type { ListKind } from '@podium/contract/catalogue/calls-lists'
import { catalogueMessages } from '@podium/contract/catalogue/messages'
import type { Issue } from '@podium/contract/envelope'

/** The zone of schools outside India: the program gives it to them by this name. */
export const abroad = 'Abroad'

interface Entry {
  kind: ListKind
  name: string
  code: string
  zone: string
  stateId: number
  day: string
}

/** What an entry of its kind lacks: a state its code and zone, a district its state, a holiday its day. */
export function entryIssues({ kind, code, zone, stateId, day }: Entry): Issue[] {
  if (kind === 'states' && !/^[A-Z]{2,3}$/.test(code))
    return [{ path: 'code', message: catalogueMessages.entryCodeRequired }]
  if (kind === 'states' && zone === '')
    return [{ path: 'zone', message: catalogueMessages.entryZoneRequired }]
  if (kind === 'districts' && stateId === 0)
    return [{ path: 'stateId', message: catalogueMessages.entryStateRequired }]
  if (kind === 'holidays' && day === '') return [{ path: 'day', message: catalogueMessages.dayRequired }]
  return []
}
