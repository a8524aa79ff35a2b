import { type LetterCodes, type LetterLanguages, mostLetters } from '@podium/contract/schools/calls-mailings'
import { sql } from 'kysely'
import { issueSchoolLink } from '#features/accounts/registration/commands'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import {
  type LetterChoice,
  type LetterSchool,
  letterSchools,
  lettersKind,
  linkInForce,
  linkStep,
} from './queries.ts'

interface Wanted {
  choice: LetterChoice
  language: LetterLanguages
  codes: LetterCodes
  /** How many schools the officer was told of */
  schools: number
}

/** Plans the print job. Refuses it when there is nothing to print, too much, or not as many schools as were shown. */
export async function startLetters(tx: Tx, scope: OfficeScope, now: Date, wanted: Wanted): Promise<string> {
  const { choice, language, codes, schools } = wanted
  const ids = await letterSchools(tx, scope, now, choice)
  if (ids.length === 0) throw new Refusal('schools.letters_none')
  if (ids.length > mostLetters) throw new Refusal('schools.letters_many')
  if (ids.length !== schools) throw new Refusal('schools.letters_changed')
  const input = { ids, language, codes }
  const job = { kind: lettersKind, total: ids.length, input, createdBy: scope.staffId }
  const id = await enqueueJob(tx, now, job)
  const told = { language, codes, schools: ids.length, filters: choice }
  await audit(tx, now, scope, 'schools.letters_started', { kind: 'schools', id }, told)
  return id
}

/** A school with the link and the code that its letter carries. */
export interface Prepared {
  school: LetterSchool & { id: number }
  linkId: string
  code: string
}

interface Row extends LetterSchool {
  id: number
  linkId: string | null
  sealed: string | null
  linkedAt: Date | null
}

function opened(keys: Keys, sealed: string | null): string | undefined {
  if (!sealed) return undefined
  try {
    return unseal(keys, sealed)
  } catch {
    // Sealed under another secret, whose codes open nothing any more.
    return undefined
  }
}

const inGroups = (code: string) => code.replace(/.{4}(?=.)/g, '$& ')

interface Preparing {
  ids: readonly number[]
  codes: LetterCodes
  /** When the job was asked for: what is younger is not made anew once more */
  startedAt: Date
}

/**
 * Makes the links that these schools need for their letters, each with its audit line, and gives what the letters say,
 * in the order of the ids. A school that was switched off or merged meanwhile is left out.
 */
