import type { LetterCodes, LetterLanguages } from '@podium/contract/schools/calls-letters'
import { mostLetters } from '@podium/contract/schools/calls-letters'
import { sql } from 'kysely'
import { issueSchoolLink } from '#features/accounts/registration/commands-access-code'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { dropContents, type FileStore } from '#platform/files/files'
import { enqueueJob } from '#platform/jobs/jobs'
import { type LetterChoice, letterSchools, linkInForce } from './queries.ts'
import { keptUntil, type LetterSchool, lettersKind, linkStep } from './rules.ts'

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
  const ids = await letterSchools(tx, scope, choice)
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

/** Deletes letters that can't be fetched any more, content and all: they hold codes. */
export async function dropOldLetters(db: Db, files: FileStore, now: Date): Promise<void> {
  const kept = now.getTime() - (keptUntil(now).getTime() - now.getTime())
  const { rows } = await sql<{ sha256: string }>`
    delete from files where kind = ${lettersKind} and created_at < ${new Date(kept)}::timestamptz
    returning sha256`.execute(db)
  await dropContents(
    db,
    files,
    rows.map(({ sha256 }) => sha256),
  )
}
