import { type ShareRule, shareRule, slabOf } from '@podium/contract/catalogue/rules-fee'
import { fromRupees, type Paise } from '@podium/contract/money'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { firstRow } from '#platform/db/rows'
import { audit } from './audit.ts'
import { systemScope } from './auth/scope.ts'
import type { Db, Tx } from './db/database.ts'

/** A school in a season. */
interface SchoolSeason {
  schoolId: number
  season: string
}

/** Student `s` has books in a parcel that has left the office, and the bank has returned the money of a payment for them. */
const hasUnpaidBooks = sql`exists (
  select from payment_lines l join payments p on p.id = l.payment_id
    join book_choices b on b.student_id = l.student_id
    join packet_lines x on (x.event_id, x.class_id, x.kind) = (b.event_id, b.class_id, b.kind)
    join packets k on k.id = x.packet_id and k.school_id = s.school_id and k.counts
      and k.status in ('Dispatched', 'In transit', 'Delivered')
  where l.student_id = s.id and l.purpose = 'books' and p.reversed_at is not null)`

/**
 * Whether student `s` is locked by a payment: a live line of a pending payment or, if the registration is not `paid`, a
 * live line of any payment, or books that were sent before the bank returned their money.
 */
export const lockedByPayment = (paid: RawBuilder<unknown>) => sql`(exists (
  select from payment_lines l join payments p on p.id = l.payment_id
  where l.student_id = s.id and l.live and (p.state = 'pending' or not ${paid}))
  or (not ${paid} and ${hasUnpaidBooks}))`

/** Updates the locks of a school's unpaid students after a parcel of books has come back, or has left again. */
export async function relockUnpaid(tx: Tx, { schoolId, season }: SchoolSeason): Promise<void> {
  await sql`
    with unpaid as materialized (
      select id from students where school_id = ${schoolId} and season = ${season} and active and not paid
      order by id for update)
    update students s set locked = not s.locked, version = s.version + 1 from unpaid
    where s.id = unpaid.id and s.locked <> ${lockedByPayment(sql`false`)}`.execute(tx)
}

/**
 * Marks students as paid, releases their locks, and gives an exam roll number to those without one: school code, class,
 * serial, ordered by section and roll no within the class. The counters only go up, so no number is given twice in a
 * season. One statement, because each row has a dozen indexes and should be written once. The students must be locked;
 * `students` selects their ids.
 */
export async function markPaid(tx: Tx, students: RawBuilder<unknown>): Promise<void> {
  await sql`
    with covers as materialized (
      select s.id, s.season, s.school_id, s.class_id, s.exam_roll_no is null as fresh,
        row_number() over (partition by s.class_id, s.exam_roll_no is null order by s.section, s.roll_no, s.id) as place
      from students s where s.id in (${students})),
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
    update students s set paid = true, locked = ${lockedByPayment(sql`true`)}, version = s.version + 1,
      exam_roll_no = case when covers.fresh then c.code || '-' || lpad(s.class_id::text, 2, '0') || '-' ||
        lpad((began.last + covers.place)::text, greatest(3, length((began.last + covers.place)::text)), '0')
        else s.exam_roll_no end
    from covers join schools c on c.id = covers.school_id left join began on began.class_id = covers.class_id
    where s.id = covers.id`.execute(tx)
  // Their papers must now be sent, even if no payment says so.
  await sql`
    insert into dispatch_stale (school_id, season)
    select distinct s.school_id, s.season from students s where s.id in (${students})`.execute(tx)
}

type Student = 's' | 'st' | 'students'
const column = (student: Student, name: string) => sql.ref(`${student}.${name}`)

/** Whether a student's registration needs no payment, because the school's share covers the whole fee. */
export const nothingPayable = (student: Student) =>
  sql<boolean>`(${column(student, 'letters')} <> '' and ${column(student, 'reg_amount')} <= ${column(student, 'reg_retained')})`

/**
 * Whether a student's books are paid: by a verified payment, or together with the registration if the books need no
 * payment.
 */
export const booksPaid = (student: Student) => sql<boolean>`(exists (
    select from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = ${column(student, 'id')} and l.purpose = 'books' and l.live and p.state = 'verified')
  or (${column(student, 'paid')} and ${column(student, 'book_amount')} <= ${column(student, 'book_retained')}))`

/**
 * Marks students whose registration needs no payment as paid once a list they are in is signed off, without a receipt:
 * nobody can send money for them (docs/algorithms/fees.md). Writes one audit line if there are any. Must run in a
 * transaction that has locked the school; otherwise it locks it itself.
 */
