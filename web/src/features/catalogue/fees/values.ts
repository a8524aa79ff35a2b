import { type ClassFees, saveFees } from '@podium/contract/catalogue/calls-events'
import { catalogueMessages } from '@podium/contract/catalogue/messages'
import { type BookKind, bookKindsOf, classes, isLittleStarClass } from '@podium/contract/classes'
import * as z from 'zod/mini'

/** One class in the form: every amount as it is typed, empty where nothing stands. */
export type TypedFees = Record<'fee' | 'retained' | 'bookRetained' | BookKind, number | ''> & {
  classId: number
  offered: boolean
}

const nothing = {
  fee: '',
  retained: '',
  bookRetained: '',
  cb: '',
  pyqp: '',
  geneX: '',
  tb: '',
  wb: '',
} as const

/** All classes that an event can have, those that take part with their prices. */
export function typedFees(littleStar: boolean, rows: readonly ClassFees[]): TypedFees[] {
  return classes
    .filter(({ classId }) => isLittleStarClass(classId) === littleStar)
    .map(({ classId }) => {
      const row = rows.find((one) => one.classId === classId)
      if (!row) return { classId, offered: false, ...nothing }
      const price = (amount: number | null) => amount ?? ''
      const { fee, retained, bookRetained, cb, pyqp, geneX, tb, wb } = row
      return {
        classId,
        offered: true,
        fee,
        retained,
        bookRetained,
        cb: price(cb),
        pyqp: price(pyqp),
        geneX: price(geneX),
        tb: price(tb),
        wb: price(wb),
      }
    })
}

/** The amounts that a class of this kind has: the fee, what is kept of it, its books, what is kept of each. */
export const amountsOf = (littleStar: boolean) =>
  ['fee', 'retained', ...bookKindsOf(littleStar ? 13 : 1), 'bookRetained'] as const

const orNull = (typed: unknown) => (typed === '' ? null : typed)
const orZero = (typed: unknown) => (typed === '' ? 0 : typed)

function bodyOf({ classes: typed }: { classes: TypedFees[] }) {
  return {
    classes: typed
      .filter(({ offered }) => offered)
      .map(({ offered: _, ...row }) => ({
        ...row,
        retained: orZero(row.retained),
        bookRetained: orZero(row.bookRetained),
        cb: orNull(row.cb),
        pyqp: orNull(row.pyqp),
        geneX: orNull(row.geneX),
        tb: orNull(row.tb),
        wb: orNull(row.wb),
      })),
  }
}

const amount = z.union(
  [
    z.literal(''),
    z
      .number()
      .check(
        z.minimum(0, catalogueMessages.amountRequired),
        z.maximum(100_000, catalogueMessages.amountHigh),
      ),
  ],
  catalogueMessages.amountRequired,
)
const row = z
  .object({
    classId: z.int(),
    offered: z.boolean(),
    fee: amount,
    retained: amount,
    bookRetained: amount,
    cb: amount,
    pyqp: amount,
    geneX: amount,
    tb: amount,
    wb: amount,
  })
  .check(
    z.refine(({ offered, fee }) => !offered || fee !== '', {
      error: catalogueMessages.amountRequired,
      path: ['fee'],
    }),
    // Of a fee that is missing that alone is said.
    z.refine(({ fee, retained }) => fee === '' || Number(retained) <= fee, {
      error: catalogueMessages.retainedHigh,
      path: ['retained'],
    }),
  )

/** What is typed, checked class by class where it stands, then as the call takes it. */
export const feesSchema = z.pipe(
  z.pipe(z.object({ classes: z.array(row) }), z.transform(bodyOf)),
  z.object({ classes: saveFees.body.shape.classes }),
)
