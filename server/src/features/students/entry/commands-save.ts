import { joiningMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { istDay, type Season } from '@podium/contract/season'
import { lateFeeOf, type PricedChoice, type ShareRule } from '@podium/contract/students/rules-fee'
import type { StudentFields } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import { lateFeeNow, type OfferedEvent, priceOfKind } from '#features/catalogue/queries'
import { listsOpen, signedOffLists } from '#features/students/sign-off/queries'
import { actorOf } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { codeHash, type Keys, newCode, newId, seal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { type StudentColumns, storedBookPrice, storedFee, storedLateFee, studentColumns } from './queries.ts'
import { wideColumns } from './rules.ts'

interface LikelyDuplicate {
  id: number
  studentName: string
  classId: number
  section: string
  rollNo: number
}

export type SavedStudent = StudentColumns & { likely: LikelyDuplicate[] }

/** A family's link in the making: the access code is kept as keyed hash, bound to the link, and sealed for printing. */
export function newFamilyLink(keys: Keys) {
  const id = newId()
  const code = newCode(8)
  return { id, hash: codeHash(keys, id, code), sealed: seal(keys, code) }
}

/** What the audit trail keeps of a student. */
export const snapshot = (row: string) =>
  sql.raw(`jsonb_build_object('classId', ${row}.class_id, 'section', ${row}.section, 'rollNo', ${row}.roll_no,
    'name', ${row}.name, 'parentName', ${row}.parent_name, 'parentEmail', ${row}.parent_email,
    'parentMobile', ${row}.parent_mobile, 'subjects', ${row}.letters, 'cb', ${row}.cb, 'pyqp', ${row}.pyqp,
    'geneX', ${row}.genex, 'tb', ${row}.tb, 'wb', ${row}.wb, 'regAmount', ${row}.reg_amount,
    'bookAmount', ${row}.book_amount)`)

/** Only what differs, on both sides. */
const changed = sql`(
  select jsonb_build_object('from', coalesce(jsonb_object_agg(o.key, o.value), '{}'), 'to', coalesce(jsonb_object_agg(o.key, n.value), '{}'))
  from jsonb_each(${snapshot('old')}) o join jsonb_each(${snapshot('st')}) n on n.key = o.key
  where n.value is distinct from o.value)`

/**
 * Whether somebody of the link `l` is still entered, or was under one of these folded names. Else its number stood at a
 * child by mistake, and whoever was handed it then must not find the children of the number's owner behind it.
 */
export const linkHasStudent = (names: readonly string[]) => sql`exists (
  select from students m where m.family_link_id = l.id and (m.active or m.name_key = any(${names}::text[])))`

/**
 * The family's link: the one of the parent's mobile in this school and season, else a new one. It is locked, so that it
 * can't be taken back while a child comes into it.
 */
function familyLink(draft: Draft, scope: SchoolScope, keys: Keys, now: Date, from: RawBuilder<unknown>) {
  const link = newFamilyLink(keys)
  const mobile = joiningMobile(draft.fields.parentMobileNo)
  const lived = linkHasStudent([foldName(draft.fields.studentName)])
  const byMobile = sql`l.school_id = ${scope.schoolId} and l.season = ${draft.season} and l.parent_mobile = ${mobile}
    and l.parent_mobile <> '' and l.revoked_at is null and exists (select from ${from})`
  return sql`
    known_link as (
      select l.id from family_links l where ${byMobile} and ${lived}
      for key share of l
    ), left_link as (
      update family_links l set revoked_at = ${now}::timestamptz where ${byMobile} and not ${lived} returning l.id
    ), new_link as (
      insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at)
      select ${link.id}, ${scope.schoolId}, ${draft.season}, ${mobile}, ${link.hash}, ${link.sealed}, ${now}::timestamptz
      from ${from} and not exists (select from known_link) and (select count(*) from left_link) >= 0
      on conflict (school_id, season, parent_mobile) where parent_mobile <> '' and revoked_at is null
        do update set parent_mobile = excluded.parent_mobile
      returning id
    ), link as (select id from known_link union all select id from new_link)`
}

/** The rest of a save: participation of the school, audit line, likely duplicates, and the row that was saved. */
function consequences(
  draft: Draft,
  scope: SchoolScope,
  now: Date,
  action: string,
  change: RawBuilder<unknown>,
) {
  const actor = actorOf(scope)
  return sql`
    enrolled as (
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, late_fee, created_at)
      select st.id, w.event_id, st.school_id, st.class_id, w.fee, w.retained, w.late, ${now}::timestamptz from saved st, wanted w
      on conflict (student_id, event_id) do update set class_id = excluded.class_id, fee = excluded.fee, retained = excluded.retained,
        late_fee = excluded.late_fee
    ), ordered as (
      insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
      select st.id, w.event_id, w.kind, st.school_id, st.class_id, w.price, w.retained, ${now}::timestamptz from saved st, wanted_books w
      on conflict (student_id, event_id, kind) do update set class_id = excluded.class_id, price = excluded.price, retained = excluded.retained
    ), takes_part as (
      insert into participations (school_id, event_id, created_at)
      select st.school_id, w.event_id, ${now}::timestamptz from saved st, wanted w
      where not exists (select from participations p where p.school_id = st.school_id and p.event_id = w.event_id)
      on conflict (school_id, event_id) do nothing
    ), noted as (
      insert into audit (at, actor_kind, actor_id, actor_name, acting_for, school_id, season, action, subject_kind, subject_id, change)
      select ${now}::timestamptz, ${actor.actor_kind}, ${actor.actor_id}::bigint, ${actor.actor_name}, ${actor.acting_for}, st.school_id, st.season,
        ${action}, 'student', st.id::text, ${change}
    )
    select ${studentColumns}, coalesce((
      select jsonb_agg(jsonb_build_object('id', l.id, 'studentName', l.name, 'classId', l.class_id, 'section', l.section, 'rollNo', l.roll_no))
      from (
        select * from students l
        where l.school_id = ${scope.schoolId} and l.season = ${draft.season} and l.class_id = st.class_id
          and l.name_key = st.name_key and l.active and l.id <> st.id
        order by l.id limit 5) l), '[]') as likely
    from saved st`
}

/** The student's own columns in one order, for both statements below. */
function values(draft: Draft) {
  const { fields, priced } = draft
  const { fee } = priced
  const wide = wideColumns(priced)
  return {
    class_id: fields.classId,
    section: fields.section,
    roll_no: fields.rollno,
    name: fields.studentName,
    name_key: foldName(fields.studentName),
    parent_name: fields.parentName,
    parent_email: fields.parentEmailId,
    parent_mobile: fields.parentMobileNo,
    subject_names: wide.subjectNames,
    letters: wide.letters,
    cb: wide.cb,
    pyqp: wide.pyqp,
    genex: wide.genex,
    tb: wide.tb,
    wb: wide.wb,
    reg_amount: fee.regAmount,
    reg_retained: fee.schoolExpenses,
    late_amount: lateFeeOf(priced),
    book_amount: fee.bookAmount,
    book_retained: fee.bookSchoolExpenses,
    book_count: wide.bookCount,
  }
}

const numbers = new Set([
  'class_id',
  'roll_no',
  'reg_amount',
  'reg_retained',
  'late_amount',
  'book_amount',
  'book_retained',
  'book_count',
])
const typed = ([column, value]: [string, string | number]) =>
  sql`${value}::${sql.raw(numbers.has(column) ? 'int' : 'text')}`

/**
 * Writes a new student with everything that follows from it, in one statement that is atomic by itself. Undefined where
 * the guard found something closed, or a price that is no longer so. A roll no that is taken is PostgreSQL's
 * unique_violation of students_by_roll.
 */
export async function insertStudent(db: Db | Tx, writing: Writing) {
  const { scope, keys, now, draft } = writing
  const own = Object.entries(values(draft))
  const { rows } = await sql<SavedStudent>`
    with ${guard(writing)}, ${familyLink(draft, scope, keys, now, sql`gate where true`)}, saved as (
      insert into students (school_id, season, family_link_id, created_at, updated_at, ${sql.join(own.map(([column]) => sql.ref(column)))})
      select ${scope.schoolId}, ${draft.season}, link.id, ${now}::timestamptz, ${now}::timestamptz, ${sql.join(own.map(typed))}
      from gate, link
      returning *
    ), ${consequences(draft, scope, now, 'student.added', sql`jsonb_build_object('to', ${snapshot('st')}) from saved st`)}`.execute(
    db,
  )
  return rows[0]
}

/**
 * Changes a student, likewise in one statement. The guard also wants the school's own row of this season, active,
 * unpaid, not under verification, of this version, and none of its subjects so far closed.
 */
export async function updateStudent(db: Db | Tx, writing: Writing) {
  const { scope, keys, now, draft } = writing
  const own = Object.entries(values(draft))
  const mobile = draft.fields.parentMobileNo
  const { rows } = await sql<SavedStudent>`
    with ${guard(writing)}, old as (
      select o.* from students o, gate
      where o.id = ${draft.id} and o.school_id = ${scope.schoolId} and o.season = ${draft.season} and o.version = ${draft.version}
        and not exists (
          select from enrolments n join events e on e.id = n.event_id where n.student_id = o.id and e.closes_on < ${istDay(now)}::date)
    ), ${familyLink(draft, scope, keys, now, sql`old where (old.parent_mobile <> ${mobile} or old.family_link_id is null)`)}, saved as (
      update students st
      set updated_at = ${now}::timestamptz, version = st.version + 1,
        family_link_id = case when old.parent_mobile = ${mobile} then coalesce(st.family_link_id, (select id from link)) else (select id from link) end,
        ${sql.join(own.map((pair) => sql`${sql.ref(pair[0])} = ${typed(pair)}`))}
      from old
      where st.id = old.id and st.school_id = ${scope.schoolId} and st.version = ${draft.version}
        and st.active and not st.paid and not st.locked
      returning st.*
    ), left_events as (
      delete from enrolments n using saved st where n.student_id = st.id and n.event_id not in (select event_id from wanted)
    ), left_books as (
      delete from book_choices n using saved st
      where n.student_id = st.id and not exists (select from wanted_books w where w.event_id = n.event_id and w.kind = n.kind)
    ), ${consequences(draft, scope, now, 'student.changed', sql`${changed} from saved st join old on old.id = st.id`)}`.execute(
    db,
  )
  return rows[0]
}

/** A student as checked and priced, ready to be written. */
export interface Draft {
  season: Season
  /** 0 for a new one */
  id: number
  version: number
  fields: StudentFields
  priced: PricedChoice
  /** What `priced` was computed from: the statement compares it with the price list of its own moment. */
  offer: readonly OfferedEvent[]
  share: ShareRule
  /** The import that is taken back: what the student cost before it is as good as the price list */
  undoesImport?: string
}

/** A draft, and by whom and when it is written. */
interface Writing {
  scope: SchoolScope
  keys: Keys
  now: Date
  draft: Draft
  /** Whether the session is alive */
  alive: RawBuilder<boolean>
}

function lines({ priced, offer }: Draft) {
  const eventOf = new Map(offer.map((event) => [event.letter, event]))
  const event = (letter: string) => {
    const found = eventOf.get(letter)
    if (!found) throw new Error(`priced, but not offered: ${letter}`)
    return found
  }
  const { registration, books } = priced
  return {
    events: registration.map((line) => event(line.letter).eventId),
    fees: registration.map((line) => line.price),
    retained: registration.map((line) => line.retained),
    lates: registration.map((line) => line.late),
    bases: registration.map((line) => event(line.letter).base),
    bookEvents: books.map((line) => event(line.letter).eventId),
    bookKinds: books.map((line) => line.kind),
    bookPrices: books.map((line) => line.price),
    bookRetained: books.map((line) => line.retained),
    bookBases: books.map((line) => event(line.letter).bookBase),
  }
}

/**
 * The guard of every save: each chosen event is the season's, offered to the class, still open on this day (IST), and
 * costs what was computed, by the list or as the student has it; the season is open and shares by the same rule; no list
 * that the student is to be in, or was in, is signed off. `gate` has one row if all of it holds.
 */
function guard({ draft, scope, now, alive }: Writing): RawBuilder<unknown> {
  const l = lines(draft)
  const { classId } = draft.fields
  const events = sql`select unnest(${l.events}::bigint[])
        union select n.event_id from enrolments n where n.student_id = ${draft.id}`
  return sql`
    ${signedOffLists(scope, events)}, wanted as (
      select w.event_id, w.fee, w.retained, w.late
      from unnest(${l.events}::bigint[], ${l.fees}::int[], ${l.retained}::int[], ${l.lates}::int[], ${l.bases}::int[])
          as w (event_id, fee, retained, late, base)
        join events e on e.id = w.event_id and e.season = ${draft.season} and e.level = 1 and e.closes_on >= ${istDay(now)}::date
        left join event_fees f on f.event_id = e.id and f.class_id = ${classId} and f.fee = w.fee - w.late and f.retained = w.base
          and (w.late = ${lateFeeNow(now)} ${storedLateFee(draft)})
      where f.event_id is not null ${storedFee(draft)}
    ), wanted_books as (
      select b.event_id, b.kind, b.price, b.retained
      from unnest(${l.bookEvents}::bigint[], ${l.bookKinds}::text[], ${l.bookPrices}::int[], ${l.bookRetained}::int[], ${l.bookBases}::int[])
          as b (event_id, kind, price, retained, base)
        left join event_fees f on f.event_id = b.event_id and f.class_id = ${classId} and f.book_retained = b.base and ${priceOfKind} = b.price
      where f.event_id is not null ${storedBookPrice(draft)}
    ), gate as (
      select from seasons s
      where s.label = ${draft.season} and s.state = 'open' and s.share_rule = ${JSON.stringify(draft.share)}::jsonb
        and (select count(*) from wanted) = ${l.events.length} and (select count(*) from wanted_books) = ${l.bookEvents.length}
        and ${listsOpen} and ${alive}
    )`
}
