import { className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import { found } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'
import { resultColumns, resultRow, type StoredResult, seen, tableOrder } from './queries.ts'
import { markUnit } from './rules.ts'

export interface Preview {
  setId: number
  schCode: string | undefined
  classId: number | undefined
  action: '2' | '3' | '5' | undefined
  page: number
  pageSize: number
}

const narrowed = { 2: sql`and r.medal <> ''`, 3: sql`and r.prize <> ''`, 5: sql`and r.award <> ''` }

/** A page of a version's results: of one school in the order in which it sees them, or of all by olympiad rank. */
export async function previewOf(db: Db, _scope: OfficeScope, preview: Preview) {
  const set = found(
    await db
      .selectFrom('result_sets')
      .select(['event_id', 'rules'])
      .where('id', '=', preview.setId)
      .executeTakeFirst(),
  )
  const rules = set.rules as { nextLevel?: { level?: number } | null }
  const where = sql`
    from results r join schools h on h.id = r.school_id
    where r.set_id = ${preview.setId} and r.event_id = ${set.event_id}
      ${preview.schCode === undefined ? sql`` : sql`and h.code = ${preview.schCode}`}
      ${preview.classId === undefined ? sql`` : sql`and r.class_id = ${preview.classId}`}
      ${preview.action === undefined ? sql`` : narrowed[preview.action]}`
  const order =
    preview.schCode === undefined ? sql`r.olympiad_rank nulls last, r.class_id, r.exam_roll_no` : tableOrder
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total ${where}`.execute(db)
  const { rows } = await sql<StoredResult & { school_code: string; school_name: string }>`
    select ${resultColumns}, h.code as school_code, h.name as school_name ${where}
    order by ${order} limit ${preview.pageSize}
    offset ${(Math.max(preview.page, 1) - 1) * preview.pageSize}`.execute(db)
  return {
    total: counted[0]?.total ?? 0,
    data: rows.map((row) => ({
      ...resultRow(row, rules.nextLevel?.level ?? null),
      schCode: row.school_code,
      schName: row.school_name,
    })),
  }
}

interface ClassLine {
  classId: number
  present: number
  absent: number
  schools: number
  gold: number
  silver: number
  bronze: number
  prizes: number
  amount: number
  awards: number
  nextLevel: number
  highest: number | null
}

/** A computed version in figures, and how many results differ from the version before it that schools have seen. */
export async function summaryOf(db: Db, _scope: OfficeScope, setId: number) {
  const set = found(
    await db
      .selectFrom('result_sets')
      .select(['event_id', 'version'])
      .where('id', '=', setId)
      .executeTakeFirst(),
  )
  const { rows } = await sql<ClassLine>`
    select r.class_id as "classId", count(*) filter (where present) as present,
      count(*) filter (where not present) as absent, count(distinct school_id) as schools,
      count(*) filter (where medal = 'Gold') as gold, count(*) filter (where medal = 'Silver') as silver,
      count(*) filter (where medal = 'Bronze') as bronze, count(*) filter (where prize <> '') as prizes,
      sum(prize_amount)::bigint as amount, count(*) filter (where award <> '') as awards,
      count(*) filter (where next_level) as "nextLevel", max(final_score) as highest
    from results r where set_id = ${setId} group by r.class_id order by r.class_id`.execute(db)
  const before = await db
    .selectFrom('result_sets')
    .select(['id', 'version'])
    .where('event_id', '=', set.event_id)
    .where('version', '<', set.version)
    .where('state', 'in', ['released', 'superseded'])
    .where('released_at', 'is not', null)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return {
    classes: rows.map(({ amount, highest, ...row }) => ({
      ...row,
      className: className(row.classId),
      prizeAmount: rupees(paise(amount)),
      highest: (highest ?? 0) / markUnit,
    })),
    changes: before ? { version: before.version, ...(await differences(db, before.id, setId)) } : null,
  }
}

async function differences(db: Db, before: number, after: number) {
  const { rows } = await sql<{ added: number; removed: number; changed: number }>`
    with new as (select * from results where set_id = ${after}),
      old as (select * from results where set_id = ${before})
    select count(*) filter (where old.student_id is null) as added,
      count(*) filter (where new.student_id is null) as removed,
      count(*) filter (where old.student_id = new.student_id and (${seen('new')}) is distinct from (${seen('old')})) as changed
    from new full join old on old.student_id = new.student_id`.execute(db)
  return found(rows[0])
}

/** The schools whose results in an event are held back. */
export async function holdsOf(db: Db, _scope: OfficeScope, eventId: number) {
  const rows = await db
    .selectFrom('result_holds')
    .innerJoin('schools', 'schools.id', 'result_holds.school_id')
    .leftJoin('staff', 'staff.id', 'result_holds.held_by')
    .select([
      'schools.code',
      'schools.name',
      'result_holds.reason',
      'result_holds.held_at',
      'staff.name as heldBy',
    ])
    .where('result_holds.event_id', '=', eventId)
    .orderBy('result_holds.held_at', 'desc')
    .execute()
  return rows.map((row) => ({
    schCode: row.code,
    schName: row.name,
    reason: row.reason,
    heldBy: row.heldBy ?? '',
    heldAt: row.held_at.toISOString(),
  }))
}