export async function prepareLetters(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  { ids, codes, startedAt }: Preparing,
) {
  // In one order of ids, so that nobody waits for somebody who waits for him.
  await sql`select from schools where id = any(${[...ids]}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<Row>`
    select o.id, o.code, o.name, o.address, o.city, o.district, o.state, o.country, o.pin_code, k.id as "linkId",
      k.access_code_sealed as sealed, k.created_at as "linkedAt"
    from schools o ${linkInForce}
    where o.id = any(${[...ids]}::bigint[]) and o.active and o.merged_into is null`.execute(tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const prepared: Prepared[] = []
  const counts = { made: 0, renewed: 0, left: ids.length - rows.length }
  for (const id of ids) {
    const row = byId.get(id)
    if (!row) continue
    const { linkId, sealed, linkedAt, ...school } = row
    const known = opened(keys, sealed)
    const link = linkedAt ? { readable: known !== undefined, createdAt: linkedAt } : undefined
    const step = linkStep(link, codes, startedAt)
    if (step === 'keep') {
      prepared.push({ school, linkId: linkId ?? '', code: inGroups(known ?? '') })
      continue
    }
    const made = await issueSchoolLink(tx, now, keys, id, { replace: true, by: scope.staffId })
    const action = step === 'make' ? 'school.link_made' : 'school.link_renewed'
    await audit(tx, now, scope, action, { kind: 'school', id, schoolId: id })
    counts[step === 'make' ? 'made' : 'renewed'] += 1
    prepared.push({ school, linkId: made.id, code: inGroups(made.code) })
  }
  return { prepared, ...counts }
}

/** Each school's record says that its letter was printed. */
export async function tellPrinted(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  schools: readonly { id: number }[],
  language: LetterLanguages,
): Promise<void> {
  for (const { id } of schools)
    await audit(tx, now, scope, 'school.letter_printed', { kind: 'school', id, schoolId: id }, { language })
}

/** A school and the link that the officer sees of it; '' where it has none. */
interface Seen {
  id: number
  linkId: string
}

/** Locks a school and gives its link in force; refuses when that is not the one the officer sees. */
async function lockLink(tx: Tx, { id, linkId }: Seen) {
  const school = orNotFound(
    await tx
      .selectFrom('schools')
      .select(['id', 'code', 'name', 'name_key', 'email', 'address', 'city', 'district', 'state', 'country'])
      .select(['pin_code', 'affiliation_no', 'udise_code', 'phone', 'active', 'created_at', 'version'])
      .select(['merged_into'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  const link = await tx
    .selectFrom('school_links')
    .select(['id', 'access_code_sealed'])
    .where('school_id', '=', id)
    .where('revoked_at', 'is', null)
    // Its own before one that came with a school that was merged
    .orderBy(sql`came_from is not null`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if ((link?.id ?? '') !== linkId) throw new Refusal('schools.link_gone')
  return { school, link }
}

const subjectOf = (id: number) => ({ kind: 'school', id, schoolId: id })

function codeOf(keys: Keys, link: { access_code_sealed: string } | undefined): string {
  const { access_code_sealed: sealed } = orNotFound(link)
  if (sealed === '') throw new Refusal('schools.code_unreadable')
  return unseal(keys, sealed).replace(/.{4}(?=.)/g, '$& ')
}

/** The access code of a school as it stands on its letter; that it was looked at is audited, the code is not. */
export async function showCode(tx: Tx, scope: OfficeScope, now: Date, keys: Keys, seen: Seen) {
  const { link } = await lockLink(tx, seen)
  const code = codeOf(keys, link)
  await audit(tx, now, scope, 'school.code_shown', subjectOf(seen.id))
  return { code }
}

/** What the letter of a school says: its address, link and code. Refuses a school that is switched off. */
export async function prepareLetter(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  letter: Seen & { language: 'en' | 'hi' },
) {
  const { school, link } = await lockLink(tx, letter)
  if (!school.active) throw new Refusal('schools.inactive')
  const code = codeOf(keys, link)
  await audit(tx, now, scope, 'school.letter_printed', subjectOf(letter.id), { language: letter.language })
  return { school, code, linkId: letter.linkId }
}

/**
 * Gives a school a new link and code; earlier links end, and with them what browsers have proved by them. Refuses a
 * school that is switched off, and a link that the officer does not see.
 */
export async function renewSchoolLink(tx: Tx, scope: OfficeScope, now: Date, keys: Keys, seen: Seen) {
  const { school } = await lockLink(tx, seen)
  if (!school.active) throw new Refusal('schools.inactive')
  const { id: linkId } = await issueSchoolLink(tx, now, keys, seen.id, { replace: true, by: scope.staffId })
  await audit(
    tx,
    now,
    scope,
    seen.linkId === '' ? 'school.link_made' : 'school.link_renewed',
    subjectOf(seen.id),
  )
  return { linkId }
}

/** Takes a school's links back. Refuses a link that the officer does not see. */
export async function revokeSchoolLink(tx: Tx, scope: OfficeScope, now: Date, seen: Seen): Promise<void> {
  const { link } = await lockLink(tx, seen)
  orNotFound(link)
  await tx
    .updateTable('school_links')
    .set({ revoked_at: now })
    .where('school_id', '=', seen.id)
    .where('revoked_at', 'is', null)
    .execute()
  await audit(tx, now, scope, 'school.link_revoked', subjectOf(seen.id))
}
