import { bookNames, classes } from '@podium/contract/classes'
import type { LineKind } from '@podium/contract/dispatch-due'

/** Copies of a line of a parcel. */
export interface PackLine {
  eventId: number
  classId: number
  kind: LineKind
  quantity: number
}

/** `Comprehensive Book`, `Question paper`. */
export function kindName(kind: string): string {
  return kind === 'paper' ? 'Question paper' : (bookNames[kind as keyof typeof bookNames] ?? kind)
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
      parcel.push({ ...line, quantity })
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
