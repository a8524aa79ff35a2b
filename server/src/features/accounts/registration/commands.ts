import type { WrittenLanguage } from '@podium/contract/languages'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import { systemScope } from '#platform/auth/scope'
import {
  codeHash,
  codeHashes,
  isCode,
  type Keys,
  newCode,
  newDigits,
  newId,
  newToken,
  normalizeCode,
  type SecretKeys,
  seal,
  tokenHash,
} from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { addRow, changeRows, findRow, firstRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { foundationLimits } from '#platform/foundation'
import { mailPeople, mailPerson } from '#platform/mail/mail-texts'
import { approveOpenApplication } from '../invitations/commands.ts'
import { type Identity, identityOf, otpTries, schoolLink } from '../queries.ts'
import { issueTicket, linkIdentity, takeTicket, voidTickets } from '../sign-in/commands-tickets.ts'
import type { Proofs, Registration } from './queries.ts'

interface RegistrationInput {
  form: Registration
  proofs: Proofs
  /** The school of the proved access code, if the form names it */
  schoolId: number | undefined
  passwordHash: string
  publicUrl: string
}

/**
 * Creates an account from the proofs of the earlier steps, which are used up. The address is the ticket's. Throws
 * `account.exists` if the address has an account by now.
 */
export async function registerAccount(tx: Tx, now: Date, registering: RegistrationInput): Promise<number> {
  const { form, proofs, schoolId } = registering
  const proved = await takeTicket(tx, now, 'email', proofs.email)
  if (!proved) throw new Refusal('account.email_not_proved')
  if (schoolId !== undefined && !(await takeTicket(tx, now, 'school', proofs.school)))
    throw new Refusal('account.school_not_proved')
  const user = await tx
    .insertInto('users')
    .values({
      email: proved.email,
      name: form.userName,
      password_hash: registering.passwordHash,
      mobile: form.mobile,
      gender: form.genderType,
      designation: form.designation,
      address: form.address,
      city: form.city,
      state: form.state,
      country: form.country,
      pin_code: form.pinCode,
      language: form.language ?? 'en',
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('account.exists'))
  await audit(
    tx,
    now,
    systemScope('Registration'),
    'account.registered',
    { kind: 'user', id: user.id, schoolId },
    { name: form.userName, designation: form.designation },
  )
  const identity = identityOf(proved.data)
  if (identity) await linkIdentity(tx, now, registering.publicUrl, user.id, identity, proved.email)
  if (schoolId !== undefined) await joinSchool(tx, now, user.id, schoolId)
  return user.id
}

interface SchoolLink {
  /** The id in the QR code's address: `/login?id=…` */
  id: string
  /** The access code for the letter */
  code: string
}

const boundTo = (id: string) => `school-link:${id}`

interface LinkOptions {
  /** Revoke the school's earlier links */
  replace?: boolean
  /** The officer who requested it */
  by?: number
}

/** Creates a school's link and access code for its letter. The code is stored encrypted, so that the letter can be reprinted. */
export async function issueSchoolLink(
  tx: Tx,
  now: Date,
  keys: Keys,
  schoolId: number,
  { replace = false, by }: LinkOptions = {},
): Promise<SchoolLink> {
  if (replace) {
    await changeRows(tx, 'school_links', {
      where: { school_id: schoolId, revoked_at: null },
      set: { revoked_at: now },
    })
  }
  const [id, code] = [newId(), newCode(8)]
  await addRow(tx, 'school_links', {
    id,
    school_id: schoolId,
    access_code_hash: schoolCodeHash(keys, id, code),
    access_code_sealed: seal(keys, code),
    created_at: now,
    created_by: by ?? null,
  })
  return { id, code }
}

/** The hash under which the code of a link is stored. */
export function schoolCodeHash(keys: SecretKeys, id: string, code: string): string {
  return codeHash(keys, boundTo(id), normalizeCode(code))
}

/**
 * Compares an access code with the link's in constant time and gives the browser the proof. Wrong codes and links get the
 * specification's messages. The caller counts attempts.
 */
export async function proveAccessCode(
  tx: Tx,
  keys: Keys,
  now: Date,
  { id, code }: SchoolLink,
  triesLeft: number,
) {
  const link = await schoolLink(tx, id)
  if (!link) throw new Refusal('account.bad_link')
  if (!isCode(keys, link.access_code_hash, boundTo(id), normalizeCode(code)))
    throw new Refusal('account.wrong_status_code', { fields: { triesLeft } })
  const ticket = await issueTicket(tx, now, 'school', { schoolLinkId: id })
  return { ticket, schoolId: link.school_id }
}

/**
 * Adds a user without a school to the school whose access code they have proved. The code comes from the foundation's letter,
 * so no approval is needed. The first user who can sign in becomes coordinator, the others are notified, and an open application is closed.
 * Returns false if the user already has a school or was removed from this one.
 */
export async function joinSchool(tx: Tx, now: Date, userId: number, schoolId: number): Promise<boolean> {
  // Locked, so that two users joining at once come one after the other.
  const school = await findRow(tx, 'schools', { id: schoolId }, ['id', 'name'], { lock: true })
  const colleagues = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'disabled_at'])
    .where('school_id', '=', schoolId)
    .execute()
  const joined = await tx
    .updateTable('users')
    .set((values) => ({
      school_id: schoolId,
      coordinator: isFirst(colleagues),
      version: values('version', '+', 1),
    }))
    .where('id', '=', userId)
    .where('school_id', 'is', null)
    // A removed user can only return by invitation: everyone who ever had the letter knows its code.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('school_departures as d')
            .select('d.id')
            .where('d.user_id', '=', userId)
            .where('d.school_id', '=', schoolId)
            .where('d.returned_at', 'is', null),
        ),
      ),
    )
    .returning(['id', 'name', 'email', 'coordinator'])
    .executeTakeFirst()
  if (!joined) return false
  await endInvitations(tx, systemScope('Access code'), now, schoolId, joined, 'to them alone')
  await approveOpenApplication(tx, now, schoolId, userId)
  await audit(
    tx,
    now,
    systemScope('Access code'),
    'account.joined_school',
    { kind: 'user', id: userId, schoolId },
    { name: joined.name, coordinator: joined.coordinator },
  )
  await mailColleagues(tx, now, colleagues, {
    key: `joined:${userId}:${schoolId}`,
    colleague: joined.name,
    school: school.name,
  })
  return true
}

