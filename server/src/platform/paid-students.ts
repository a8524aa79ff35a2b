import { type ShareRule, shareRule, slabOf } from '@podium/contract/catalogue/rules-fee'
import { fromRupees, type Paise } from '@podium/contract/money'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { audit } from './audit.ts'
import { systemScope } from './auth/scope.ts'
import type { Db, Tx } from './db/database.ts'

/** A school in a season. */
interface Place {
  schoolId: number
  season: string
}

/** Whether a live line of a pending payment holds the student `s`, and until its registration is paid one of any payment. */
export const heldByPayment = (paid: RawBuilder<unknown>) => sql`exists (
  select from payment_lines l join payments p on p.id = l.payment_id
  where l.student_id = s.id and l.live and (p.state = 'pending' or not ${paid}))`

/**
 * Marks students paid, lets go of them, and gives exam roll numbers to those that have none: school code, class, serial,
 * by section and roll no within the class. The counters only go up, so no number is given twice in a season. One
 * statement: each row has a dozen indexes, and is written once. The students are locked; `which` selects their ids.
 */
export async function markPaid(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    with covers as materialized (
      select s.id, s.season, s.school_id, s.class_id, s.exam_roll_no is null as fresh,
        row_number() over (partition by s.class_id, s.exam_roll_no is null order by s.section, s.roll_no, s.id) as place
      from students s where s.id in (${which})),
    wanted as (
      select class_id, 'exam-roll:' || season || ':' || school_id || ':' || class_id as counter, count(*) as many
      from covers where fresh group by season, school_id, class_id),
    counted as (
      insert into counters (name, value) select counter, many from wanted order by counter
      on conflict (name) do update set value = counters.value + excluded.value
      returning name, value),
    -- A row for each class, so that joining each with each costs little where nothing is known of their number.
    began as (
      select wanted.class_id, counted.value - wanted.many as last from wanted join counted on counted.name = wanted.counter)
    update students s set paid = true, locked = ${heldByPayment(sql`true`)}, version = s.version + 1,
      exam_roll_no = case when covers.fresh then c.code || '-' || lpad(s.class_id::text, 2, '0') || '-' ||
        lpad((began.last + covers.place)::text, greatest(3, length((began.last + covers.place)::text)), '0')
        else s.exam_roll_no end
    from covers join schools c on c.id = covers.school_id left join began on began.class_id = covers.class_id
    where s.id = covers.id`.execute(tx)
  // Their papers are to be sent, and no payment need say so.
  await sql`
    insert into dispatch_stale (school_id, season)
    select distinct s.school_id, s.season from students s where s.id in (${which})`.execute(tx)
}

type Student = 's' | 'st' | 'students'
const column = (student: Student, name: string) => sql.ref(`${student}.${name}`)

/** Whether nothing of a student's registration is payable, because the school's share reaches the fee. */
export const nothingPayable = (student: Student) =>
  sql<boolean>`(${column(student, 'letters')} <> '' and ${column(student, 'reg_amount')} <= ${column(student, 'reg_retained')})`

/** Whether a student's books are paid: by a verified payment, or with its registration where nothing of them is payable. */
export const booksPaid = (student: Student) => sql<boolean>`(exists (
    select from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = ${column(student, 'id')} and l.purpose = 'books' and l.live and p.state = 'verified')
  or (${column(student, 'paid')} and ${column(student, 'book_amount')} <= ${column(student, 'book_retained')}))`

/**
 * Children of whose registration nothing is payable count as paid once a list that they are in is signed off, without a
 * receipt: nobody can send money for them (docs/algorithms/fees.md). One audit line where there are any. In a
 * transaction that has the school locked, or locks it.
 */
export async function settleNothingPayable(tx: Tx, now: Date, place: Place): Promise<void> {
  const { schoolId, season } = place
  const open = sql`
    select s.id from students s
    where s.school_id = ${schoolId} and s.season = ${season} and s.active and not s.paid and ${nothingPayable('s')}
      and not exists (select from payment_lines l where l.student_id = s.id and l.purpose = 'registration' and l.live)
      and exists (
        select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = s.school_id
        where n.student_id = s.id and p.signed_off_at is not null)`
  const found = await sql`${open} limit 1`.execute(tx)
  if (found.rows.length === 0) return
  await sql`select id from schools where id = ${schoolId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number }>`${open} order by s.id for update of s`.execute(tx)
  if (rows.length === 0) return
  await markPaid(tx, sql`select unnest(${rows.map(({ id }) => id)}::bigint[])`)
  const subject = { kind: 'school', id: schoolId, schoolId, season }
  const change = { students: rows.length }
  await audit(tx, now, systemScope('Nothing payable'), 'school.nothing_payable', subject, change)
}

/**
 * The other way, when a list is opened again: who counted as paid without money, and is in no other list that is signed
 * off, may be changed again. An exam roll no stays the child's.
 */
export async function unsettleNothingPayable(tx: Tx, place: Place): Promise<void> {
  const { schoolId, season } = place
  await sql`
    update students s set paid = false, locked = ${heldByPayment(sql`false`)}, version = s.version + 1
    where s.school_id = ${schoolId} and s.season = ${season} and s.active and s.paid and not s.waived and ${nothingPayable('s')}
      and not exists (select from payment_lines l where l.student_id = s.id and l.purpose = 'registration' and l.live)
      and not exists (
        select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = s.school_id
        where n.student_id = s.id and p.signed_off_at is not null)`.execute(tx)
}

/** A school in a season. */
interface HeadCount {
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
