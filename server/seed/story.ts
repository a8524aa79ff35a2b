import { priceChoice } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKindsOf } from '@podium/contract/classes'
import type { Purpose } from '@podium/contract/payments/rules'
import { studentFields } from '@podium/contract/students/schemas'
import { sql } from 'kysely'
import { demoFamilyLink } from '../src/features/accounts/demo/rules.ts'
import { saveOrderLine } from '../src/features/books/routes.ts'
import { loadCatalogue, type SeasonCatalogue } from '../src/features/catalogue/queries.ts'
import { deleteStudent } from '../src/features/students/entry/commands.ts'
import { importRows } from '../src/features/students/import/commands-rows.ts'
import type { ValidRow } from '../src/features/students/import/rules-classify.ts'
import { findLists } from '../src/features/students/sign-off/queries.ts'
import { reopen, signOff } from '../src/features/students/sign-off/routes.ts'
import { audit } from '../src/platform/audit.ts'
import { codeHash, seal } from '../src/platform/auth/secrets.ts'
import type { DemoSeason } from './calendar.ts'
import { bookShare, type Child, childrenOf, classAt, subjectsFor } from './children.ts'
import { makePacket } from './packets.ts'
import { pay, payAndReject, payAndVerify } from './pay.ts'
import { randomOf } from './random.ts'
import type { School, World } from './world.ts'

/** The next roll no in each class and section. */
type Rolls = Map<string, number>

interface Batch {
  school: School
  season: DemoSeason
  now: Date
  children: readonly Child[]
  /** How many years ago the season was, and so how many classes lower */
  yearsAgo: number
  rolls: Rolls
}

/** The only subjects two years ago. */
const subjectsOfBeginnings = ['M', 'S', 'E', 'G', 'A', 'B']

function nextRoll(rolls: Rolls, classId: number, section: string): number {
  const key = `${classId} ${section}`
  const roll = (rolls.get(key) ?? 0) + 1
  rolls.set(key, roll)
  return roll
}

function rowOf(batch: Batch, catalogue: SeasonCatalogue, child: Child, row: number): ValidRow | undefined {
  const classId = classAt(child.place - batch.yearsAgo)
  if (classId === undefined) return undefined
  const random = randomOf(`${child.key} in ${batch.season.label}`)
  const offer = catalogue.offerTo(classId)
  const letters = subjectsFor(
    random,
    offer
      .map(({ letter }) => letter)
      .filter((letter) => batch.yearsAgo < 2 || subjectsOfBeginnings.includes(letter)),
  )
  const books: Record<BookKind, string[]> = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }
  for (const kind of bookKindsOf(classId)) {
    books[kind] = offer
      .filter(({ letter, books: made }) => letters.includes(letter) && made[kind] !== undefined)
      .filter(() => random.chance(bookShare(classId, kind)))
      .map(({ letter }) => letter)
  }
  const fields = studentFields.parse({
    classId,
    section: child.section,
    rollno: nextRoll(batch.rolls, classId, child.section),
    studentName: child.name,
    parentName: child.parentName,
    parentEmailId: child.parentEmail,
    parentMobileNo: child.parentMobile,
    subjectName: letters.join(),
    ...Object.fromEntries(Object.entries(books).map(([kind, chosen]) => [kind, chosen.join()])),
  })
  const { fee } = priceChoice(offer, { subjects: fields.subjectName, books })
  return { row, fields, fee }
}

/**
 * Gives the family of the demo page, whose students are entered, a link and a code that are the same in every world.
 */
async function nameFamilyLink({ db, deps }: World, school: School, season: DemoSeason): Promise<void> {
  const { id, code, mobile } = demoFamilyLink
  await db.transaction().execute(async (tx) => {
    const updated = await tx
      .updateTable('family_links')
      .set({ parent_mobile: '' })
      .where('school_id', '=', school.id)
      .where('season', '=', season.label)
      .where('parent_mobile', '=', mobile)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('family_links')
      .values({
        id,
        school_id: school.id,
        season: season.label,
        parent_mobile: mobile,
        access_code_hash: codeHash(deps.keys, id, code),
        access_code_sealed: seal(deps.keys, code),
        created_at: season.at(0.26),
      })
      .execute()
    await tx
      .updateTable('students')
      .set({ family_link_id: id })
      .where('family_link_id', '=', updated.id)
      .execute()
    await tx.deleteFrom('family_links').where('id', '=', updated.id).execute()
  })
}

/** Enters students as a confirmed import does, in batches, with the season's rules and prices. */
async function enrol(world: World, batch: Batch): Promise<void> {
  const { db, deps } = world
  const { school, season, now } = batch
  const catalogue = await loadCatalogue(db, season.label, now)
  if (!catalogue) throw new Error(`there is no season ${season.label}`)
  const rows = batch.children
    .map((child, index) => rowOf(batch, catalogue, child, index + 2))
    .filter((row) => row !== undefined)
  const importId = `demo-${school.seed.code}-${season.label}`
  for (let first = 0; first < rows.length; first += 200) {
    const piece = rows.slice(first, first + 200)
    const into = { season: season.label, importId, catalogue }
    const { imported, refused } = await db
      .transaction()
      .execute((tx) => importRows(tx, { scope: school.scope, keys: deps.keys, now }, into, piece))
    if (imported < piece.length) throw new Error(`not entered: ${JSON.stringify(refused.slice(0, 3))}`)
  }
}

