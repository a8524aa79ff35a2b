import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, seasonLabel, text } from '../fields.ts'
import { officeMessages } from '../office/messages.ts'
import { examModes, optionalDay } from './schemas.ts'

/** Lists that forms choose from. An entry in use is never deleted, only deactivated; it is no longer offered then. */

export const listKinds = ['designations', 'titles', 'states', 'zones', 'districts', 'holidays'] as const
export type ListKind = (typeof listKinds)[number]

/** Lists whose order the office sets; the others are sorted by name, holidays by day. */
export const orderedKinds = ['designations', 'titles', 'zones'] as const

const entry = z.object({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  /** Empty if there is none; readers of Hindi see the English name then */
  nameHi: z.string(),
  active: z.boolean(),
  /** Number of contacts, schools or states that use it */
  used: z.int(),
  /** For a state: its code and zone; for a district: its state; for a holiday: its day */
  code: z.string(),
  zone: z.string(),
  stateId: z.int(),
  state: z.string(),
  day: z.string(),
  /** Can't be renamed or deactivated, because the program uses it by name */
  fixed: z.boolean(),
})
export type ListEntry = z.output<typeof entry>

const kind = z.enum(listKinds)

export const officeList = endpoint('GET /api/office/catalogue/list', {
  summary: 'The entries of a list in its order, inactive ones included.',
  query: z.strictObject({ kind }),
  answer: z.object({ data: z.array(entry), can: z.object({ write: allowance }) }),
})

export const entryFields = {
  name: text(officeMessages.entryNameRequired, 100),
  nameHi: optionalText(100),
  code: z._default(z.string().check(z.maxLength(3)), ''),
  zone: z._default(z.string().check(z.maxLength(100)), ''),
  stateId: z._default(bodyId, 0),
  day: z._default(optionalDay, ''),
}

export const saveListEntry = endpoint('POST /api/office/catalogue/saveEntry', {
  summary: 'Adds an entry to a list (id 0), or renames one everywhere it is used.',
  body: z.strictObject({ kind, id: bodyId, version: z._default(bodyId, 0), ...entryFields }),
  answer: z.object({ id: z.int(), touched: z.int() }),
})

export const switchListEntry = endpoint('POST /api/office/catalogue/switchEntry', {
  summary:
    'Deactivates an entry, so that it is no longer offered, or reactivates it. Records that use it keep it.',
  body: z.strictObject({ kind, id: bodyId, version: bodyId, active: z.boolean() }),
})

export const orderList = endpoint('POST /api/office/catalogue/orderList', {
  summary: 'Sets the order of a list.',
  body: z.strictObject({ kind: z.enum(orderedKinds), ids: z.array(bodyId).check(z.maxLength(200)) }),
})

/** Filters of the catalogue's short lists, the same on the screen and in exported files. */

const typed = z._default(z.string().check(z.maxLength(200)), '')
const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** '': the list's own order */
export const listSorts = ['', 'name', 'used'] as const
export const listOffers = ['', 'on', 'off'] as const

const listFilterFields = {
  search: typed,
  /** For districts */
  state: typed,
  /** For states */
  zone: typed,
  offered: z._default(z.enum(listOffers), ''),
  sort: z._default(z.enum(listSorts), ''),
}
export interface ListFilters {
  search: string
  state: string
  zone: string
  offered: (typeof listOffers)[number]
  sort: (typeof listSorts)[number]
}

/** Returns the entries that pass the filters, in the requested order. */
export function filterEntries(entries: readonly ListEntry[], filters: ListFilters): ListEntry[] {
  const search = fold(filters.search)
  const fits = entries.filter(
    ({ name, nameHi, code, state, zone, day, active }) =>
      fold(`${name} ${nameHi} ${code} ${state} ${zone} ${day}`).includes(search) &&
      (filters.state === '' || state === filters.state) &&
      (filters.zone === '' || zone === filters.zone) &&
      (filters.offered === '' || active === (filters.offered === 'on')),
  )
  if (filters.sort === 'name') return fits.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  if (filters.sort === 'used') return fits.toSorted((a, b) => b.used - a.used)
  return fits
}

const format = z.enum(['xlsx', 'csv'])

export const exportList = endpoint('POST /api/office/catalogue/exportList', {
  summary: 'The entries of a list that match the filters, as a spreadsheet.',
  body: z.strictObject({ kind: z.enum(listKinds), ...listFilterFields, format }),
  answers: 'file',
})

export const eventModes = ['', ...examModes] as const
export interface EventFilters {
  search: string
  mode: (typeof eventModes)[number]
}

/** Whether an event passes the filters. */
export function matchesEventFilters(
  event: { subjectName: string; eventLetter: string; examMode: string },
  { search, mode }: EventFilters,
): boolean {
  const query = fold(search)
  const matchesSearch = fold(event.subjectName).includes(query) || fold(event.eventLetter) === query
  return matchesSearch && (mode === '' || event.examMode === mode)
}

export const exportPrices = endpoint('POST /api/office/catalogue/exportPrices', {
  summary:
    'Days, fees and book prices of a season’s events that match the filters, class by class, as a spreadsheet.',
  body: z.strictObject({
    FYear: seasonLabel,
    search: typed,
    mode: z._default(z.enum(eventModes), ''),
    format,
  }),
  answers: 'file',
})
