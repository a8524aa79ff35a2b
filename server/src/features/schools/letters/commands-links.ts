import { sql } from 'kysely'
import { issueSchoolLink } from '#features/accounts/registration/commands-access-code'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

/** A school and the link that the officer sees of it; '' where it has none. */
interface Seen {
  id: number
  linkId: string
}

/** Locks a school and gives its link in force; refuses when that is not the one the officer sees. */
async function lockLink(tx: Tx, { id, linkId }: Seen) {
  const school = found(
    await tx
      .selectFrom('schools')
      .select([
        'id',
        'code',
        'name',
        'name_key',
        'email',
        'address',
        'city',
        'district',
        'state',
        'country',
        'pin_code',
        'affiliation_no',
        'udise_code',
        'phone',
        'active',
        'created_at',
        'version',
        'merged_into',
      ])
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
  const { access_code_sealed: sealed } = found(link)
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
  found(link)
  await tx
    .updateTable('school_links')
    .set({ revoked_at: now })
    .where('school_id', '=', seen.id)
    .where('revoked_at', 'is', null)
    .execute()
  await audit(tx, now, scope, 'school.link_revoked', subjectOf(seen.id))
}
