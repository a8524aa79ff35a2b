import type { WrittenLanguage } from '@podium/contract/languages'
import { type LetterCodes, type LetterLanguages, maxLetters } from '@podium/contract/schools/calls-mailings'
import { sql } from 'kysely'
import { issueSchoolLink } from '#features/accounts/registration/commands'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import * as queries from './queries.ts'

interface LetterRequest {
  choice: queries.LetterChoice
  language: LetterLanguages
  codes: LetterCodes
  /** How many schools the officer was shown */
  schools: number
}

/** Enqueues the print job. Refuses if there are no schools, too many, or a different number than shown. */
export async function startLetters(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  wanted: LetterRequest,
): Promise<string> {
  const { choice, language, codes, schools } = wanted
  const ids = await queries.letterSchools(tx, scope, now, choice)
  if (ids.length === 0) throw new Refusal('schools.letters_none')
  if (ids.length > maxLetters) throw new Refusal('schools.letters_many')
  if (ids.length !== schools) throw new Refusal('schools.letters_changed')
  const input = { ids, language, codes }
  const job = { kind: queries.lettersKind, total: ids.length, input, createdBy: scope.staffId }
  const id = await enqueueJob(tx, now, job)
  const change = { language, codes, schools: ids.length, filters: choice }
  await audit(tx, now, scope, 'schools.letters_started', { kind: 'schools', id }, change)
  return id
}

/** A school with the link and code for its letter. */
export interface PreparedLetter {
  school: queries.LetterSchool & { id: number }
  linkId: string
  code: string
}

interface Row extends queries.LetterSchool {
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
    // Encrypted with another secret, so the code no longer works.
    return undefined
  }
}

const inGroups = (code: string) => code.replace(/.{4}(?=.)/g, '$& ')

interface LetterBatch {
  ids: readonly number[]
  codes: LetterCodes
  /** When the job was requested: newer codes are not renewed again */
  startedAt: Date
}

/**
 * Creates the links these schools need for their letters, each with an audit line, and returns the content of the letters in
 * the order of the ids. Schools deactivated or merged meanwhile are left out.
 */
export async function prepareLetters(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  { ids, codes, startedAt }: LetterBatch,
) {
  // Locked in id order, to avoid deadlocks.
  await sql`select from schools where id = any(${[...ids]}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<Row>`
    select o.id, o.code, o.name, o.address, o.city, o.district, o.state, o.country, o.pin_code, k.id as "linkId",
      k.access_code_sealed as sealed, k.created_at as "linkedAt"
    from schools o ${queries.linkInForce}
    where o.id = any(${[...ids]}::bigint[]) and o.active and o.merged_into is null`.execute(tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const prepared: PreparedLetter[] = []
  const counts = { made: 0, renewed: 0, left: ids.length - rows.length }
  for (const id of ids) {
    const row = byId.get(id)
    if (!row) continue
    const { linkId, sealed, linkedAt, ...school } = row
    const known = opened(keys, sealed)
    const link = linkedAt ? { readable: known !== undefined, createdAt: linkedAt } : undefined
    const step = queries.linkStep(link, codes, startedAt)
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

/** Logs for each school that its letter was printed. */
export async function logPrinted(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  schools: readonly { id: number }[],
  language: LetterLanguages,
): Promise<void> {
  for (const { id } of schools)
    await audit(tx, now, scope, 'school.letter_printed', { kind: 'school', id, schoolId: id }, { language })
}

/** A school and the link shown to the officer; '' if it has none. */
interface LinkVersion {
  id: number
  linkId: string
}

/** Locks a school and returns its active link. Refuses if that is not the one shown to the officer. */
async function lockLink(tx: Tx, { id, linkId }: LinkVersion) {
  const school = await tx
    .selectFrom('schools')
    .select(['code', 'name', 'address', 'city', 'district', 'state', 'country', 'pin_code', 'active'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  const link = await tx
    .selectFrom('school_links')
    .select(['id', 'access_code_sealed'])
    .where('school_id', '=', id)
    .where('revoked_at', 'is', null)
    // Its own link before one taken over from a merged school
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

/** The access code on a school's letter. The viewing is logged, the code is not. */
export async function showCode(tx: Tx, scope: OfficeScope, now: Date, keys: Keys, seen: LinkVersion) {
  const { link } = await lockLink(tx, seen)
  const code = codeOf(keys, link)
  await audit(tx, now, scope, 'school.code_shown', subjectOf(seen.id))
  return { code }
}

/** The content of a school's letter: address, link and code. Refuses a deactivated school. */
export async function prepareLetter(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  letter: LinkVersion & { language: WrittenLanguage },
) {
  const { school, link } = await lockLink(tx, letter)
  if (!school.active) throw new Refusal('schools.inactive')
  const code = codeOf(keys, link)
  await audit(tx, now, scope, 'school.letter_printed', subjectOf(letter.id), { language: letter.language })
  return { school, code, linkId: letter.linkId }
}

/**
 * Creates a new link and code for a school. Earlier links, and proofs made with them, become invalid. Refuses a deactivated
 * school, and a link other than the one shown.
 */
export async function renewSchoolLink(tx: Tx, scope: OfficeScope, now: Date, keys: Keys, seen: LinkVersion) {
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

/** Revokes a school's links. Refuses a link other than the one shown. */
export async function revokeSchoolLink(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: LinkVersion,
): Promise<void> {
  const { link } = await lockLink(tx, seen)
  orNotFound(link)
  await changeRows(tx, 'school_links', {
    where: { school_id: seen.id, revoked_at: null },
    set: { revoked_at: now },
  })
  await audit(tx, now, scope, 'school.link_revoked', subjectOf(seen.id))
}
