import type { ClassFees, OfficeEventRow, SubjectToAdd } from '@podium/contract/catalogue/calls-events'
import { shareRule } from '@podium/contract/catalogue/rules-fee'
import { classes, className, classSpan } from '@podium/contract/classes'
import { fromRupees, rupeesOf, rupeesOrNull } from '@podium/contract/money'
import type { EventSection } from '@podium/contract/results/schemas'
import { parseSeason, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { type ClassPrices, feeIssues, type PriceChange, priceChanges, sectionsOf } from '../rules.ts'
import { allowances, cachedSeasons, holidaysIn, studentsByEvent } from '../seasons/queries.ts'

type Row = Omit<OfficeEventRow, 'classes'> & { classIds: number[] | null }

const order = new Map(classes.map(({ classId }, index) => [classId, index]))

const columns = sql`
  e.id as "eventYearId", e.letter as "eventLetter", sub.name as "subjectName", e.level as "examLevel",
  e.mode as "examMode", e.closes_on as "closesOn", e.maximum_marks as "maximumMarks",
  e.rules_version as "rulesVersion", e.version, coalesce(e.late_from::text, '') as "lateFrom", e.late_fee as "lateFee",
  coalesce((select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1)::text, '') as "firstDate",
  coalesce((select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2)::text, '') as "secondDate",
  (select array_agg(class_id) from event_fees f where f.event_id = e.id) as "classIds",
  (select min(fee) from event_fees f where f.event_id = e.id) as "feeFrom",
  (select max(fee) from event_fees f where f.event_id = e.id) as "feeTo"`

const rowOf = ({ classIds, feeFrom, feeTo, lateFee, ...row }: Row): OfficeEventRow => ({
  ...row,
  lateFee: rupeesOf(lateFee),
  classes: classSpan(classIds ?? []),
  feeFrom: rupeesOrNull(feeFrom),
  feeTo: rupeesOrNull(feeTo),
})

/** The events of a season by subject and level. */
export async function catalogueEvents(
  db: Db | Tx,
  _scope: OfficeScope,
  season: Season,
): Promise<OfficeEventRow[]> {
  const { rows } = await sql<Row>`
    select ${columns}, coalesce(h.students, 0) as students
    from events e join subjects sub on sub.letter = e.letter
      left join ${await studentsByEvent(db, season)} h on h.event_id = e.id
    where e.season = ${season} order by e.level, sub.position, e.letter`.execute(db)
  return rows.map(rowOf)
}

type Detail = Omit<Row, 'students'> & {
  FYear: string
  seasonState: 'preparing' | 'open' | 'closed'
  share: unknown
  littleStar: boolean
  sectionList: unknown
  subjectNameHi: string
  marked: boolean
  choseFirst: number
  choseSecond: number
}

/** SQL: whether an event has marks, which fixes its sections. */
export const hasMarks = (event: RawBuilder<unknown>) =>
  sql`exists (select from result_sets r where r.event_id = ${event} and r.state <> 'failed')`

const choosing = (ordinal: number) => sql`(
  select count(*)::int from participations p join exam_dates d on d.id = p.exam_date_id
  where p.event_id = e.id and d.ordinal = ${ordinal}::int)`

/** One event with prices and enrolments by class. */
export async function catalogueEvent(db: Db, scope: OfficeScope, eventId: number) {
  const { rows } = await sql<Detail>`
    select ${columns}, e.season as "FYear", s.state as "seasonState", s.share_rule as share,
      sub.little_star as "littleStar", sub.name_hi as "subjectNameHi", e.sections as "sectionList", ${hasMarks(sql`e.id`)} as marked,
      ${choosing(1)} as "choseFirst", ${choosing(2)} as "choseSecond"
    from events e join subjects sub on sub.letter = e.letter join seasons s on s.label = e.season
    where e.id = ${eventId}`.execute(db)
  const {
    share,
    sectionList,
    FYear,
    seasonState,
    littleStar,
    subjectNameHi,
    marked,
    choseFirst,
    choseSecond,
    ...row
  } = orNotFound(rows[0])
  const sections: EventSection[] = sectionsOf(sectionList)
  const [prices, heads] = [
    await pricesInOrder(db, eventId),
    await ((await isSeasonCached(db, eventId)) ? countedHeads(db, eventId) : headsOf(db, eventId)),
  ]
  const students = [...heads.values()].reduce((sum, { total }) => sum + total, 0)
  const fees = prices.map((price) => ({
    ...price,
    className: className(price.classId),
    students: heads.get(price.classId)?.total ?? 0,
  }))
  return {
    event: {
      ...rowOf({ ...row, students }),
      FYear,
      seasonState,
      share: z.parse(shareRule, share),
      littleStar,
      subjectNameHi,
      sections,
      marked,
      choseFirst,
      choseSecond,
    },
    fees,
    holidays: await holidaysIn(db, orNotFound(parseSeason(FYear))),
    can: allowances(scope),
  }
}

/** The prices of an event in rupees, in class order. */
export async function pricesInOrder(db: Db | Tx, eventId: number): Promise<ClassFees[]> {
  return [...(await pricesOf(db, eventId))]
    .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([classId, prices]) => feesOf(classId, prices))
}

