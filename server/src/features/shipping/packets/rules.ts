import { bookNames, classes } from '@podium/contract/classes'
import {
  type AwardKind,
  awardKinds,
  type DueContents,
  type LineKind,
} from '@podium/contract/shipping/calls-orders'

/** Copies of a line of a parcel. */
export interface PackLine {
  eventId: number
  classId: number
  kind: LineKind
  quantity: number
  /** Of these: spare question papers */
  spare: number
}

const otherNames: Record<AwardKind | 'paper', string> = {
  paper: 'Question paper',
  gold: 'Gold medal',
  silver: 'Silver medal',
  bronze: 'Bronze medal',
  prize: 'Prize',
  gift: 'Gift certificate',
  award: 'Award',
  certificate: 'Certificate',
}
const names: Record<string, string> = { ...bookNames, ...otherNames }

/** `Comprehensive Book`, `Question paper`, `Gold medal`. */
export const kindName = (kind: string): string => names[kind] ?? kind

export const contentTitle: Record<DueContents, string> = {
  books: 'Books',
  papers: 'Question papers',
  awards: 'Awards',
}

/** Where a kind of award stands among its like, the gold medal first; books stand before them. */
export const kindPlace = (kind: string): number => (awardKinds as readonly string[]).indexOf(kind)

/** The order of kinds in lists: books by their letters, awards from the medals to the certificates. */
export const inKindOrder = (one: string, other: string): number =>
  kindPlace(one) - kindPlace(other) || one.localeCompare(other)

/** The message of a prize or the title of an award, as `says` of its row keeps it; of other things their name. */
export function awardTitle(kind: string, says: string): string {
  if (kind === 'award') return says
  return kind === 'prize' || kind === 'gift' ? says.slice(0, says.lastIndexOf('|')) : kindName(kind)
}

/**
 * How many of the copies that are packed now are spare papers: those beyond the children, when so many were packed before.
 */
export function spareOf(quantity: number, before: number, students: number): number {
  return Math.min(quantity, Math.max(0, before + quantity - students))
}

const placeOfClass = new Map(classes.map(({ classId }, place) => [classId, place]))

/** Where a class stands among all, the youngest first. */
export function classPlace(classId: number): number {
  return placeOfClass.get(classId) ?? classes.length
}

/**
 * Parts lines, in their order, into parcels of at most `most` copies each; a line that does not fit goes on in the next.
 * 0: all in one. Nothing is lost: the sums are those of `lines`.
 */
export function splitLines(lines: readonly PackLine[], most: number): PackLine[][] {
  const wanted = lines.filter((line) => line.quantity > 0)
  if (wanted.length === 0) return []
  if (most <= 0) return [wanted]
  const parcels: PackLine[][] = []
  let parcel: PackLine[] = []
  let room = most
  for (const line of wanted) {
    let left = line.quantity
    while (left > 0) {
      const quantity = Math.min(left, room)
      // The children's copies go first: the spares are those that are packed last.
      const spare = Math.max(0, quantity - Math.max(0, left - line.spare))
      parcel.push({ ...line, quantity, spare })
      left -= quantity
      room -= quantity
      if (room === 0) {
        parcels.push(parcel)
        parcel = []
        room = most
      }
    }
  }
  return parcel.length > 0 ? [...parcels, parcel] : parcels
}
