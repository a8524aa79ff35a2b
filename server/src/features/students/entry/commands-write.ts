import { lateFeeOf, type PricedChoice } from '@podium/contract/catalogue/rules-fee'
import { familyMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { istDay, type Season } from '@podium/contract/season'
import { placeKey } from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import { lateFeeNow, type OfferedEvent, priceOfKind, type SeasonCatalogue } from '#features/catalogue/queries'
import { listsOpen, signedOffLists } from '#features/students/sign-off/queries'
import { insertAudit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { codeHash, type Keys, newCode, newId, seal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { type KeyedRequest, storeAnswer } from '#platform/http/idempotency'
import { type StudentColumns, studentColumns } from './queries.ts'
import { type amountsDiffer, type EarlierPrices, wideColumns } from './rules.ts'

/** Who saves, and the time. */
export interface Writer {
  scope: SchoolScope
  keys: Keys
  now: Date
}

/** The season and price list to save with. */
export interface SaveTarget {
  season: Season
  /** With the shares for the school's new number of students */
  catalogue: SeasonCatalogue
  /** The import that enters the rows */
  importId?: string
  /** The import being undone: a student's prices before it are accepted like the price list */
  undoes?: string
}

/** A student to save. */
export interface StudentToSave {
  /** 0 for a new student */
  id: number
  /** The version seen; ignored for a new student */
  version: number
  fields: StudentFields
  /** The amounts shown, in rupees; omitted amounts are not compared */
  shown?: Parameters<typeof amountsDiffer>[0]
  /** The student's earlier prices, if different from the stored ones */
  stood?: EarlierPrices | undefined
  /** The student of last season being carried over */
  carriedFrom?: number | undefined
  /** The mobile that determines the family link, if it is not the parent's */
  familyMobile?: string | undefined
}

interface LikelyDuplicate {
  id: number
  studentName: string
  classId: number
  section: string
  rollNo: number
}

export type SavedStudent = StudentColumns & { likely: LikelyDuplicate[] }

/** A checked and priced row, ready to be written. */
export interface Draft {
  at: number
  row: StudentToSave
  priced: PricedChoice
  /** What `priced` was computed from; the statement compares it with the current price list. */
  offer: readonly OfferedEvent[]
  stood: EarlierPrices | undefined
}

/** A new family link. Its access code is stored as a keyed hash bound to the link, and encrypted for printing. */
function newFamilyLink(keys: Keys) {
  const id = newId()
  const code = newCode(8)
  return { id, hash: codeHash(keys, id, code), sealed: seal(keys, code) }
}

type NewLink = ReturnType<typeof newFamilyLink> & { mobile: string; at: number }

/** The mobile that determines the family link. */
const linkMobile = ({ row }: Draft) => familyMobile(row.familyMobile ?? row.fields.parentMobileNo)

/** New links: one for each mobile, and one for each student without. */
export function linksOf(drafts: readonly Draft[], keys: Keys): NewLink[] {
  const mobiles = new Set<string>()
  return drafts.flatMap((draft) => {
    const mobile = linkMobile(draft)
    if (mobile !== '' && mobiles.has(mobile)) return []
    mobiles.add(mobile)
    return { mobile, at: draft.at, ...newFamilyLink(keys) }
  })
}

/** The student's own columns. */
const ownColumns = {
  ...{
    class_id: 'int',
    section: 'text',
    roll_no: 'int',
    name: 'text',
    name_key: 'text',
    parent_name: 'text',
  },
  ...{ parent_email: 'text', parent_mobile: 'text', subject_names: 'text', letters: 'text', cb: 'text' },
  ...{ pyqp: 'text', genex: 'text', tb: 'text', wb: 'text', reg_amount: 'int', reg_retained: 'int' },
  ...{ late_amount: 'int', book_amount: 'int', book_retained: 'int', book_count: 'int' },
} as const

function valuesOf({ row: { fields }, priced }: Draft): Record<keyof typeof ownColumns, string | number> {
  const { subjectNames, bookCount, ...wide } = wideColumns(priced)
  return {
    class_id: fields.classId,
    section: fields.section,
    roll_no: fields.rollno,
    name: fields.studentName,
    name_key: foldName(fields.studentName),
    parent_name: fields.parentName,
    parent_email: fields.parentEmailId,
    parent_mobile: fields.parentMobileNo,
    subject_names: subjectNames,
    ...wide,
    reg_amount: priced.fee.regAmount,
    reg_retained: priced.fee.schoolExpenses,
    late_amount: lateFeeOf(priced),
    book_amount: priced.fee.bookAmount,
    book_retained: priced.fee.bookSchoolExpenses,
    book_count: bookCount,
  }
}

const columnList = (format: (column: string, type: string) => string) =>
  sql.raw(
    Object.entries(ownColumns)
      .map(([column, type]) => format(column, type))
      .join(', '),
  )
const ownNames = columnList((column) => column)
const ownValues = columnList((column) => `r.${column}`)
/** The columns of a written row used by the rest of the statement and its answer. */
const writtenColumns = sql`st.id, st.school_id, st.season, st.family_link_id, st.active, st.paid, st.locked, st.cancelled, st.version, ${columnList((column) => `st.${column}`)}`
const ownSettings = columnList((column) => `${column} = r.${column}`)

/** SQL: values as rows. */
const recordset = (rows: readonly object[], columns: RawBuilder<unknown>) =>
  sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${columns})`
const rowColumns = sql`at int, id bigint, version int, carried_from bigint, place text, own_link text, link_mobile text, ${columnList((column, type) => `${column} ${type}`)}`
const lineColumns = sql.raw(
  'at int, id bigint, class_id int, event_id bigint, fee int, retained int, late int, base int',
)
const bookColumns = sql.raw(
  'at int, id bigint, class_id int, event_id bigint, kind text, price int, retained int, base int',
)
const linkColumns = sql.raw('at int, id text, mobile text, hash text, sealed text')

/** The subjects or books of each draft, with their events. */
function linesOf<Line extends { letter: string }>(
  drafts: readonly Draft[],
  pick: (priced: PricedChoice) => Line[],
  format: (line: Line, event: OfferedEvent) => object,
) {
  return drafts.flatMap(({ at, row, offer, priced }) =>
    pick(priced).map((line) => {
      const event = offer.find(({ letter }) => letter === line.letter)
      if (!event) throw new Error(`priced, but not offered: ${line.letter}`)
      return { at, id: row.id, class_id: row.fields.classId, event_id: event.eventId, ...format(line, event) }
    }),
  )
}

/** `placeKey` in SQL. With a single text the planner estimates well and uses a hash join instead of a nested loop. */
const placeOf = (row: string) => sql.raw(`${row}.class_id || ' ' || ${row}.section || ' ' || ${row}.roll_no`)

/** SQL: a student as recorded in the activity log. */
export const snapshot = (row: string) =>
  sql.raw(`jsonb_build_object('classId', ${row}.class_id, 'section', ${row}.section, 'rollNo', ${row}.roll_no,
    'name', ${row}.name, 'parentName', ${row}.parent_name, 'parentEmail', ${row}.parent_email,
    'parentMobile', ${row}.parent_mobile, 'subjects', ${row}.letters, 'cb', ${row}.cb, 'pyqp', ${row}.pyqp,
    'geneX', ${row}.genex, 'tb', ${row}.tb, 'wb', ${row}.wb, 'regAmount', ${row}.reg_amount,
    'bookAmount', ${row}.book_amount)`)

/** SQL: the differing fields of both sides. */
const difference = sql`(
  select jsonb_build_object('from', coalesce(jsonb_object_agg(o.key, o.value), '{}'), 'to', coalesce(jsonb_object_agg(o.key, n.value), '{}'))
  from jsonb_each(${snapshot('old')}) o join jsonb_each(${snapshot('st')}) n on n.key = o.key
  where n.value is distinct from o.value)`

/**
 * SQL: whether link `l` has an active student, or had one with one of these folded names. Otherwise its number was entered by
 * mistake, and whoever received that link must not see the children of the number's owner.
 */
const linkHasStudent = (names: readonly string[]) => sql`exists (
  select from students m where m.family_link_id = l.id and (m.active or m.name_key = any(${names}::text[])))`

/**
 * Inserts new students, or updates one, with everything that follows, in one statement: guard, family link, student,
 * enrolments, books, the school's participation, audit lines. Returns whether the guard passed, and who was saved. Among
 * several new students, those whose roll no is taken or who were already carried over are skipped; a single student, like a
 * taken idempotency key, fails the statement.
 *
 * The guard: each chosen event belongs to the season, is offered to the class, is open today (IST), and costs what was
 * computed, by the price list or the student's existing price; the season is open with the same share rule; no list that a
 * student is or was in is signed off. A change also requires the school's own row of this season: active, unpaid, not under
 * verification, at this version, and with no closed subject so far.
 */
export async function writeStudents(
  db: Db | Tx,
  { scope, now }: Writer,
  { season, catalogue, importId, undoes }: SaveTarget,
  drafts: readonly Draft[],
  links: readonly NewLink[],
  kind: 'new' | 'one new' | 'change',
  keyed?: KeyedRequest,
) {
  const changing = kind === 'change'
  const linkAt = new Map(links.map(({ at, mobile, id }) => [at, mobile === '' ? id : null]))
  const students = drafts.map((draft) => {
    const { id, version, carriedFrom, fields } = draft.row
    const link = { own_link: linkAt.get(draft.at), link_mobile: linkMobile(draft) }
    const place = placeKey(fields)
    return { at: draft.at, id, version, carried_from: carriedFrom, place, ...link, ...valuesOf(draft) }
  })
  const lines = linesOf(
    drafts,
    ({ registration }) => registration,
    ({ price, retained, late }, { base }) => ({ fee: price, retained, late, base }),
  )
  const books = linesOf(
    drafts,
    (priced) => priced.books,
    ({ kind, price, retained }, { bookBase }) => ({ kind, price, retained, base: bookBase }),
  )
  const names = students.map(({ name_key }) => String(name_key))
  const mobiles = links.map(({ mobile }) => mobile).filter((mobile) => mobile !== '')
  /** Parts needed only for a change are left out for inserts, so that the insert has one stable plan. */
  const ofChange = (part: RawBuilder<unknown>, otherwise = sql``) => (changing ? part : otherwise)
  const events = sql`select event_id from lines ${ofChange(sql`
    union select n.event_id from enrolments n where n.student_id in (select id from incoming)`)}`
  const savedPrices = changing ? savedPriceParts(undoes) : { fee: sql``, late: sql``, book: sql`` }
  const stamp = sql`${now}::timestamptz`
  /** A child without a mobile has a link of its own: nobody's is looked for. */
  const ofMobile = (part: RawBuilder<unknown>, otherwise = sql``) => (mobiles.length > 0 ? part : otherwise)
  const linked = ofMobile(sql`coalesce(r.own_link, link.id)`, sql`r.own_link`)
  const withLink = ofMobile(sql`left join link on r.link_mobile <> '' and link.parent_mobile = r.link_mobile`)
  const ofMobiles = sql`l.school_id = ${scope.schoolId} and l.season = ${season} and l.parent_mobile = any(${mobiles}::text[])
    and l.parent_mobile <> '' and l.revoked_at is null and exists (select from coming)`
  const answer = sql`
    select st.at, ${studentColumns}, coalesce((
      select jsonb_agg(jsonb_build_object('id', l.id, 'studentName', l.name, 'classId', l.class_id, 'section', l.section, 'rollNo', l.roll_no))
      from (
        select * from students l
        where l.school_id = ${scope.schoolId} and l.season = ${season} and l.class_id = st.class_id
          and l.name_key = st.name_key and l.active and l.id <> st.id
        order by l.id limit 5) l), '[]') as likely
    from gate left join placed st on true`
  const { rows } = await sql<SavedStudent & { at: number | null }>`
    with incoming as (${recordset(students, rowColumns)}), lines as (${recordset(lines, lineColumns)}),
    book_lines as (${recordset(books, bookColumns)}), ${signedOffLists(scope, events)}, wanted as (
      select w.* from lines w
        join events e on e.id = w.event_id and e.season = ${season} and e.level = 1 and e.closes_on >= ${istDay(now)}::date
        left join event_fees f on f.event_id = w.event_id and f.class_id = w.class_id and f.fee = w.fee - w.late
          and f.retained = w.base and (w.late = ${lateFeeNow(now)} ${savedPrices.late})
      where f.event_id is not null ${savedPrices.fee}
    ), wanted_books as (
      select b.* from book_lines b
        left join event_fees f on f.event_id = b.event_id and f.class_id = b.class_id and f.book_retained = b.base
          and ${priceOfKind} = b.price
      where f.event_id is not null ${savedPrices.book}
    ), gate as (
      select from seasons s
      where s.label = ${season} and s.state = 'open' and s.share_rule = ${JSON.stringify(catalogue.share)}::jsonb
        and (select count(*) from wanted) = ${lines.length} and (select count(*) from wanted_books) = ${books.length}
        and ${listsOpen}
    ), ${ofChange(sql`old as (
      select o.* from students o join incoming r on r.id = o.id and r.version = o.version, gate
      where o.school_id = ${scope.schoolId} and o.season = ${season} and not exists (
        select from enrolments n join events e on e.id = n.event_id where n.student_id = o.id and e.closes_on < ${istDay(now)}::date)
    ),`)} coming as (
      -- Who comes to a link: new ones, and those whose mobile is another now.
      ${ofChange(
        sql`select from old join incoming r on r.id = old.id where old.parent_mobile <> r.parent_mobile or old.family_link_id is null`,
        sql`select from gate`,
      )}
    ), ${ofMobile(sql`known_link as (
      -- Locked, so that it can't be taken back meanwhile. By the list and not by a join with it: without statistics of a
      -- school just filled, each is tried with each.
      select l.id, l.parent_mobile from family_links l where ${ofMobiles} and ${linkHasStudent(names)} for key share of l
    ), left_link as (
      update family_links l set revoked_at = ${stamp} where ${ofMobiles} and not ${linkHasStudent(names)} returning l.id
    ),`)} new_link as (
      insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at)
      select r.id, ${scope.schoolId}, ${season}, r.mobile, r.hash, r.sealed, ${stamp} from (${recordset(links, linkColumns)}) r
      where exists (select from coming) ${ofMobile(sql`
        and not exists (select from known_link k where k.parent_mobile = r.mobile) and (select count(*) from left_link) >= 0
      order by r.mobile
      on conflict (school_id, season, parent_mobile) where parent_mobile <> '' and revoked_at is null
        do update set parent_mobile = excluded.parent_mobile
      returning id, parent_mobile`)}
    ), ${ofMobile(sql`link as (
      select id, parent_mobile from known_link union all select id, parent_mobile from new_link where parent_mobile <> ''
    ),`)} saved as (${
      changing
        ? sql`
      update students st
      set updated_at = ${stamp}, version = st.version + 1, ${ownSettings},
        family_link_id = case when old.parent_mobile = r.parent_mobile then coalesce(st.family_link_id, ${linked}) else ${linked} end
      from old join incoming r on r.id = old.id ${withLink}
      where st.id = old.id and st.school_id = ${scope.schoolId} and st.version = r.version
        and st.active and not st.paid and not st.locked
      returning ${writtenColumns}`
        : sql`
      insert into students as st (school_id, season, family_link_id, import_id, import_version, carried_from, created_at, updated_at, ${ownNames})
      select ${scope.schoolId}, ${season}, ${linked}, ${importId ?? null}::text, ${importId === undefined ? null : 1}::int, r.carried_from,
        ${stamp}, ${stamp}, ${ownValues}
      from gate, incoming r ${withLink}
      order by r.class_id, r.section, r.roll_no
      ${kind === 'new' ? sql`on conflict do nothing` : sql``}
      returning ${writtenColumns}`
    }
    ), placed as (
      select st.*, r.at from saved st join incoming r on ${changing ? sql`r.id = st.id` : sql`r.place = ${placeOf('st')}`}
    ), ${ofChange(sql`left_events as (
      delete from enrolments n using saved st where n.student_id = st.id and n.event_id not in (select event_id from wanted)
    ), left_books as (
      delete from book_choices n using saved st
      where n.student_id = st.id and not exists (select from wanted_books w where w.event_id = n.event_id and w.kind = n.kind)
    ),`)} enrolled as (
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, late_fee, created_at)
      select p.id, w.event_id, p.school_id, p.class_id, w.fee, w.retained, w.late, ${stamp} from placed p join lines w on w.at = p.at
      ${ofChange(sql`on conflict (student_id, event_id) do update
        set class_id = excluded.class_id, fee = excluded.fee, retained = excluded.retained, late_fee = excluded.late_fee`)}
    ), ordered as (
      insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
      select p.id, b.event_id, b.kind, p.school_id, p.class_id, b.price, b.retained, ${stamp} from placed p join book_lines b on b.at = p.at
      ${ofChange(sql`on conflict (student_id, event_id, kind) do update
        set class_id = excluded.class_id, price = excluded.price, retained = excluded.retained`)}
    ), takes_part as (
      insert into participations (school_id, event_id, created_at)
      select distinct p.school_id, w.event_id, ${stamp} from placed p join lines w on w.at = p.at
      where w.event_id not in (select event_id from lists)
      order by 2
      on conflict (school_id, event_id) do nothing
    ), noted as (
      ${insertAudit(now, scope)}, st.school_id, st.season,
        ${changing ? 'student.changed' : importId === undefined ? 'student.added' : 'student.imported'}, 'student', st.id::text, ${
          changing
            ? sql`${difference} from saved st join old on old.id = st.id`
            : importId === undefined
              ? sql`jsonb_build_object('to', ${snapshot('st')}) from saved st`
              : sql`jsonb_build_object('import', ${importId}::text, 'to', ${snapshot('st')}) from saved st`
        }
    )
    ${
      keyed
        ? sql`, answered as (${answer}), keyed as (${storeAnswer(keyed, now, sql`to_jsonb(a) - 'at' from answered a where a.at is not null`)})
    select * from answered`
        : answer
    }`.execute(db)
  return {
    open: rows.length > 0,
    saved: new Map(rows.flatMap(({ at, ...row }) => (at === null ? [] : [[at, row] as const]))),
  }
}

/** SQL for existing enrolments, which keep their own price, and their late fee even in another class. */
function savedPriceParts(undoes: string | undefined) {
  /** A price the student had before the import being undone */
  const hadPrice = (part: 'fees' | 'books', line: string, same: string) =>
    undoes === undefined
      ? sql``
      : sql`or exists (
          select from student_import_changes c cross join lateral jsonb_to_recordset(c.prices -> ${part}::text)
            as x ("eventId" bigint, kind text, price int, retained int, late int)
          where c.import_id = ${undoes} and c.student_id = ${sql.raw(line)}.id
            and (c.prices ->> 'classId')::int = ${sql.raw(line)}.class_id and ${sql.raw(same)})`
  return {
    late: sql`or exists (select from enrolments k where k.student_id = w.id and k.event_id = w.event_id and k.late_fee = w.late)`,
    fee: sql`or exists (select from enrolments k where k.student_id = w.id and k.event_id = w.event_id
        and k.class_id = w.class_id and k.fee = w.fee and k.retained = w.retained and k.late_fee = w.late)
      ${hadPrice('fees', 'w', 'x."eventId" = w.event_id and x.price = w.fee and x.retained = w.retained and x.late = w.late')}`,
    book: sql`or exists (select from book_choices k where k.student_id = b.id and k.event_id = b.event_id
        and k.kind = b.kind and k.class_id = b.class_id and k.price = b.price and k.retained = b.retained)
      ${hadPrice('books', 'b', 'x."eventId" = b.event_id and x.kind = b.kind and x.price = b.price and x.retained = b.retained')}`,
  }
}