export async function settleNothingPayable(tx: Tx, now: Date, school: SchoolSeason): Promise<void> {
  const { schoolId, season } = school
  const open = sql`
    select s.id from students s
    where s.school_id = ${schoolId} and s.season = ${season} and s.active and not s.paid and ${nothingPayable('s')}
      and not exists (select from payment_lines l where l.student_id = s.id and l.purpose = 'registration' and l.live)
      and exists (
        select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = s.school_id
        where n.student_id = s.id and p.signed_off_at is not null)`
  const candidate = await sql`${open} limit 1`.execute(tx)
  if (candidate.rows.length === 0) return
  await sql`select id from schools where id = ${schoolId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number }>`${open} order by s.id for update of s`.execute(tx)
  if (rows.length === 0) return
  await markPaid(tx, sql`select unnest(${rows.map(({ id }) => id)}::bigint[])`)
  const subject = { kind: 'school', id: schoolId, schoolId, season }
  const change = { students: rows.length }
  await audit(tx, now, systemScope('Nothing payable'), 'school.nothing_payable', subject, change)
}

/**
 * Undoes `settleNothingPayable` when a list is reopened: students who counted as paid without money, and are in no
 * other signed-off list, become editable again. They keep their exam roll no.
 */
export async function unsettleNothingPayable(tx: Tx, school: SchoolSeason): Promise<void> {
  const { schoolId, season } = school
  await sql`
    update students s set paid = false, locked = ${lockedByPayment(sql`false`)}, version = s.version + 1
    where s.school_id = ${schoolId} and s.season = ${season} and s.active and s.paid and not s.waived and ${nothingPayable('s')}
      and not exists (select from payment_lines l where l.student_id = s.id and l.purpose = 'registration' and l.live)
      and not exists (
        select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = s.school_id
        where n.student_id = s.id and p.signed_off_at is not null)`.execute(tx)
}

/**
 * Returns the head count that slabs use: a school's active students in a season, paid or not
 * (docs/algorithms/season.md).
 */
export async function countHeads(
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

/** Returns the season's slabs and the time they took effect; undefined under another rule. */
async function slabsOf(db: Db | Tx, { season }: SchoolSeason): Promise<Slabs | undefined> {
  const row = await firstRow(db, 'seasons', { label: season }, ['share_rule', 'share_since'])
  const rule = row && z.parse(shareRule, row.share_rule)
  return rule?.kind === 'slabs' ? { slabs: rule.slabs, since: row?.share_since ?? null } : undefined
}

/** A slab's share of entry `e`: never more than its fee without the late fee. */
const shareBy = (share: Paise) => sql`least(e.fee - e.late_fee, ${share}::int)`
const isOutdated = ({ since }: Slabs, share: Paise) =>
  sql`e.created_at >= coalesce(${since}::timestamptz, '-infinity') and e.retained <> ${shareBy(share)}`

/**
 * Selects students `st` with an unpaid registration and no payment sent for it, who have an entry made under these
 * slabs with a share that differs from the slab's.
 */
const outdated = ({ schoolId, season }: SchoolSeason, differs: RawBuilder<unknown>) => sql`
  from students st
  where st.school_id = ${schoolId} and st.season = ${season} and st.active and not st.paid
    and not exists (select from payment_lines l where l.student_id = st.id and l.purpose = 'registration' and l.live)
    and exists (select from enrolments e where e.student_id = st.id and ${differs})`

async function currentShare(db: Db | Tx, school: SchoolSeason, { slabs }: Slabs) {
  const heads = await countHeads(db, school, school.season)
  return { heads, share: fromRupees(slabOf(slabs, heads).slab?.share ?? 0) }
}

/**
 * Updates the share of all open entries of a school to the slab of its current head count. Must run in a transaction;
 * it locks the school (if not yet locked), then the students by id, the order all writes use. Entries in a pending or
 * verified payment, waived entries, and entries made under an earlier rule keep their share. Writes one audit line if
 * anything changes; does nothing under another rule.
 */
export async function updateSlabSharesIn(tx: Tx, now: Date, school: SchoolSeason): Promise<void> {
  const rule = await slabsOf(tx, school)
  if (!rule) return
  await sql`select id from schools where id = ${school.schoolId} for no key update`.execute(tx)
  const { heads, share } = await currentShare(tx, school, rule)
  const differs = isOutdated(rule, share)
  const { rows } = await sql<{ id: number }>`
    select st.id ${outdated(school, differs)} order by st.id for update of st`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`
    update enrolments e set retained = ${shareBy(share)}
    where e.student_id = any(${ids}::bigint[]) and ${differs}`.execute(tx)
  await sql`
    update students st set reg_retained = (select sum(e.retained) from enrolments e where e.student_id = st.id)
    where st.id = any(${ids}::bigint[])`.execute(tx)
  // If the share has risen to the fee, nothing is left to pay.
  await settleNothingPayable(tx, now, school)
  const subject = { kind: 'school', id: school.schoolId, schoolId: school.schoolId, season: school.season }
  await audit(tx, now, systemScope('Share by head count'), 'school.share_followed', subject, {
    heads,
    share: share / 100,
    students: ids.length,
  })
}

/**
 * Does the same after a write that had its own transaction: checks first, and locks only if an entry is out of date.
 */
export async function updateSlabShares(db: Db, now: Date, school: SchoolSeason): Promise<void> {
  const rule = await slabsOf(db, school)
  if (!rule) return
  const { share } = await currentShare(db, school, rule)
  const { rows } = await sql`select ${outdated(school, isOutdated(rule, share))} limit 1`.execute(db)
  if (rows.length > 0) await db.transaction().execute((tx) => updateSlabSharesIn(tx, now, school))
}
