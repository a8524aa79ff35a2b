import { type ShareRule, shareRule, slabOf } from '@podium/contract/catalogue/rules-fee'
import { fromRupees, type Paise } from '@podium/contract/money'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { audit } from './audit.ts'
import { systemScope } from './auth/scope.ts'
import type { Db, Tx } from './db/database.ts'
import { settleNothingPayable } from './paid-students.ts'

/** A school in a season. */
export interface HeadCount {
  schoolId: number
  season: string
}

/** The head count that slabs go by: a school's active children of a season, paid or not (docs/algorithms/season.md). */
export async function headsOf(
  db: Db | Tx,
  { schoolId }: { schoolId: number },
  season: string,
): Promise<number> {
  const { rows } = await sql<{ heads: number }>`
    select count(*)::int as heads from students
    where school_id = ${schoolId} and season = ${season} and active`.execute(db)
  return rows[0]?.heads ?? 0
}

interface Slabs {
  slabs: Extract<ShareRule, { kind: 'slabs' }>['slabs']
  since: Date | null
}

/** The season's slabs and since when they count; undefined under another rule. */
async function slabsOf(db: Db | Tx, { season }: HeadCount): Promise<Slabs | undefined> {
  const row = await db
    .selectFrom('seasons')
    .select(['share_rule', 'share_since'])
    .where('label', '=', season)
    .executeTakeFirst()
  const rule = row && z.parse(shareRule, row.share_rule)
  return rule?.kind === 'slabs' ? { slabs: rule.slabs, since: row?.share_since ?? null } : undefined
}

/** The share of an entry `e` by a slab: never more than its fee without the late fee. */
const shareBy = (share: Paise) => sql`least(e.fee - e.late_fee, ${share}::int)`
const another = ({ since }: Slabs, share: Paise) =>
  sql`e.created_at >= coalesce(${since}::timestamptz, '-infinity') and e.retained <> ${shareBy(share)}`

/**
 * Children `st` whose registration nobody has paid or sent money for, and who have an entry made under these slabs with
 * another share than the slab gives.
 */
const behind = ({ schoolId, season }: HeadCount, differs: RawBuilder<unknown>) => sql`
  from students st
  where st.school_id = ${schoolId} and st.season = ${season} and st.active and not st.paid
    and not exists (select from payment_lines l where l.student_id = st.id and l.purpose = 'registration' and l.live)
    and exists (select from enrolments e where e.student_id = st.id and ${differs})`

async function shareNow(db: Db | Tx, at: HeadCount, { slabs }: Slabs) {
  const heads = await headsOf(db, at, at.season)
  return { heads, share: fromRupees(slabOf(slabs, heads).slab?.share ?? 0) }
}

/**
 * Lets all entries of a school that are still open follow the slab of its head count, in a transaction that has the
 * school locked, or locks it: then the students by id, as every write takes them. What a payment covers that is pending
 * or verified, what is waived, and what was entered under an earlier rule keeps its share. One audit line where anything
 * changes; nothing at all under another rule.
 */
export async function followSlabsIn(tx: Tx, now: Date, at: HeadCount): Promise<void> {
  const rule = await slabsOf(tx, at)
  if (!rule) return
  await sql`select id from schools where id = ${at.schoolId} for no key update`.execute(tx)
  const { heads, share } = await shareNow(tx, at, rule)
  const differs = another(rule, share)
  const { rows } = await sql<{ id: number }>`
    select st.id ${behind(at, differs)} order by st.id for update of st`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`
    update enrolments e set retained = ${shareBy(share)}
    where e.student_id = any(${ids}::bigint[]) and ${differs}`.execute(tx)
  await sql`
    update students st set reg_retained = (select sum(e.retained) from enrolments e where e.student_id = st.id)
    where st.id = any(${ids}::bigint[])`.execute(tx)
  // A share that has risen to the fee leaves nothing to pay.
  await settleNothingPayable(tx, now, at)
  const subject = { kind: 'school', id: at.schoolId, schoolId: at.schoolId, season: at.season }
  await audit(tx, now, systemScope('Share by head count'), 'school.share_followed', subject, {
    heads,
    share: share / 100,
    students: ids.length,
  })
}

/** The same after a write that was a transaction of its own: looks first, and locks only where something is behind. */
export async function followSlabs(db: Db, now: Date, at: HeadCount): Promise<void> {
  const rule = await slabsOf(db, at)
  if (!rule) return
  const { share } = await shareNow(db, at, rule)
  const { rows } = await sql`select ${behind(at, another(rule, share))} limit 1`.execute(db)
  if (rows.length > 0) await db.transaction().execute((tx) => followSlabsIn(tx, now, at))
}
