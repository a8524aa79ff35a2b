import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, text } from '../fields.ts'
import { messages } from '../messages.ts'

/**
 * Saved views of the office's lists: a list's filters and hidden columns, under a name. A view belongs to its author
 * or is shared with the whole office.
 */

/** The name the web gives a list: `schools`, `packets`. */
const listName = z.string().check(z.regex(/^[a-z][a-z-]{0,39}$/))

const value = z.union([
  z.string().check(z.maxLength(200)),
  z.number(),
  z.array(z.string().check(z.maxLength(200))).check(z.maxLength(50)),
])
const filters = z
  .record(z.string().check(z.maxLength(40)), value)
  .check(z.refine((given) => Object.keys(given).length <= 30, 'At most 30 filters.'))
const hidden = z.array(z.string().check(z.maxLength(40))).check(z.maxLength(40))

const view = z.object({
  id: z.int(),
  name: z.string(),
  /** As in the list's address */
  filters,
  /** Keys of hidden columns */
  hidden,
  shared: z.boolean(),
  /** Whether the caller made it; only then can they change or delete it */
  isAuthor: z.boolean(),
  madeBy: z.string(),
})
export type SavedView = z.output<typeof view>

export const officeViews = endpoint('GET /api/office/views/list', {
  summary: "Saved views of a list: the caller's own and shared ones.",
  query: z.strictObject({ list: listName }),
  answer: z.object({ data: z.array(view) }),
})

/** Of a user, for one list */
export const maxViews = 30
/** Of a user, for all lists */
export const maxAllViews = 300

export const saveView = endpoint('POST /api/office/views/save', {
  summary: "Saves a view of a list; replaces the caller's view with the same name.",
  body: z.strictObject({
    list: listName,
    name: text(messages.viewNameRequired, 60),
    filters,
    hidden,
    shared: z.boolean(),
  }),
  answer: z.object({ id: z.int() }),
})

export const deleteView = endpoint('POST /api/office/views/delete', {
  summary: 'Deletes a view of the caller.',
  body: z.strictObject({ id: bodyId }),
})
