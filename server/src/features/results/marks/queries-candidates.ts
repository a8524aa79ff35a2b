import { className } from '@podium/contract/classes'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { sectionsOf } from '../rules.ts'

const batch = 5_000

interface Candidate {
  roll: string
  name: string
  class_id: number
  code: string
  school: string
}

/** An event as a file of marks is named and headed after it. */
export async function marksEvent(db: Db, _scope: OfficeScope, eventId: number) {
  const row = found(
    await db
      .selectFrom('events')
      .innerJoin('subjects', 'subjects.letter', 'events.letter')
      .select(['subjects.name', 'season', 'level', 'sections'])
      .where('events.id', '=', eventId)
      .executeTakeFirst(),
  )
  return { ...row, sections: sectionsOf(row.sections) }
}

/** How many students the file of marks names. */
export async function countCandidates(tx: Tx, _scope: OfficeScope, eventId: number): Promise<number> {
  const { rows } = await sql<{ students: number }>`
    select count(*)::int as students from enrolments e join students s on s.id = e.student_id
    where e.event_id = ${eventId} and s.active and s.paid and s.exam_roll_no is not null`.execute(tx)
  return rows[0]?.students ?? 0
}

/** The paid students of an event in the order of their roll numbers, a batch at a time: there may be a million. */
export async function* candidatesOf(db: Db, _scope: OfficeScope, eventId: number) {
  for (let after = ''; ; ) {
    const { rows } = await sql<Candidate>`
      select s.exam_roll_no as roll, s.name, s.class_id, h.code, h.name as school
      from enrolments e join students s on s.id = e.student_id join schools h on h.id = s.school_id
      where e.event_id = ${eventId} and s.active and s.paid and s.exam_roll_no > ${after}
      order by s.exam_roll_no limit ${batch}`.execute(db)
    for (const { class_id, ...row } of rows) yield { ...row, className: className(class_id) }
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.roll
  }
}

/** A version as the list of its faults is named after it. */
export async function marksOfSet(db: Db, _scope: OfficeScope, setId: number) {
  return found(
    await db
      .selectFrom('result_sets')
      .innerJoin('events', 'events.id', 'result_sets.event_id')
      .innerJoin('subjects', 'subjects.letter', 'events.letter')
      .select(['subjects.name', 'events.season', 'result_sets.version'])
      .where('result_sets.id', '=', setId)
      .executeTakeFirst(),
  )
}