/** Copies of a book for a library: class, subject letter, kind, quantity. */
type Copies = readonly [classId: number, letter: string, kind: BookKind, quantity: number]

/** A library's order early in the season, and what it adds later. */
const firstOrder: readonly Copies[] = [
  [6, 'M', 'cb', 12],
  [6, 'S', 'cb', 12],
  [8, 'M', 'pyqp', 20],
  [10, 'M', 'geneX', 6],
]
const laterOrder: readonly Copies[] = [
  [7, 'E', 'cb', 15],
  [9, 'S', 'pyqp', 10],
  [10, 'M', 'geneX', 4],
]

/** Orders copies for the school's library, as its teacher does. */
async function orderForLibrary(
  { db }: World,
  school: School,
  season: DemoSeason,
  now: Date,
  order: readonly Copies[],
): Promise<void> {
  for (const [classId, subject, kind, quantity] of order) {
    const draft = { id: 0, version: undefined, season: season.label, classId, subject, kind, quantity }
    await db
      .transaction()
      .execute((tx) => saveOrderLine(tx, school.scope, now, { ...draft, shownAmount: undefined }))
  }
}

/** An event at a school. */
export interface SchoolEvent {
  at: Date
  act: () => Promise<unknown>
}

/** Runs events in order of time across schools, because receipts are numbered in that order. */
export async function runInOrder(happenings: readonly SchoolEvent[]): Promise<void> {
  const inOrder = happenings.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (const { act } of inOrder) await act()
}

/** Returns what a school can do in a season, at given times. */
function actionsOf(world: World, school: School, season: DemoSeason) {
  const paying = (purpose: Purpose, sent: number) => ({ school, season, purpose, sent: season.at(sent) })
  return {
    enrol(share: number, children: readonly Child[], rolls: Rolls, yearsAgo = 0): SchoolEvent {
      const at = season.at(share)
      return { at, act: () => enrol(world, { school, season, now: at, children, yearsAgo, rolls }) }
    },
    pays(purpose: Purpose, sent: number): SchoolEvent {
      return { at: season.at(sent), act: () => pay(world, paying(purpose, sent)) }
    },
    hasPaid(purpose: Purpose, sent: number, decided: number): SchoolEvent {
      const at = season.at(decided)
      return { at, act: () => payAndVerify(world, paying(purpose, sent), at) }
    },
    isRefused(purpose: Purpose, sent: number, decided: number, reason: string): SchoolEvent {
      const at = season.at(decided)
      return { at, act: () => payAndReject(world, paying(purpose, sent), at, reason) }
    },
    ordersForLibrary(share: number, copies: readonly Copies[]): SchoolEvent {
      const at = season.at(share)
      return { at, act: () => orderForLibrary(world, school, season, at, copies) }
    },
    choosesDates(share: number, most?: number): SchoolEvent {
      const at = season.at(share)
      return { at, act: () => chooseDates(world, school, season, at, most) }
    },
    signsOff(share: number): SchoolEvent {
      const at = season.at(share)
      return { at, act: () => signListsOff(world, school, season, at) }
    },
    deletesSome(share: number): SchoolEvent {
      const at = season.at(share)
      return { at, act: () => deleteSome(world, school, season, at) }
    },
  }
}

/** Returns the events of a past season for one school: entries, payments, dates, books and papers. */
export function pastYear(world: World, school: School, yearsAgo: 1 | 2, courierId: number): SchoolEvent[] {
  const season = world.seasons[yearsAgo]
  const size = school.seed.children[yearsAgo]
  if (size === 0) return []
  const children = randomOf(`${school.seed.code} in ${season.label}`)
    .shuffle(childrenOf(school.seed).filter(({ place }) => place >= yearsAgo))
    .slice(0, size)
  const actions = actionsOf(world, school, season)
  const parcel = (contents: 'books' | 'papers', packed: Date, until: Date): SchoolEvent => ({
    at: packed,
    act: () =>
      makePacket(world, {
        school,
        season: season.label,
        status: 'Delivered',
        contents,
        packed,
        until,
        courierId,
      }),
  })
  return [
    actions.enrol(0.3, children, new Map(), yearsAgo),
    actions.hasPaid('registration', 0.5, 0.52),
    actions.hasPaid('books', 0.54, 0.56),
    actions.choosesDates(0.6),
    parcel('books', season.at(0.6), season.at(1)),
    parcel('papers', season.at(0.9), season.at(1)),
  ]
}

const notArrived =
  'The amount on the slip is not the amount that has arrived. Please send the slip of the transfer that we received, or the rest.'

