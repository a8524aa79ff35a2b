import { joiningMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { istDay, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import {
  amountFields,
  lateFeeOf,
  type PricedChoice,
  priceChoice,
  type ShareRule,
} from '@podium/contract/students/rules-fee'
import { placeKey } from '@podium/contract/students/rules-place'
import { sql } from 'kysely'
import { lateFeeNow, type OfferedEvent, type SeasonCatalogue } from '#features/catalogue/queries'
import { listsOpen, signedOff, signedOffLists } from '#features/students/sign-off/queries'
import { actorOf } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { linkHasStudent, newFamilyLink, snapshot } from '../entry/commands-save.ts'
import { wideColumns } from '../entry/rules.ts'
import type { GoodRow } from './rules-classify.ts'

/** The mobile by which a child comes to its family's link. */
const linkMobile = ({ fields, familyMobile }: GoodRow) => joiningMobile(familyMobile ?? fields.parentMobileNo)

interface PricedRow {
  good: GoodRow
  priced: PricedChoice
  offer: readonly OfferedEvent[]
}

/** Arrays of one statement: a column each. */
function columnsOf(rows: readonly PricedRow[], keys: Keys) {
  const of = <T>(pick: (row: PricedRow) => T) => rows.map(pick)
  const wide = rows.map(({ priced }) => wideColumns(priced))
  const mobiles = new Set<string>()
  // One candidate for each mobile, and one for each child without.
  const links = rows.map(({ good }) => {
    const mobile = linkMobile(good)
    if (mobile !== '' && mobiles.has(mobile)) return undefined
    mobiles.add(mobile)
    return { mobile, ...newFamilyLink(keys) }
  })
  const candidates = links.filter((link) => link !== undefined)
  const ownLinks = links.map((link) => (link && link.mobile === '' ? link.id : null))
  const eventOf = ({ offer }: PricedRow, letter: string) => {
    const event = offer.find((one) => one.letter === letter)
    if (!event) throw new Error(`priced, but not offered: ${letter}`)
    return event
  }
  const lines = rows.flatMap((row, at) =>
    row.priced.registration.map((line) => ({
      at,
      line,
      event: eventOf(row, line.letter),
      classId: row.good.fields.classId,
    })),
  )
  const books = rows.flatMap((row, at) =>
    row.priced.books.map((line) => ({
      at,
      line,
      event: eventOf(row, line.letter),
      classId: row.good.fields.classId,
    })),
  )
  return {
    students: sql`unnest(
      ${of(({ good }) => good.fields.classId)}::int[], ${of(({ good }) => good.fields.section)}::text[],
      ${of(({ good }) => good.fields.rollno)}::int[], ${of(({ good }) => good.fields.studentName)}::text[],
      ${of(({ good }) => foldName(good.fields.studentName))}::text[], ${of(({ good }) => good.fields.parentName)}::text[],
      ${of(({ good }) => good.fields.parentEmailId)}::text[], ${of(({ good }) => good.fields.parentMobileNo)}::text[],
      ${wide.map((w) => w.subjectNames)}::text[], ${wide.map((w) => w.letters)}::text[], ${wide.map((w) => w.cb)}::text[],
      ${wide.map((w) => w.pyqp)}::text[], ${wide.map((w) => w.genex)}::text[], ${wide.map((w) => w.tb)}::text[], ${wide.map((w) => w.wb)}::text[],
      ${of(({ priced }) => priced.fee.regAmount)}::int[], ${of(({ priced }) => priced.fee.schoolExpenses)}::int[],
      ${of(({ priced }) => priced.fee.bookAmount)}::int[], ${of(({ priced }) => priced.fee.bookSchoolExpenses)}::int[],
      ${of(({ priced }) => lateFeeOf(priced))}::int[], ${wide.map((w) => w.bookCount)}::int[], ${ownLinks}::text[], ${of(({ good }) => good.carriedFrom ?? null)}::bigint[], ${of(({ good }) => linkMobile(good))}::text[])
      as r (class_id, section, roll_no, name, name_key, parent_name, parent_email, parent_mobile, subject_names, letters,
        cb, pyqp, genex, tb, wb, reg_amount, reg_retained, book_amount, book_retained, late_amount, book_count, own_link, carried_from, link_mobile)`,
    // One text and not three columns: the planner guesses their rows well, and hashes instead of trying each with each.
    places: sql`unnest(${of(({ good }) => placeKey(good.fields))}::text[], ${rows.map((_, at) => at)}::int[]) as r (place, at)`,
    links: sql`unnest(${candidates.map((link) => link.id)}::text[], ${candidates.map((link) => link.mobile)}::text[],
      ${candidates.map((link) => link.hash)}::text[], ${candidates.map((link) => link.sealed)}::text[]) as c (id, mobile, hash, sealed)`,
    names: of(({ good }) => foldName(good.fields.studentName)),
    linkIds: candidates.map((link) => link.id),
    mobiles: candidates.map((link) => link.mobile),
    lines: sql`unnest(${lines.map(({ at }) => at)}::int[], ${lines.map(({ event }) => event.eventId)}::bigint[], ${lines.map(({ classId }) => classId)}::int[],
      ${lines.map(({ line }) => line.price)}::int[], ${lines.map(({ line }) => line.retained)}::int[], ${lines.map(({ line }) => line.late)}::int[],
      ${lines.map(({ event }) => event.base)}::int[]) as w (at, event_id, class_id, fee, retained, late, base)`,
    lineCount: lines.length,
    events: [...new Set(lines.map(({ event }) => event.eventId))],
    books: sql`unnest(${books.map(({ at }) => at)}::int[], ${books.map(({ event }) => event.eventId)}::bigint[], ${books.map(({ classId }) => classId)}::int[],
      ${books.map(({ line }) => line.kind)}::text[], ${books.map(({ line }) => line.price)}::int[], ${books.map(({ line }) => line.retained)}::int[],
      ${books.map(({ event }) => event.bookBase)}::int[]) as b (at, event_id, class_id, kind, price, retained, base)`,
    bookCount: books.length,
  }
}

/** `placeKey` in SQL. */
const placeOf = (row: string) => sql.raw(`${row}.class_id || ' ' || ${row}.section || ' ' || ${row}.roll_no`)

/** One statement for a whole piece of an import: the guards, rows and consequences of students/entry/commands-save.ts over arrays. */
async function insertAll(
  tx: Tx,
  scope: SchoolScope,
  keys: Keys,
  now: Date,
  { season, catalogue, importId }: Into,
  rows: readonly PricedRow[],
): Promise<Set<string> | undefined> {
  const c = columnsOf(rows, keys)
  const actor = actorOf(scope)
  const { rows: answered } = await sql<{ open: boolean; places: Array<string> }>`
    with ${signedOffLists(scope, sql`select unnest(${c.events}::bigint[])`)}, wanted as (
      select from ${c.lines}
        join events e on e.id = w.event_id and e.season = ${season} and e.level = 1 and e.closes_on >= ${istDay(now)}::date
        join event_fees f on f.event_id = w.event_id and f.class_id = w.class_id and f.fee = w.fee - w.late and f.retained = w.base
          and w.late = ${lateFeeNow(now)}
    ), wanted_books as (
      select from ${c.books}
        join event_fees f on f.event_id = b.event_id and f.class_id = b.class_id and f.book_retained = b.base
          and case b.kind when 'cb' then f.cb when 'pyqp' then f.pyqp when 'geneX' then f.genex when 'tb' then f.tb when 'wb' then f.wb end = b.price
    ), gate as (
      select from seasons s
      where s.label = ${season} and s.state = 'open' and s.share_rule = ${JSON.stringify(catalogue.share)}::jsonb
        and (select count(*) from wanted) = ${c.lineCount} and (select count(*) from wanted_books) = ${c.bookCount}
        and ${listsOpen}
    ), known_link as (
      -- By the list and not by a join with it: without statistics of a school just filled, each is tried with each.
      select l.id, l.parent_mobile from family_links l
      where l.school_id = ${scope.schoolId} and l.season = ${season} and l.parent_mobile = any(${c.mobiles}::text[])
        and l.parent_mobile <> '' and l.revoked_at is null and ${linkHasStudent(c.names)}
      for key share of l
    ), left_link as (
      update family_links l set revoked_at = ${now}::timestamptz from gate
      where l.school_id = ${scope.schoolId} and l.season = ${season} and l.parent_mobile = any(${c.mobiles}::text[])
        and l.parent_mobile <> '' and l.revoked_at is null and not ${linkHasStudent(c.names)}
      returning l.id
    ), new_link as (
      insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at)
      select c.id, ${scope.schoolId}, ${season}, c.mobile, c.hash, c.sealed, ${now}::timestamptz
      from gate, ${c.links} where not exists (select from known_link k where k.parent_mobile = c.mobile)
        and (select count(*) from left_link) >= 0
      order by c.mobile
      on conflict (school_id, season, parent_mobile) where parent_mobile <> '' and revoked_at is null
        do update set parent_mobile = excluded.parent_mobile
      returning id, parent_mobile
    ), link as (
      select id, parent_mobile from known_link union all select id, parent_mobile from new_link where parent_mobile <> ''
    ), saved as (
      insert into students (school_id, season, family_link_id, import_id, import_version, created_at, updated_at, class_id, section, roll_no, name, name_key,
        parent_name, parent_email, parent_mobile, subject_names, letters, cb, pyqp, genex, tb, wb,
        reg_amount, reg_retained, late_amount, book_amount, book_retained, book_count, carried_from)
      select ${scope.schoolId}, ${season}, coalesce(r.own_link, link.id), ${importId}, 1, ${now}::timestamptz, ${now}::timestamptz,
        r.class_id, r.section, r.roll_no, r.name, r.name_key, r.parent_name, r.parent_email, r.parent_mobile,
        r.subject_names, r.letters, r.cb, r.pyqp, r.genex, r.tb, r.wb, r.reg_amount, r.reg_retained, r.late_amount, r.book_amount, r.book_retained, r.book_count, r.carried_from
      from gate, ${c.students} left join link on r.link_mobile <> '' and link.parent_mobile = r.link_mobile
      order by r.class_id, r.section, r.roll_no
      -- The roll no is taken, or the child was carried over already.
      on conflict do nothing
      returning *
    ), placed as (
      select st.id, st.school_id, st.class_id, r.at from saved st join ${c.places} on r.place = ${placeOf('st')}
    ), enrolled as (
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, late_fee, created_at)
      select p.id, w.event_id, p.school_id, p.class_id, w.fee, w.retained, w.late, ${now}::timestamptz from placed p join ${c.lines} on w.at = p.at
    ), ordered as (
      insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
      select p.id, b.event_id, b.kind, p.school_id, p.class_id, b.price, b.retained, ${now}::timestamptz from placed p join ${c.books} on b.at = p.at
    ), takes_part as (
      insert into participations (school_id, event_id, created_at)
      select distinct p.school_id, w.event_id, ${now}::timestamptz from placed p join ${c.lines} on w.at = p.at
      order by 2
      on conflict (school_id, event_id) do nothing
    ), noted as (
      insert into audit (at, actor_kind, actor_id, actor_name, acting_for, school_id, season, action, subject_kind, subject_id, change)
      select ${now}::timestamptz, ${actor.actor_kind}, ${actor.actor_id}::bigint, ${actor.actor_name}, ${actor.acting_for}, st.school_id, st.season,
        'student.imported', 'student', st.id::text, jsonb_build_object('import', ${importId}::text, 'to', ${snapshot('st')})
      from saved st
    )
    select exists (select from gate) as open,
      coalesce((select array_agg(${placeOf('saved')}) from saved), '{}') as places`.execute(tx)
  const answer = answered[0]
  if (!answer?.open) return undefined
  const places = new Set(answer.places)
  // A row that found its roll no taken leaves no link behind.
  if (places.size < rows.length)
    await sql`
      delete from family_links l where l.id = any(${c.linkIds}::text[]) and not exists (select from students st where st.family_link_id = l.id)`.execute(
      tx,
    )
  return places
}

export interface Into {
  season: Season
  importId: string
  catalogue: SeasonCatalogue
}

export const refusedRow = (
  { row, fields }: GoodRow,
  field: string,
  value: string,
  message: string,
): ImportRowError => ({
  row,
  studentName: fields.studentName,
  column: 0,
  columnName: '',
  heading: '',
  field,
  value,
  message,
  suggestions: [],
})

/**
 * Saves one piece of an import. Rows whose price differs from the one that was shown, whose subject is no longer
 * offered, or whose roll no was taken meanwhile are answered and not saved. Refuses, and so saves nothing of the piece,
 * when the season or a subject has closed in the meantime.
 */
export async function importRows(
  tx: Tx,
  scope: SchoolScope,
  keys: Keys,
  now: Date,
  into: Into,
  rows: readonly GoodRow[],
): Promise<{ imported: number; refused: ImportRowError[] }> {
  const refused: ImportRowError[] = []
  const priced: PricedRow[] = []
  for (const good of rows) {
    const { fields } = good
    const { cb, pyqp, geneX, tb, wb } = fields
    const offer = into.catalogue.offerTo(fields.classId)
    const choice = priceChoice(offer, { subjects: fields.subjectName, books: { cb, pyqp, geneX, tb, wb } })
    const [issue] = choice.issues
    if (issue) refused.push(refusedRow(good, issue.path, '', issue.message))
    else if (!sameAmounts(choice, good, into.catalogue.share))
      refused.push(refusedRow(good, '', '', amountsChanged(good)))
    else priced.push({ good, priced: choice, offer })
  }
  if (priced.length === 0) return { imported: 0, refused }
  const places = await insertAll(tx, scope, keys, now, into, priced)
  if (!places) throw new Refusal(await heldBack(tx, scope, into.season, priced))
  const missing = priced.map(({ good }) => good).filter(({ fields }) => !places.has(placeKey(fields)))
  const carried = await carriedAlready(tx, into.season, missing)
  for (const good of missing) {
    if (carried.has(good.carriedFrom)) refused.push(refusedRow(good, '', '', carriedOver))
    else refused.push(refusedRow(good, 'rollno', String(good.fields.rollno), rollTaken(good)))
  }
  return { imported: places.size, refused }
}

/** Why nothing of a piece was saved. */
async function heldBack(tx: Tx, scope: SchoolScope, season: Season, rows: readonly PricedRow[]) {
  const signed = await signedOff(tx, scope.schoolId, season)
  const letters = rows.flatMap(({ priced }) => priced.registration.map(({ letter }) => letter))
  return letters.some((letter) => signed.has(letter)) ? 'enrolment.signed_off' : 'enrolment.closed'
}

async function carriedAlready(tx: Tx, season: Season, rows: readonly GoodRow[]) {
  const sources = rows.flatMap(({ carriedFrom }) => carriedFrom ?? [])
  if (sources.length === 0) return new Set()
  const { rows: found } = await sql<{ source: number }>`
    select carried_from as source from students
    where season = ${season} and active and carried_from = any(${sources}::bigint[])`.execute(tx)
  return new Set<number | undefined>(found.map(({ source }) => source))
}

const carriedOver = sentences.carriedMeanwhile
export const amountsChanged = ({ carriedFrom }: GoodRow) =>
  carriedFrom === undefined ? sentences.amountsSinceCheck : sentences.amountsSinceList
const rollTaken = ({ carriedFrom }: GoodRow) =>
  carriedFrom === undefined ? sentences.rollSinceCheck : sentences.rollSinceList

/** Whether a row costs what was shown. Under slabs the share follows the head count, whatever it was when it was shown. */
export function sameAmounts({ fee }: PricedChoice, good: GoodRow, { kind }: ShareRule): boolean {
  const shown = kind === 'slabs' ? { ...good.fee, schoolExpenses: fee.schoolExpenses } : good.fee
  return JSON.stringify(amountFields(fee)) === JSON.stringify(amountFields(shown))
}