interface Recipient {
  id: number
  name: string
  email: string
  language: string
  disabled_at: Date | null
}

/** Whether none of these people of a school can sign in: then who joins them becomes coordinator. */
export const isFirst = (colleagues: readonly Recipient[]): boolean =>
  colleagues.every((person) => person.disabled_at !== null)

/** Tells those of a school who can sign in that someone has joined them, and now sees their students. */
export async function mailColleagues(
  tx: Tx,
  now: Date,
  colleagues: readonly Recipient[],
  { key, colleague, school }: { key: string; colleague: string; school: string },
): Promise<void> {
  const active = colleagues.filter((person) => person.disabled_at === null)
  await mailPeople(tx, now, active, ({ id }) => ({
    key: `${key}:${id}`,
    kind: 'joined',
    mail: 'colleague-joined',
    values: { colleague, school },
  }))
}

interface CodeRequest {
  email: string
  language: WrittenLanguage
  /** Where the request comes from: requests from elsewhere must not invalidate a user's code */
  source: string
  publicUrl: string
  /** A provider's user whose address the provider has not verified; the one-time password verifies it. */
  identity?: Identity
}

/**
 * E-mails a one-time password and returns this browser's ticket, which has its own attempts. Earlier codes requested from the
 * same place expire. An address with an account gets a different e-mail and a ticket that no code opens: to the caller both
 * look the same (T4).
 */
