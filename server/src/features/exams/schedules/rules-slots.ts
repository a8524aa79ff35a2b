/** Students of a school who wait for a slot, in the order in which they get one. */
export interface Waiting {
  schoolId: number
  studentIds: number[]
}

export interface Room {
  slotId: number
  free: number
}

export interface Given {
  slotId: number
  studentIds: number[]
}

/**
 * Gives each school the first slot that has room for all of its students; where none has, its students fill the free
 * places in order. Undefined when there is not room for all: then nobody gets a slot.
 */
export function giveSlots(schools: readonly Waiting[], rooms: readonly Room[]): Given[] | undefined {
  // A slot whose places were made fewer, or whose hours a file has given to more, has none.
  const left = rooms.map((room) => ({ ...room, free: Math.max(0, room.free) }))
  const given: Given[] = []
  for (const { studentIds } of schools) {
    const whole = left.find(({ free }) => free >= studentIds.length)
    const places = whole ? [whole] : left
    let rest = studentIds
    for (const room of places) {
      const some = rest.slice(0, room.free)
      if (some.length === 0) continue
      given.push({ slotId: room.slotId, studentIds: some })
      room.free -= some.length
      rest = rest.slice(some.length)
      if (rest.length === 0) break
    }
    if (rest.length > 0) return undefined
  }
  return given
}

/** A time of the day as files write it: `10:30`, `10:30 AM`, `9 pm`; minutes after midnight, undefined for anything else. */
export function minuteOf(said: string): number | undefined {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(said.trim())
  if (!match) return undefined
  const [, hour = '', minute = '0', half] = match
  if (half === undefined && match[2] === undefined) return undefined
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  if ((half && (Number(hour) < 1 || Number(hour) > 12)) || hours > 23 || Number(minute) > 59) return undefined
  return hours * 60 + Number(minute)
}

/** A day as files write it, `2026-12-10`, `10/12/2026` or `10-Dec-2026`; ISO, undefined for anything else. */
export function dayOf(said: string): string | undefined {
  const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(said.trim())
  const indian = /^(\d{1,2})[-/. ](\d{1,2}|[A-Za-z]{3})[a-z]*[-/. ](\d{4})/.exec(said.trim())
  const [year, month, day] = iso ? iso.slice(1) : indian ? [indian[3], indian[2], indian[1]] : []
  if (!year || !month || !day) return undefined
  const number = /^\d+$/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1
  const text = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T12:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

/** The instants of a day and its hours in India; undefined where the end does not come after the beginning. */
export function hoursOf(day: string | undefined, from: number | undefined, to: number | undefined) {
  if (day === undefined || from === undefined || to === undefined || to <= from) return undefined
  const two = (part: number) => String(part).padStart(2, '0')
  const at = (minute: number) =>
    new Date(`${day}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00+05:30`)
  return { from: at(from), to: at(to) }
}

const headings = {
  roll: ['examrollno', 'examrollnumber', 'examroll', 'nioRollNo', 'rollno', 'rollnumber', 'roll'].map(
    (name) => name.toLowerCase(),
  ),
  day: ['date', 'examdate', 'day'],
  from: ['from', 'start', 'starttime', 'fromtime', 'begins', 'begin'],
  to: ['to', 'end', 'endtime', 'totime', 'ends', 'until'],
} as const

export type HourField = keyof typeof headings

/** At which place each column of a file of hours stands; undefined where one is missing. */
export function readHourHead(cells: readonly string[]): Record<HourField, number> | undefined {
  const folded = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const places = Object.entries(headings).map(([field, names]) => [
    field,
    folded.findIndex((cell) => (names as readonly string[]).includes(cell)),
  ])
  return places.every(([, place]) => Number(place) >= 0)
    ? (Object.fromEntries(places) as Record<HourField, number>)
    : undefined
}
