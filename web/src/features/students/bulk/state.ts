import type { Season } from '@podium/contract/season'
import { changeStudents, type StudentChange, type StudentRow } from '@podium/contract/students/calls'
import { call } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-bulk.json'

/** The words of changing several students at once. */
export const changeWords = defineWords<typeof en>(import.meta.glob('#words/*/students-bulk.json'))

export type ChangeKind = 'add' | 'remove' | 'move'

const listed = (names: string) => (names === '' ? [] : names.split(','))

/** The changes that one decision means for these students; those whom it would leave as they are have none. */
export function changesOf(rows: readonly StudentRow[], kind: ChangeKind, to: string): StudentChange[] {
  if (to === '') return []
  return rows.flatMap(({ id, version, section, subjectName }): StudentChange[] => {
    if (kind === 'move') return section === to ? [] : [{ id, version, section: to }]
    const names = listed(subjectName)
    const has = names.includes(to)
    if (kind === 'add') return has ? [] : [{ id, version, subjectName: [...names, to] }]
    return has ? [{ id, version, subjectName: names.filter((name) => name !== to) }] : []
  })
}

/** Small portions: others of the school are answered in between. */
const portion = 100

export interface Changed {
  season: Season
  /** What was done, to say it */
  did: 'changed' | 'deleted' | 'restored'
  changed: number
  refused: Array<{ id: number; studentName: string; message: string }>
  before: StudentChange[]
}

/** The deletion of these students, or their restoration. */
export const flipsOf = (rows: readonly StudentRow[], active: boolean): StudentChange[] =>
  rows.map(({ id, version }) => ({ id, version, active }))

/** Sends changes, a portion at a time; `onDone` hears how many have been dealt with. */
export async function sendChanges(
  FYear: Season,
  changes: readonly StudentChange[],
  did: Changed['did'] = 'changed',
  onDone: (count: number) => void = () => undefined,
): Promise<Changed> {
  const all: Changed = { season: FYear, did, changed: 0, refused: [], before: [] }
  for (let first = 0; first < changes.length; first += portion) {
    const students = changes.slice(first, first + portion)
    const { changed, refused, before } = await call(changeStudents, { body: { FYear, students } })
    all.changed += changed
    all.refused.push(...refused)
    all.before.push(...before)
    onDone(first + students.length)
  }
  return all
}
