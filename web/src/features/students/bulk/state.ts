import type { Season } from '@podium/contract/season'
import { changeStudents, type StudentChange, type StudentRow } from '@podium/contract/students/calls'
import { callOnce } from '#shell/call-once.ts'

export type ChangeKind = 'add' | 'remove' | 'move'

const listed = (names: string) => (names === '' ? [] : names.split(','))

/** Returns the changes that the choice means for these students, leaving out students it would not change. */
export function bulkChanges(rows: readonly StudentRow[], kind: ChangeKind, to: string): StudentChange[] {
  if (to === '') return []
  return rows.flatMap(({ id, version, section, subjectName }): StudentChange[] => {
    if (kind === 'move') return section === to ? [] : [{ id, version, section: to }]
    const names = listed(subjectName)
    const hasSubject = names.includes(to)
    if (kind === 'add') return hasSubject ? [] : [{ id, version, subjectName: [...names, to] }]
    return hasSubject ? [{ id, version, subjectName: names.filter((name) => name !== to) }] : []
  })
}

/** Small batches, so that other requests of the school are answered in between. */
const batchSize = 100

export interface BulkResult {
  season: Season
  /** What was done, for the message */
  did: 'changed' | 'deleted' | 'restored'
  changed: number
  refused: Array<{ id: number; studentName: string; message: string }>
  before: StudentChange[]
}

/** Returns the changes that delete or restore these students. */
export const activationChanges = (rows: readonly StudentRow[], active: boolean): StudentChange[] =>
  rows.map(({ id, version }) => ({ id, version, active }))

/** The keys of changes that were not answered completely */
const unanswered = new Map<string, string>()

/**
 * Sends changes in batches. `onDone` gets the number processed so far. If an answer is lost and the same changes are sent
 * again, those already made are answered as the first time.
 */
export async function sendChanges(
  FYear: Season,
  changes: readonly StudentChange[],
  did: BulkResult['did'] = 'changed',
  onDone: (count: number) => void = () => undefined,
): Promise<BulkResult> {
  const text = JSON.stringify(changes)
  const idempotencyKey = unanswered.get(text) ?? crypto.randomUUID()
  unanswered.set(text, idempotencyKey)
  const all: BulkResult = { season: FYear, did, changed: 0, refused: [], before: [] }
  for (let first = 0; first < changes.length; first += batchSize) {
    const students = changes.slice(first, first + batchSize)
    const { changed, refused, before } = await callOnce(changeStudents, {
      body: { FYear, students },
      idempotencyKey,
    })
    all.changed += changed
    all.refused.push(...refused)
    all.before.push(...before)
    onDone(first + students.length)
  }
  unanswered.delete(text)
  return all
}

/** Returns what remains to be undone of a deletion when one of its students is restored; undefined if nothing does. */
export function withoutRestored(note: BulkResult | undefined, id: number): BulkResult | undefined {
  if (note?.did !== 'deleted' || !note.before.some((student) => student.id === id)) return note
  const before = note.before.filter((student) => student.id !== id)
  return before.length === 0 ? undefined : { ...note, changed: before.length, before }
}
