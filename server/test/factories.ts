import { randomInt, randomUUID } from 'node:crypto'
import { foldName } from '@podium/contract/names'
import { parseSeason, type Season } from '@podium/contract/season'
import { insertSeason } from '../seed/catalogue.ts'
import type { Role } from '../src/platform/auth/policy.ts'
import { openSession } from '../src/platform/auth/session.ts'
import type { Db } from '../src/platform/db/database.ts'
import { testDatabase } from './database.ts'
import { addRow, changeRows, findRow } from './rows.ts'

/**
 * Factories for test data. Each creates what it needs, including missing parents; a test creates its own school, so
 * that all can share one database. What the product does by a call is tested through that call, not through these.
 */

/** A day within the demo season, before its events close: 21 November 2026, 11:30 IST. */
export const aDay = new Date('2026-11-21T06:00:00Z')
export const thisSeason = season('2026-27')

/** A contact as entered by a school. */
export const aContact = {
  id: 0,
  fyear: thisSeason,
  desgId: 1,
  titleId: 1,
  name: 'Hema Misaal',
  email: 'hema@school.example',
  altEmail: '',
  mobile: '9000000417',
  altmobile: '',
}

/** The details of a new school, as entered by the office; each is another school. */
export const aSchoolForm = () => ({
  schName: `Zuvya Quolex ${randomInt(1e9)}`,
  schAddress: '4 Udaharan Street',
  city: 'Namunapur',
  district: 'Namunapur',
  state: 'Karnataka',
  country: 'India',
  pinCode: `5${randomInt(10_000, 99_999)}`,
  mobile: `9${randomInt(1e8, 1e9)}`,
  udiseCode: '',
  affiliationNo: '',
  schEmail: '',
  schGroupId: '',
  landLineNo: '',
  schFaxNo: '',
  schWebSite: '',
  whatsAppNo: '',
})

/** Returns a word that no other name contains, without digits: digits in a search are matched as a roll no. */
export const aWord = () =>
  randomUUID()
    .slice(0, 6)
    .replaceAll(/\d/g, (digit) => 'ghjkmnpqrs'[Number(digit)] ?? '')

export function season(label: string): Season {
  const parsed = parseSeason(label)
  if (!parsed) throw new Error(`${label} is no season`)
  return parsed
}

async function db(): Promise<Db> {
  return (await testDatabase()).db
}

/** Creates the catalogue of a season, once: ten subjects and four for little stars, with fees, books and dates. */
export async function aSeason(label: Season = thisSeason): Promise<Season> {
  await (await db()).transaction().execute((tx) => insertSeason(tx, label, aDay))
  return label
}

/** Returns the event of a subject in a season. */
export async function eventOf(letter: string, label: Season = thisSeason) {
  await aSeason(label)
  return findRow('events', { season: label, letter, level: 1 })
}

interface SchoolTraits {
  name?: string
  state?: string
  city?: string
  pinCode?: string
  zone?: string
  country?: string
}

export async function aSchool(traits: SchoolTraits = {}) {
  const code = `T${randomInt(1e9, 1e10)}`
  const name = traits.name ?? `Udaharan School ${code}`
  return addRow('schools', {
    code,
    name,
    name_key: name.toLowerCase(),
    address: '1 Namuna Road',
    city: traits.city ?? 'Kalpanagar',
    district: 'Kalpanagar',
    state: traits.state ?? 'Karnataka',
    zone: traits.zone ?? 'South',
    country: traits.country ?? 'India',
    pin_code: traits.pinCode ?? '560001',
    phone: '9000000000',
    email: `${code.toLowerCase()}@school.example`,
    created_at: aDay,
  })
}

export const schoolCode = async (id: number) => (await findRow('schools', { id })).code

/** Creates a person signed in with a school account; `schoolId` null for one whose school is not registered. */
export async function aTeacher(
  traits: { schoolId?: number | null; name?: string; now?: Date; coordinator?: boolean } = {},
) {
  const schoolId = traits.schoolId === undefined ? (await aSchool()).id : traits.schoolId
  const user = await addRow('users', {
    email: `${randomUUID()}@teachers.example`,
    name: traits.name ?? 'Meera Namunawala',
    designation: 'Teacher',
    school_id: schoolId,
    coordinator: traits.coordinator ?? false,
    created_at: aDay,
  })
  const token = await session(traits.now ?? aDay, { kind: 'account', userId: user.id })
  return { ...user, schoolId: schoolId ?? 0, token }
}

/** Creates a member of the foundation's staff, signed in. */
export async function anOfficer(role: Role, now: Date = aDay) {
  const staff = await addRow('staff', {
    email: `${randomUUID()}@foundation.example`,
    name: 'Radhika Kalpanik',
    role,
    created_at: aDay,
  })
  return { ...staff, token: await officeSession(staff.id, now) }
}

/** Signs a member of the foundation's staff in; returns the token. */
export const officeSession = (staffId: number, now: Date) => session(now, { kind: 'office', staffId })

const session = async (
  now: Date,
  by: { kind: 'account'; userId: number } | { kind: 'office'; staffId: number },
) =>
  (await db())
    .transaction()
    .execute((tx) => openSession(tx, now, { ...by, source: '127.0.0.1', agent: 'test' }))

/** Creates an application that waits for the office, by this person or a new one. */
export async function anApplication(
  traits: {
    by?: { id: number; email: string; token: string }
    name?: string
    pinCode?: string
    udise?: string
  } = {},
) {
  const teacher = traits.by ?? (await aTeacher({ schoolId: null }))
  const name = traits.name ?? `Kalpanik Vidya Mandir ${randomInt(1e9)}`
  const { id } = await addRow('applications', {
    user_id: teacher.id,
    school_name: name,
    name_key: foldName(name),
    address: '4 Udaharan Street',
    city: 'Namunapur',
    state: 'Karnataka',
    district: 'Namunapur',
    country: 'India',
    pin_code: traits.pinCode ?? '560099',
    phone: '9000000001',
    udise_code: traits.udise ?? '',
    submitted_at: aDay,
  })
  return { id, teacher, name }
}

/** Extends all sessions, so that users stay signed in when a test moves the clock. */
export async function extendSessions(now: Date) {
  const until = new Date(now.getTime() + 600_000)
  await changeRows('sessions', {}, { idle_until: until, expires_at: until })
}

/** Creates a notice for one school only, live on `aDay`; returns its id. */
export async function aNoticeFor({ schoolId }: { schoolId: number }): Promise<number> {
  const { id: staffId } = await anOfficer('operations')
  const { id } = await addRow('notices', {
    title: 'Books leave on Monday',
    body: 'Parcels leave on Monday.',
    audience: 'school',
    school_id: schoolId,
    shows_from: '2026-11-21',
    shows_until: '2026-11-30',
    created_by: staffId,
    created_at: aDay,
    changed_by: staffId,
    changed_at: aDay,
  })
  return id
}