export async function sendOneTimePassword(
  tx: Tx,
  keys: Keys,
  now: Date,
  request: CodeRequest,
): Promise<string> {
  const { email, language, publicUrl } = request
  const source = tokenHash(request.source)
  const account = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  // A provider's user with an account proves the address too; the account is then connected.
  const refused = account !== undefined && request.identity === undefined
  await voidTickets(tx, now, 'otp', email, source)
  const token = newToken()
  const code = newDigits()
  const { otpMinutes } = await foundationLimits(tx)
  await issueTicket(tx, now, 'otp', {
    token,
    email,
    codeHash: codeHash(keys, tokenHash(token), refused ? newToken() : code),
    seconds: otpMinutes * 60,
    data: { source, ...(request.identity ? { identity: request.identity } : {}) },
  })
  await mailPerson(
    tx,
    now,
    { name: '', email, language },
    {
      key: `otp:${tokenHash(token)}`,
      kind: 'otp',
      ...(refused
        ? { mail: 'account-exists', values: { signIn: `${publicUrl}/login`, reset: `${publicUrl}/forgot` } }
        : { mail: 'one-time-password', values: { code, minutes: otpMinutes } }),
    },
  )
  return token
}

interface CodeGuess {
  /** The ticket of the browser that requested the code; clients without cookies have none */
  token: string | undefined
  email: string
  code: string
  source: string
  publicUrl: string
}

type CodeCheck =
  | { wrong: true; triesLeft: number }
  | { wrong: false; next: 'register' | 'sign-in'; ticket: string }

/**
 * Checks one guess at a one-time password: counted and compared in one statement, so that parallel guesses count too
 * (docs/security.md, T3). A correct guess becomes the proof of the address. A wrong guess must be committed, so don't throw.
 * Guesses without the browser's ticket are counted separately, so that a stranger can't use up the browser's attempts.
 */
export async function proveEmail(tx: Tx, keys: Keys, now: Date, guess: CodeGuess): Promise<CodeCheck> {
  const ticket = guess.token === undefined ? await openCode(tx, now, guess) : tokenHash(guess.token)
  const counted =
    guess.token === undefined
      ? {
          tries: sql`coalesce((data ->> 'elsewhere')::int, 0)`,
          more: sql`data = jsonb_set(data, '{elsewhere}', to_jsonb(coalesce((data ->> 'elsewhere')::int, 0) + 1))`,
        }
      : { tries: sql`tries`, more: sql`tries = tries + 1` }
  const { rows } = await sql<{ right: boolean; tries: number; data: unknown }>`
    update tickets set ${counted.more},
      used_at = case when code_hash = any(${codeHashes(keys, ticket, normalizeCode(guess.code))}::text[]) then ${now}::timestamptz end
    where id_hash = ${ticket} and kind = 'otp' and email = ${guess.email}
      and used_at is null and expires_at > ${now} and ${counted.tries} < ${otpTries}
    returning used_at is not null as right, ${counted.tries} as tries, data`.execute(tx)
  const row = rows[0]
  if (!row?.right) return { wrong: true, triesLeft: row ? otpTries - row.tries : 0 }
  const identity = identityOf(row.data)
  const account = identity && (await firstRow(tx, 'users', { email: guess.email, disabled_at: null }, ['id']))
  if (identity && account) {
    await linkIdentity(tx, now, guess.publicUrl, account.id, identity, guess.email)
    const data = { provider: identity.provider }
    return {
      wrong: false,
      next: 'sign-in',
      ticket: await issueTicket(tx, now, 'social', { userId: account.id, data }),
    }
  }
  const proof = await issueTicket(tx, now, 'email', {
    email: guess.email,
    data: identity ? { identity } : {},
  })
  return { wrong: false, next: 'register', ticket: proof }
}

/** The code a client without cookies can use to prove an address; never one that would connect a provider's user. */
async function openCode(tx: Tx, now: Date, { email, source }: CodeGuess): Promise<string> {
  const row = await tx
    .selectFrom('tickets')
    .select('id_hash')
    .where('kind', '=', 'otp')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(sql<boolean>`not data ? 'identity' and data ->> 'source' = ${tokenHash(source)}`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id_hash ?? ''
}
