import { sql } from 'kysely'
import { demoPassword, demoSchoolLink } from '../src/features/accounts/demo/rules.ts'
import { schoolCodeHash } from '../src/features/accounts/registration/commands.ts'
import { apply } from '../src/features/accounts/registration/commands-application.ts'
import { approve, askBack, reject } from '../src/features/schools/applications/routes.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { type AccountScope, mint, type SchoolScope } from '../src/platform/auth/scope.ts'
import { seal } from '../src/platform/auth/secrets.ts'
import { applicants, districts, type SchoolSeed, schools } from './data/schools.ts'
import type { School, World } from './world.ts'

interface Person {
  name: string
  email: string
  gender?: number
  designation?: string
  mobile?: string
}

async function makeUser({ db }: World, now: Date, person: Person, password_hash: string) {
  const { id } = await db
    .insertInto('users')
    .values({
      email: person.email,
      name: person.name,
      gender: person.gender ?? 1,
      designation: person.designation ?? 'Teacher',
      mobile: person.mobile ?? '9000009000',
      country: 'India',
      language: /[\u0900-\u097f]/.test(person.name) ? 'hi' : 'en',
      password_hash,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, email } = person
  return mint<AccountScope>({ kind: 'account', userId: id, name, email, session: '', schoolId: undefined })
}

type Place = Pick<
  SchoolSeed,
  'name' | 'address' | 'city' | 'district' | 'state' | 'country' | 'pinCode' | 'phone' | 'udiseCode'
> & { affiliationNo?: string }

async function applyFor({ db }: World, now: Date, scope: AccountScope, place: Place): Promise<number> {
  const { name, address, city, district, state, country, pinCode, phone, udiseCode } = place
  const form = { city, district, state, country, pinCode, mobile: phone, udiseCode }
  await db
    .transaction()
    .execute((tx) =>
      apply(tx, scope, now, {
        ...form,
        schName: name,
        schAddress: address,
        affiliationNo: place.affiliationNo ?? '',
      }),
    )
  const { id } = await db
    .selectFrom('applications')
    .select('id')
    .where('user_id', '=', scope.userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

/** Registers the schools as in reality: a person applies, the office approves. The oldest was two years ago. */
export async function makeSchools(world: World): Promise<School[]> {
  const { db, deps, officers, seasons } = world
  await sql`
    insert into districts (state_id, name, name_hi)
    select s.id, d.key, d.value from jsonb_each(${JSON.stringify(districts)}::jsonb) o join states s on s.name = o.key
    cross join lateral jsonb_each_text(o.value) d on conflict do nothing`.execute(db)
  const hash = await hashPassword(deps.keys, demoPassword)
  const registered: School[] = []
  for (const [index, seed] of schools.entries()) {
    const since = seed.children[2] > 0 ? 2 : seed.children[1] > 0 ? 1 : 0
    const now = (seasons[since] ?? seasons[0]).at(seed.stage === 'empty' ? 0.97 : 0.002 * (index + 1))
    const person = { ...seed.coordinator, mobile: seed.phone }
    const applicant = await makeUser(world, now, person, hash)
    const id = await applyFor(world, now, applicant, seed)
    const decision = { id, version: 1, schCode: seed.code }
    const school = await db
      .transaction()
      .execute((tx) => approve(tx, officers.operations, now, deps.settings.publicUrl, decision))
    await completeDetails(world, seed, school.schId)
    const scope = mint<SchoolScope>({
      ...applicant,
      kind: 'school',
      schoolId: school.schId,
      schoolCode: seed.code,
      coordinator: true,
    })
    registered.push({ seed, id: school.schId, scope })
  }
  await makeColleague(world, registered, hash)
  return registered
}

/** Adds what the school has entered since: contact details, and the link on its letter. */
async function completeDetails(
  { db, deps, seasons }: World,
  seed: SchoolSeed,
  schoolId: number,
): Promise<void> {
  const host = `${seed.code.toLowerCase()}.school.example`
  await db
    .updateTable('schools')
    .set({
      email: `office@${host}`,
      website: `https://${host}`,
      whatsapp: seed.phone,
      landline: seed.country === 'India' ? '080 0000 0417' : '',
      group_id: seed.code.startsWith('K') ? 'Kalpanik Group of Schools' : '',
    })
    .where('id', '=', schoolId)
    .execute()
  if (seed.code !== demoSchoolLink.schoolCode) return
  const { id, code } = demoSchoolLink
  await db
    .insertInto('school_links')
    .values({
      id,
      school_id: schoolId,
      access_code_hash: schoolCodeHash(deps.keys, id, code),
      access_code_sealed: seal(deps.keys, code),
      created_at: seasons[0].at(0),
    })
    .execute()
}

/** Creates a second teacher of the first school, added by the office. */
async function makeColleague(world: World, schools: readonly School[], hash: string): Promise<void> {
  const { db, deps, officers, seasons } = world
  const [school] = schools
  if (!school) return
  const now = seasons[0].at(0.3)
  const colleague = await makeUser(
    world,
    now,
    { name: 'Joel Namunawala', email: 'joel@podium.example' },
    hash,
  )
  const id = await applyFor(world, now, colleague, school.seed)
  const decision = { id, version: 1, schId: school.id }
  await db
    .transaction()
    .execute((tx) => approve(tx, officers.operations, now, deps.settings.publicUrl, decision))
}

const notASchool =
  'Podium is for schools only. Your application names a coaching centre; please apply with the school that your students attend.'

/**
 * Creates people whose school is not registered: without an application, waiting in the office's queue, and rejected.
 */
export async function makeApplicants(world: World): Promise<void> {
  const { db, deps, officers, seasons } = world
  const hash = await hashPassword(deps.keys, demoPassword)
  for (const [index, seed] of applicants.entries()) {
    const now = seasons[0].at(0.94 + 0.01 * index)
    const person = { name: seed.name, email: seed.email, mobile: seed.school?.phone ?? '9000009500' }
    const scope = await makeUser(world, now, person, hash)
    if (!seed.school) continue
    const id = await applyFor(world, now, scope, { ...seed.school, country: 'India' })
    if (seed.application === 'asked') await askAbout(world, id)
    if (seed.application !== 'rejected') continue
    const decision = { id, version: 1, reason: notASchool }
    await db
      .transaction()
      .execute((tx) =>
        reject(tx, officers.operations, seasons[0].at(0.98), deps.settings.publicUrl, decision),
      )
  }
}

const whatIsMissing =
  'Please send us the UDISE code of your school, and the address as it stands on its affiliation letter.'

async function askAbout({ db, deps, officers, seasons }: World, id: number): Promise<void> {
  const question = { id, version: 1, question: whatIsMissing }
  await db
    .transaction()
    .execute((tx) => askBack(tx, officers.operations, seasons[0].at(0.99), deps.settings.publicUrl, question))
}