/** Returns the events of the current season for one school, up to its stage. */
export function thisYear(world: World, school: School): SchoolEvent[] {
  const [season] = world.seasons
  const actions = actionsOf(world, school, season)
  const rolls: Rolls = new Map()
  const children = childrenOf(school.seed)
  const all = actions.enrol(0.25, children, rolls)
  switch (school.seed.stage) {
    case 'empty':
      return []
    case 'entering':
      return [
        actions.enrol(0.25, children.slice(14), rolls),
        actions.enrol(0.93, children.slice(0, 14), rolls),
      ]
    case 'carrying':
      return [actions.enrol(0.93, children.slice(0, 7), rolls)]
    case 'unpaid':
      return [all, actions.deletesSome(0.35)]
    case 'pending':
      return [all, actions.pays('registration', 0.9 + (school.id % 7) / 100)]
    case 'rejected':
      return [all, actions.isRefused('registration', 0.7, 0.74, notArrived)]
    case 'additions':
      return [
        actions.enrol(0.25, children.slice(0, -62), rolls),
        { at: season.at(0.26), act: () => nameFamilyLink(world, school, season) },
        actions.deletesSome(0.35),
        actions.hasPaid('registration', 0.4, 0.42),
        actions.hasPaid('books', 0.41, 0.43),
        actions.ordersForLibrary(0.44, firstOrder),
        actions.hasPaid('library', 0.46, 0.48),
        actions.enrol(0.8, children.slice(-62, -22), rolls),
        actions.ordersForLibrary(0.92, laterOrder),
        actions.choosesDates(0.6, 2),
        actions.pays('books', 0.95),
        actions.enrol(0.97, children.slice(-22), rolls),
      ]
    case 'books-pending':
      return [all, actions.hasPaid('registration', 0.55, 0.57), actions.pays('books', 0.93)]
    case 'paid':
      return [
        all,
        actions.hasPaid('registration', 0.45, 0.48),
        actions.hasPaid('books', 0.5, 0.52),
        actions.choosesDates(0.7, 3),
        actions.ordersForLibrary(0.8, school.id % 2 === 0 ? firstOrder : laterOrder),
        actions.pays('library', 0.94),
      ]
    case 'dated':
      return [
        all,
        actions.hasPaid('registration', 0.35, 0.37),
        actions.hasPaid('books', 0.36, 0.38),
        actions.choosesDates(0.6),
        actions.signsOff(0.9),
      ]
  }
}

/** Deletes a few students before anything is paid; their rows remain and are shown as deleted. */
async function deleteSome({ db }: World, school: School, season: DemoSeason, now: Date): Promise<void> {
  const leaving = await db
    .selectFrom('students')
    .select('id')
    .where('school_id', '=', school.id)
    .where('season', '=', season.label)
    .orderBy('id', 'desc')
    .limit(4)
    .execute()
  for (const { id } of leaving) await deleteStudent(db, school.scope, now, { studentId: id })
}

/** Opens the pages of some families. */
export async function openFamilies({ db, seasons }: World): Promise<void> {
  const [season] = seasons
  const [first, last] = [season.at(0.5), season.at(0.98)]
  await sql`
    update family_links l set first_opened_at = ${first}::timestamptz, last_opened_at = ${last}::timestamptz
    where l.season = ${season.label} and l.parent_mobile <> '' and exists (
      select from students s where s.family_link_id = l.id and s.paid and s.roll_no % 3 = 0)`.execute(db)
}

/** Signs off the first two lists of a school; the first was reopened once, because a student had been left out. */
async function signListsOff({ db }: World, school: School, season: DemoSeason, now: Date) {
  const { name } = school.scope
  await db.transaction().execute(async (tx) => {
    const { data } = await findLists(tx, school.scope, now, season.label)
    for (const [index, { eventManagementId, totalStudent: students }] of data.slice(0, 2).entries()) {
      await signOff(tx, school.scope, now, { name, lists: [{ eventManagementId, students }] })
      if (index > 0) continue
      const reason = 'Two children of Class 5 B were left out.'
      await reopen(tx, school.scope, now, { eventManagementId, reason })
      await signOff(tx, school.scope, now, { name, lists: [{ eventManagementId, students }] })
    }
  })
}

/**
 * Chooses a school's exam dates in a season: the first date, or the second for every third event. `limit` limits how
 * many are chosen.
 */
async function chooseDates(
  { db }: World,
  school: School,
  season: DemoSeason,
  now: Date,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; letter: string; dates: number[]; days: string[] }>`
      select p.id, e.letter, array_agg(d.id order by d.ordinal) as dates, array_agg(d.held_on::text order by d.ordinal) as days
      from participations p join events e on e.id = p.event_id join exam_dates d on d.event_id = e.id
      where p.school_id = ${school.id} and e.season = ${season.label} and e.mode = 'Offline'
      group by p.id, e.letter order by e.letter`.execute(tx)
    for (const [index, { id, letter, dates, days }] of rows.slice(0, limit).entries()) {
      const chosen = index % 3 === 2 ? 1 : 0
      await tx
        .updateTable('participations')
        .set((values) => ({ exam_date_id: dates[chosen] ?? null, version: values('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      const subject = { kind: 'participation', id, schoolId: school.id, season: season.label }
      await audit(tx, now, school.scope, 'exam_date.chosen', subject, { letter, to: days[chosen] })
    }
  })
}
