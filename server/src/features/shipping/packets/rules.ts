import { bookNames, classes } from '@podium/contract/classes'
import {
  awardKinds,
  type DueContents,
  type LineKind,
  otherItemNames,
} from '@podium/contract/shipping/calls-orders'

/** A line of a parcel, with its copies. */
export interface PackLine {
  eventId: number
  classId: number
  kind: LineKind
  quantity: number
  /** How many of these are spare question papers */
  spare: number
}

const names: Record<string, string> = {
  ...bookNames,
  ...Object.fromEntries(Object.entries(otherItemNames).map(([kind, { en }]) => [kind, en])),
}

/** `Comprehensive Book`, `Question paper`, `Gold medal`. */
export const kindName = (kind: string): string => names[kind] ?? kind

export const copiesText = (n: number): string => (n === 1 ? '1 copy' : `${n} copies`)

export const contentTitle: Record<DueContents, string> = {
  books: 'Books',
  papers: 'Question papers',
  awards: 'Awards',
}

/** The position of a kind of award, gold medal first; books come before all awards. */
export const kindPlace = (kind: string): number => (awardKinds as readonly string[]).indexOf(kind)

/** Compares kinds for lists: books by letter, then awards from medals to certificates. */
export const inKindOrder = (a: string, b: string): number => kindPlace(a) - kindPlace(b) || a.localeCompare(b)

/** The text of a prize or the title of an award, from the row's award key; otherwise the name of the kind. */
export function awardTitle(kind: string, awardKey: string): string {
  if (kind === 'award') return awardKey
  return kind === 'prize' || kind === 'gift' ? awardKey.slice(0, awardKey.lastIndexOf('|')) : kindName(kind)
}

/**
 * How many of the copies packed now are spares: those beyond the number of students, given the copies packed before.
 */
export function spareOf(quantity: number, before: number, students: number): number {
  return Math.min(quantity, Math.max(0, before + quantity - students))
}

const placeOfClass = new Map(classes.map(({ classId }, place) => [classId, place]))

/** The position of a class, youngest first. */
export function classPlace(classId: number): number {
  return placeOfClass.get(classId) ?? classes.length
}

/**
 * Splits lines, in order, into parcels of at most `most` copies; a line that does not fit continues in the next. 0: no limit.
 * The totals stay those of `lines`.
 */
export function splitLines(lines: readonly PackLine[], max: number): PackLine[][] {
  const wanted = lines.filter((line) => line.quantity > 0)
  if (wanted.length === 0) return []
  if (max <= 0) return [wanted]
  const parcels: PackLine[][] = []
  let parcel: PackLine[] = []
  let room = max
  for (const line of wanted) {
    let left = line.quantity
    while (left > 0) {
      const quantity = Math.min(left, room)
      // Students' copies are packed first, spares last.
      const spare = Math.max(0, quantity - Math.max(0, left - line.spare))
      parcel.push({ ...line, quantity, spare })
      left -= quantity
      room -= quantity
      if (room === 0) {
        parcels.push(parcel)
        parcel = []
        room = max
      }
    }
  }
  return parcel.length > 0 ? [...parcels, parcel] : parcels
}
