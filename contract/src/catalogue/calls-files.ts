import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { seasonLabel } from '../fields.ts'
import { type ListEntry, listKinds } from './calls-lists.ts'
import { examModes } from './schemas.ts'

/** What short lists of the catalogue leave after their filters, on the screen and in the file alike, and the files. */

const typed = z._default(z.string().check(z.maxLength(200)), '')
const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** '': in its own order */
export const listSorts = ['', 'name', 'used'] as const
export const listOffers = ['', 'on', 'off'] as const

const listFilterFields = {
  search: typed,
  /** Of districts */
  state: typed,
  /** Of states */
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

/** The entries of a list that its filters leave, in the order that is asked for. */
export function listed(entries: readonly ListEntry[], wanted: ListFilters): ListEntry[] {
  const search = fold(wanted.search)
  const fits = entries.filter(
    ({ name, nameHi, code, state, zone, day, active }) =>
      fold(`${name} ${nameHi} ${code} ${state} ${zone} ${day}`).includes(search) &&
      (wanted.state === '' || state === wanted.state) &&
      (wanted.zone === '' || zone === wanted.zone) &&
      (wanted.offered === '' || active === (wanted.offered === 'on')),
  )
  if (wanted.sort === 'name') return fits.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  if (wanted.sort === 'used') return fits.toSorted((a, b) => b.used - a.used)
  return fits
}

const format = z.enum(['xlsx', 'csv'])

export const exportList = endpoint('POST /api/office/catalogue/exportList', {
  summary: 'The entries of a list that the filters leave, as a spreadsheet.',
  body: z.strictObject({ kind: z.enum(listKinds), ...listFilterFields, format }),
  answers: 'file',
})

export const eventModes = ['', ...examModes] as const
export interface EventFilters {
  search: string
  mode: (typeof eventModes)[number]
}

/** Whether the filters of a season's events leave this one. */
export function eventFits(
  event: { subjectName: string; eventLetter: string; examMode: string },
  { search, mode }: EventFilters,
): boolean {
  const said = fold(search)
  const named = fold(event.subjectName).includes(said) || fold(event.eventLetter) === said
  return named && (mode === '' || event.examMode === mode)
}

export const exportPrices = endpoint('POST /api/office/catalogue/exportPrices', {
  summary:
    'Days, fees and book prices of a season’s events that the filters leave, class by class, as a spreadsheet.',
  body: z.strictObject({
    FYear: seasonLabel,
    search: typed,
    mode: z._default(z.enum(eventModes), ''),
    format,
  }),
  answers: 'file',
})
