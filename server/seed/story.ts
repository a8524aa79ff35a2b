import type { Purpose } from '@podium/contract/payments/calls'
import { sql } from 'kysely'
import { deleteStudent } from '../src/features/students/entry/commands-delete.ts'
import type { DemoSeason } from './calendar.ts'
import { type Child, childrenOf } from './children.ts'
import { chooseDates } from './dates.ts'
import { enrol, nameFamilyLink, type Rolls } from './enrol.ts'
import { type Copies, firstOrder, laterOrder, orderForLibrary } from './library.ts'
import { makePacket } from './packets.ts'
import { pay, payAndReject, payAndVerify } from './pay.ts'
import { randomOf } from './random.ts'
import { signListsOff } from './sign-offs.ts'
import type { School, World } from './world.ts'

/** Something that happens at a school. */
export interface Happening {
  at: Date
  act: () => Promise<unknown>
}

/** Lets things happen in the order of time, whatever the school: receipts get their numbers in that order. */
export async function happen(happenings: readonly Happening[]): Promise<void> {
  const inOrder = happenings.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  for (const { act } of inOrder) await act()
}

/** What a school can do in a season, at moments of it. */
function doings(world: World, school: School, season: DemoSeason) {
  const paying = (purpose: Purpose, sent: number) => ({ school, season, purpose, sent: season.at(sent) })
  return {
    enrol(share: number, children: readonly Child[], rolls: Rolls, yearsAgo = 0): Happening {
      const at = season.at(share)
      return { at, act: () => enrol(world, { school, season, now: at, children, yearsAgo, rolls }) }
    },
    pays(purpose: Purpose, sent: number): Happening {
      return { at: season.at(sent), act: () => pay(world, paying(purpose, sent)) }
    },
    hasPaid(purpose: Purpose, sent: number, decided: number): Happening {
      const at = season.at(decided)
      return { at, act: () => payAndVerify(world, paying(purpose, sent), at) }
    },
    isRefused(purpose: Purpose, sent: number, decided: number, reason: string): Happening {
      const at = season.at(decided)
      return { at, act: () => payAndReject(world, paying(purpose, sent), at, reason) }
    },
    ordersForLibrary(share: number, copies: readonly Copies[]): Happening {
      const at = season.at(share)
      return { at, act: () => orderForLibrary(world, school, season, at, copies) }
    },
    choosesDates(share: number, most?: number): Happening {
      const at = season.at(share)
      return { at, act: () => chooseDates(world, school, season, at, most) }
    },
    signsOff(share: number): Happening {
      const at = season.at(share)
      return { at, act: () => signListsOff(world, school, season, at) }
    },
    deletesSome(share: number): Happening {
      const at = season.at(share)
      return { at, act: () => deleteSome(world, school, season, at) }
    },
  }
}

/** A season that is over, for one school: entered, paid, dates chosen, books and papers delivered. */
export function pastYear(world: World, school: School, yearsAgo: 1 | 2, courierId: number): Happening[] {
  const season = world.seasons[yearsAgo]
  const size = school.seed.children[yearsAgo]
  if (size === 0) return []
  const children = randomOf(`${school.seed.code} in ${season.label}`)
    .shuffle(childrenOf(school.seed).filter(({ place }) => place >= yearsAgo))
    .slice(0, size)
  const its = doings(world, school, season)
  const parcel = (contents: 'books' | 'papers', packed: Date, until: Date): Happening => ({
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
    its.enrol(0.3, children, new Map(), yearsAgo),
    its.hasPaid('registration', 0.5, 0.52),
    its.hasPaid('books', 0.54, 0.56),
    its.choosesDates(0.6),
    parcel('books', season.at(0.6), season.at(1)),
    parcel('papers', season.at(0.9), season.at(1)),
  ]
}

const notArrived =
  'The amount on the slip is not the amount that has arrived. Please send the slip of the transfer that we received, or the rest.'

/** The season that runs, for one school, up to its stage. */
export function thisYear(world: World, school: School): Happening[] {
  const [season] = world.seasons
  const its = doings(world, school, season)
  const rolls: Rolls = new Map()
  const children = childrenOf(school.seed)
  const all = its.enrol(0.25, children, rolls)
  switch (school.seed.stage) {
    case 'empty':
      return []
    case 'entering':
      return [its.enrol(0.25, children.slice(14), rolls), its.enrol(0.93, children.slice(0, 14), rolls)]
    case 'carrying':
      return [its.enrol(0.93, children.slice(0, 7), rolls)]
    case 'unpaid':
      return [all, its.deletesSome(0.35)]
    case 'pending':
      return [all, its.pays('registration', 0.9 + (school.id % 7) / 100)]
    case 'rejected':
      return [all, its.isRefused('registration', 0.7, 0.74, notArrived)]
    case 'additions':
      return [
        its.enrol(0.25, children.slice(0, -62), rolls),
        { at: season.at(0.26), act: () => nameFamilyLink(world, school, season) },
        its.deletesSome(0.35),
        its.hasPaid('registration', 0.4, 0.42),
        its.hasPaid('books', 0.41, 0.43),
        its.ordersForLibrary(0.44, firstOrder),
        its.hasPaid('library', 0.46, 0.48),
        its.enrol(0.8, children.slice(-62, -22), rolls),
        its.ordersForLibrary(0.92, laterOrder),
        its.choosesDates(0.6, 2),
        its.pays('books', 0.95),
        its.enrol(0.97, children.slice(-22), rolls),
      ]
    case 'books-pending':
      return [all, its.hasPaid('registration', 0.55, 0.57), its.pays('books', 0.93)]
    case 'paid':
      return [
        all,
        its.hasPaid('registration', 0.45, 0.48),
        its.hasPaid('books', 0.5, 0.52),
        its.choosesDates(0.7, 3),
        its.ordersForLibrary(0.8, school.id % 2 === 0 ? firstOrder : laterOrder),
        its.pays('library', 0.94),
      ]
    case 'dated':
      return [
        all,
        its.hasPaid('registration', 0.35, 0.37),
        its.hasPaid('books', 0.36, 0.38),
        its.choosesDates(0.6),
        its.signsOff(0.9),
      ]
  }
}

/** A few children leave again before anything is paid; their rows are kept and shown as deleted. */
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

/** Families look at their pages; not all of them. */
export async function openFamilies({ db, seasons }: World): Promise<void> {
  const [season] = seasons
  const [first, last] = [season.at(0.5), season.at(0.98)]
  await sql`
    update family_links l set first_opened_at = ${first}::timestamptz, last_opened_at = ${last}::timestamptz
    where l.season = ${season.label} and l.parent_mobile <> '' and exists (
      select from students s where s.family_link_id = l.id and s.paid and s.roll_no % 3 = 0)`.execute(db)
}