function feesOf(classId: number, prices: ClassPrices): ClassFees {
  const { fee, retained, bookRetained, cb, pyqp, geneX, tb, wb } = prices
  const price = (amount: number) => rupeesOf(amount)
  return {
    classId,
    fee: price(fee),
    retained: price(retained),
    bookRetained: price(bookRetained),
    cb: rupeesOrNull(cb),
    pyqp: rupeesOrNull(pyqp),
    geneX: rupeesOrNull(geneX),
    tb: rupeesOrNull(tb),
    wb: rupeesOrNull(wb),
  }
}

/** The prices of an event by class, in paise. */
export async function pricesOf(db: Db | Tx, eventId: number): Promise<Map<number, ClassPrices>> {
  const { rows } = await sql<ClassPrices & { classId: number }>`
    select class_id as "classId", fee, retained, book_retained as "bookRetained", cb, pyqp, genex as "geneX", tb, wb
    from event_fees where event_id = ${eventId}`.execute(db)
  return new Map(rows.map(({ classId, ...prices }) => [classId, prices]))
}

interface Heads {
  total: number
  unpaid: number
}

async function isSeasonCached(db: Db, eventId: number): Promise<boolean> {
  const { rows } = await sql`
    select from events e where e.id = ${eventId} and e.season in ${cachedSeasons}`.execute(db)
  return rows.length > 0
}

/** Active enrolments of an event by class, as last counted. */
async function countedHeads(db: Db, eventId: number): Promise<Map<number, Heads>> {
  const { rows } = await sql<Heads & { classId: number }>`
    select class_id as "classId", students as total, unpaid from event_figures
    where event_id = ${eventId} and class_id <> 0`.execute(db)
  return new Map(rows.map(({ classId, ...heads }) => [classId, heads]))
}

/** Active enrolments of an event by class. */
async function headsOf(db: Db | Tx, eventId: number): Promise<Map<number, Heads>> {
  const { rows } = await sql<Heads & { classId: number }>`
    select n.class_id as "classId", count(*)::int as total, count(*) filter (where not st.paid)::int as unpaid
    from enrolments n join students st on st.id = n.student_id
    where n.event_id = ${eventId} and st.active group by n.class_id`.execute(db)
  return new Map(rows.map(({ classId, ...heads }) => [classId, heads]))
}

/** Chosen books of an event's active students by class and kind. */
async function booksOf(db: Db | Tx, eventId: number): Promise<Map<string, Heads>> {
  const { rows } = await sql<Heads & { classId: number; kind: string }>`
    select b.class_id as "classId", b.kind, count(*)::int as total, count(*) filter (where not st.paid)::int as unpaid
    from book_choices b join students st on st.id = b.student_id
    where b.event_id = ${eventId} and st.active group by b.class_id, b.kind`.execute(db)
  return new Map(rows.map(({ classId, kind, ...heads }) => [`${classId} ${kind}`, heads]))
}

