import * as z from 'zod/mini'
import { readOwnDraft, writeOwnDraft } from '#shell/own-draft.ts'
import { signedIn } from '#shell/session.ts'
import { blankRow, isBlank, type Row } from './grid-sheet.ts'

/** Rows that were entered by an import: taken back, they come into the grid again. */
export interface Entered {
  importId: string
  rows: readonly Row[]
}

export interface GridDraft {
  rows: readonly Row[]
  entered?: Entered | undefined
}

const row = z.array(z.string()).check(z.length(blankRow.length))
const draft = z.object({
  rows: z.array(row),
  entered: z.optional(z.object({ importId: z.string(), rows: z.array(row) })),
})

/** Of one school and one season. */
const keyOf = (season: string) => `rows.${signedIn()?.schId ?? 0}.${season}`

export function readGridDraft(season: string): GridDraft {
  const read = z.safeParse(draft, readOwnDraft(keyOf(season)))
  if (!read.success) return { rows: [] }
  // Blank rows are one and the same: nothing is worked out for them.
  const { rows, entered } = read.data
  return { rows: rows.map((one) => (isBlank(one) ? blankRow : one)), entered }
}

/** Keeps the draft; false where the device has no room for it. */
export function keepGridDraft(season: string, { rows, entered }: GridDraft): boolean {
  const written = rows.slice(0, rows.findLastIndex((one) => !isBlank(one)) + 1)
  const value = written.length === 0 && !entered ? undefined : { rows: written, entered }
  return writeOwnDraft(keyOf(season), value, 'session')
}
