import {
  bareCode,
  codeHash,
  isCode,
  type Keys,
  newCode,
  newId,
  type SecretKeys,
  seal,
} from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { issueTicket } from '../sign-in/commands-tickets.ts'
import { schoolLink } from '../sign-in/queries-tickets.ts'

interface SchoolLink {
  /** The part of the address behind the QR code: `/login?id=…` */
  id: string
  /** The access code for the letter */
  code: string
}

const boundTo = (id: string) => `school-link:${id}`

interface Issuing {
  /** The school's earlier links end */
  replace?: boolean
  /** The member of the office who asked for it */
  by?: number
}

/** Makes a school's link and access code for its letter; the code is kept sealed, so that the letter can be printed again. */
export async function issueSchoolLink(
  tx: Tx,
  now: Date,
  keys: Keys,
  schoolId: number,
  { replace = false, by }: Issuing = {},
): Promise<SchoolLink> {
  if (replace) {
    await tx
      .updateTable('school_links')
      .set({ revoked_at: now })
      .where('school_id', '=', schoolId)
      .where('revoked_at', 'is', null)
      .execute()
  }
  const [id, code] = [newId(), newCode(8)]
  await tx
    .insertInto('school_links')
    .values({
      id,
      school_id: schoolId,
      access_code_hash: schoolCodeHash(keys, id, code),
      access_code_sealed: seal(keys, code),
      created_at: now,
      created_by: by ?? null,
    })
    .execute()
  return { id, code }
}

/** The hash under which the code of a link is stored. */
export function schoolCodeHash(keys: SecretKeys, id: string, code: string): string {
  return codeHash(keys, boundTo(id), bareCode(code))
}

/**
 * Compares an access code with a link's, in constant time, and gives the browser the proof. Wrong codes and links are
 * answered with the specification's sentences. The caller counts the tries.
 */
export async function proveAccessCode(tx: Tx, keys: Keys, now: Date, id: string, code: string) {
  const link = await schoolLink(tx, id)
  if (!link) throw new Refusal('account.bad_link')
  if (!isCode(keys, link.access_code_hash, boundTo(id), bareCode(code)))
    throw new Refusal('account.wrong_status_code')
  const ticket = await issueTicket(tx, now, 'school', { schoolLinkId: id })
  return { ticket, schoolId: link.school_id }
}
