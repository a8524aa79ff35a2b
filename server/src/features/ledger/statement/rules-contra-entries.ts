import { className } from '@podium/contract/classes'
import { paise } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import { type Movement, plain } from './rules.ts'

/** Lines of an account that stand against fees, of one child each; the child is named by class, section and roll no. */

interface OfChild {
  classId: number
  section: string
  rollNo: number
  at: Date
  amount: number
}

function lineOf({ classId, section, rollNo, at, amount }: OfChild) {
  const place = section === '-' ? className(classId) : `${className(classId)} ${section}`
  return {
    ...plain,
    day: istDay(at),
    at: at.getTime(),
    purpose: 'registration' as const,
    students: 1,
    reference: `${place}, ${rollNo}`,
    amount: paise(amount),
  }
}

/** A registration fee that need not be paid is credited. */
export function waivedMovement(waived: OfChild): Movement {
  return { ...lineOf(waived), kind: 'waived', credit: paise(waived.amount) }
}

export interface Moved extends OfChild {
  /** The child came from another school that had paid, or went to one */
  came: boolean
}

/**
 * What another school had paid for a child that came is credited here, and owed there no less: the money stays with the
 * school that has paid.
 */
export function movedMovement({ came, ...moved }: Moved): Movement {
  const line = lineOf(moved)
  const amount = paise(moved.amount)
  return came ? { ...line, kind: 'moved-in', credit: amount } : { ...line, kind: 'moved-out', debit: amount }
}
