import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText } from '../fields.ts'

/** The search of the header: what the office finds by a name or a number, whatever kind of record it is. */

export const foundKinds = ['school', 'student', 'payment', 'bankLine', 'packet', 'person'] as const
export type FoundKind = (typeof foundKinds)[number]

/** So many of each kind at most */
export const mostFound = 5
/** A shorter text finds nothing. */
export const shortestSearch = 2

const found = z.object({
  kind: z.enum(foundKinds),
  /** Of a person the id of the school */
  id: z.int(),
  title: z.string(),
  /** What tells it from others of the same name: codes, names, amounts */
  facts: z.array(z.string()),
  /** '' where it belongs to no season */
  FYear: z.string(),
  /** Where payments and bank lines are listed; '' of other kinds */
  state: z.string(),
})
export type Found = z.output<typeof found>

export const officeSearch = endpoint('GET /api/office/search', {
  summary: `Schools by name, code, UDISE, phone or city; students by name or exam roll no; payments by receipt no, reference or UTR; bank lines by UTR; parcels by number or tracking no; people of schools by e-mail. At most ${mostFound} of each kind, of kinds that the role may read. Contacts of families are no part of it.`,
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({ data: z.array(found) }),
})