/** For each price change, the active enrolments or books that keep the old price, and how many are unpaid. */
async function effectOf(db: Db | Tx, eventId: number, changes: readonly PriceChange[]) {
  const [heads, books] = [await headsOf(db, eventId), await booksOf(db, eventId)]
  const nobody = { total: 0, unpaid: 0 }
  const keepers = ({ classId, what }: PriceChange): Heads => {
    if (what === 'fee' || what === 'retained' || what === 'class') return heads.get(classId) ?? nobody
    if (what !== 'bookRetained') return books.get(`${classId} ${what}`) ?? nobody
    const counts = [...books].filter(([key]) => key.startsWith(`${classId} `)).map(([, count]) => count)
    return counts.reduce(
      (sum, item) => ({ total: sum.total + item.total, unpaid: sum.unpaid + item.unpaid }),
      nobody,
    )
  }
  const touched = changes.map((change) => {
    const { total, unpaid } = keepers(change)
    const { what, from, to } = change
    return {
      className: className(change.classId),
      what,
      from: rupeesOrNull(from),
      to: rupeesOrNull(to),
      atOldPrice: total,
      unpaid,
    }
  })
  const classesTouched = [...new Set(changes.map(({ classId }) => classId))]
  const sum = (of: keyof Heads) => classesTouched.reduce((all, id) => all + (heads.get(id)?.[of] ?? 0), 0)
  return { changes: touched, atOldPrice: sum('total'), unpaid: sum('unpaid') }
}

interface Earlier {
  id: number
  letter: string
  level: number
  season: string
  sections: unknown
  rules: unknown
}

/** The newest event of each subject and level in earlier seasons. */
export async function earlierEvents(db: Db | Tx, season: Season, letter?: string): Promise<Earlier[]> {
  const { rows } = await sql<Earlier>`
    select distinct on (e.letter, e.level) e.id, e.letter, e.level, e.season, e.sections, e.rules from events e
    where e.season < ${season} ${letter === undefined ? sql`` : sql`and e.letter = ${letter}`}
    order by e.letter, e.level, e.season desc`.execute(db)
  return rows
}

/** All subjects in order, with their events in a season and the earlier event a new one would copy. */
export async function subjectsToAdd(db: Db, _scope: OfficeScope, season: Season): Promise<SubjectToAdd[]> {
  const { rows } = await sql<Omit<SubjectToAdd, 'before'>>`
    select s.letter as "eventLetter", s.name as "subjectName", s.little_star as "littleStar",
      coalesce((select array_agg(e.level order by e.level) from events e
        where e.letter = s.letter and e.season = ${season}), '{}') as levels
    from subjects s order by s.position, s.letter`.execute(db)
  const earlier = await earlierEvents(db, season)
  return rows.map((row) => ({
    ...row,
    before: earlier
      .filter(({ letter }) => letter === row.eventLetter)
      .map(({ level, season: FYear }) => ({ examLevel: level, FYear })),
  }))
}

function inPaise(rows: readonly ClassFees[]): Map<number, ClassPrices> {
  const price = (amount: number | null) => (amount === null ? null : fromRupees(amount))
  return new Map(
    rows.map((row) => [
      row.classId,
      {
        fee: fromRupees(row.fee),
        retained: fromRupees(row.retained),
        bookRetained: fromRupees(row.bookRetained),
        cb: price(row.cb),
        pyqp: price(row.pyqp),
        geneX: price(row.geneX),
        tb: price(row.tb),
        wb: price(row.wb),
      },
    ]),
  )
}

export interface Fees {
  eventYearId: number
  classes: readonly ClassFees[]
}

export async function changesOf(db: Db | Tx, littleStar: boolean, { eventYearId, classes }: Fees) {
  const issues = feeIssues(littleStar, classes)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const after = inPaise(classes)
  const changes = priceChanges(await pricesOf(db, eventYearId), after)
  return { after, changes, effect: await effectOf(db, eventYearId, changes) }
}

/** The effect of saving these prices, without writing. Refuses invalid prices, `not_found`. */
export async function feesEffect(db: Db, _scope: OfficeScope, fees: Fees) {
  const event = await db
    .selectFrom('events')
    .innerJoin('subjects', 'subjects.letter', 'events.letter')
    .select('subjects.little_star')
    .where('events.id', '=', fees.eventYearId)
    .executeTakeFirstOrThrow(notFound)
  return (await changesOf(db, event.little_star, fees)).effect
}
