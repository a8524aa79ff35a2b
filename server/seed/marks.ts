import { sectionsOf } from '../src/features/results/rules.ts'
import { randomOf } from './random.ts'

export interface Sitting {
  roll: string
  name: string
}

interface MarkedEvent {
  letter: string
  season: string
  sections: unknown
}

/** A child's marks in an event: absent now and then; the weights of right answers as fraction of the final score. */
function marksOf(event: MarkedEvent, sitting: Sitting, key: string) {
  const random = randomOf(`${key} of ${sitting.roll} in ${event.letter} ${event.season}`)
  // The gift goes by the name, so that a child who is good in one subject is in the next.
  const gift = 0.3 + 0.68 * randomOf(`gift of ${sitting.name} ${sitting.roll.split('-')[0]}`).next()
  const sections = sectionsOf(event.sections)
  if (random.chance(0.04)) return { present: false, marks: sections.map(() => 0), final: 0 }
  const marks = sections.map(({ maximum }) =>
    Math.max(0, Math.min(maximum, Math.round(maximum * (gift + (random.next() - 0.5) * 0.35)))),
  )
  const raw = marks.reduce((sum, mark) => sum + mark, 0)
  // Three weights only, so that some children end level and a tie-break decides.
  return { present: true, marks, final: raw + (raw * random.pick([9, 12, 15])) / 10_000 }
}

/** The file of marks as the evaluation sends it; `odd` adds rows that an officer has to look at. */
export function marksFile(
  event: MarkedEvent,
  sittings: readonly Sitting[],
  { key = 'marks', odd = false } = {},
): { name: string; bytes: Buffer } {
  const sections = sectionsOf(event.sections)
  const lines = [['Roll No', 'Attendance', ...sections.map(({ name }) => name), 'Final Score'].join()]
  for (const sitting of sittings) {
    const { present, marks, final } = marksOf(event, sitting, key)
    lines.push([sitting.roll, present ? 'P' : 'A', ...marks, present ? final.toFixed(4) : ''].join())
  }
  if (odd) {
    const [first] = sittings
    lines.push(['XYZ9999-07-001', 'P', ...sections.map(() => 4), ''].join())
    if (first) lines.push([first.roll, 'P', ...sections.map(() => 5), ''].join())
  }
  return {
    name: `marks-${event.letter}-${event.season}.csv`,
    bytes: Buffer.from(`${lines.join('\n')}\n`),
  }
}
