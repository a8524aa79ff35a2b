import type { BookKind } from '@podium/contract/classes'
import { saveOrderLine } from '../src/features/books/orders/commands.ts'
import type { DemoSeason } from './calendar.ts'
import type { School, World } from './world.ts'

/** Copies of a book for a library: class, letter of the subject, kind, how many. */
export type Copies = readonly [classId: number, letter: string, kind: BookKind, quantity: number]

/** What a library orders early in the season, and what it adds to that later. */
export const firstOrder: readonly Copies[] = [
  [6, 'M', 'cb', 12],
  [6, 'S', 'cb', 12],
  [8, 'M', 'pyqp', 20],
  [10, 'M', 'geneX', 6],
]
export const laterOrder: readonly Copies[] = [
  [7, 'E', 'cb', 15],
  [9, 'S', 'pyqp', 10],
  [10, 'M', 'geneX', 4],
]

/** Orders copies for the school's library, as its teacher does. */
export async function orderForLibrary(
  { db }: World,
  school: School,
  season: DemoSeason,
  now: Date,
  order: readonly Copies[],
): Promise<void> {
  for (const [classId, subject, kind, quantity] of order) {
    const draft = { id: 0, version: undefined, season: season.label, classId, subject, kind, quantity }
    await db
      .transaction()
      .execute((tx) => saveOrderLine(tx, school.scope, now, { ...draft, saidAmount: undefined }))
  }
}
