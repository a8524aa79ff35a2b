import type { ParsedBody } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import type { officeSetUp } from '@podium/contract/staff/calls'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { hashPassword, isCommonPassword, isPassword, rehashPassword } from '#platform/auth/passwords'
import { mint, type OfficeScope, systemScope } from '#platform/auth/scope'
import {
  codeHash,
  type Keys,
  newCode,
  newToken,
  newTotpSecret,
  normalizeCode,
  possibleKeys,
  type SecretKeys,
  seal,
  tokenHash,
  totpStep,
  totpUri,
  unseal,
} from '#platform/auth/secrets'
import { confirmSession, openSession } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import { addedRow, addRow, changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { Refusal, refuseField } from '#platform/errors'
import { mailSender } from '#platform/foundation'

const stepMinutes = 5
const tries = 5
export const minutesFrom = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000)

/**
 * First step: the password. Returns the ticket for the second step, and for users without a second factor the secret to
 * set one up. Unknown e-mail, wrong password and deactivated users get the same refusal after the same amount of work.
 */
export async function startSignIn(deps: Deps, now: Date, email: string, password: string) {
  const staff = await deps.db
    .selectFrom('staff')
    .select(['id', 'email', 'password_hash', 'totp_secret'])
    .where('email', '=', email)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!(await isPassword(deps.keys, password, staff?.password_hash)) || !staff)
    throw new Refusal('office.wrong_sign_in')
  const fresh = await rehashPassword(deps.keys, password, staff.password_hash ?? '')
  if (fresh !== undefined)
    await changeRows(deps.db, 'staff', {
      where: { id: staff.id, password_hash: staff.password_hash },
      set: { password_hash: fresh },
    })
  const ticket = newToken()
  const secret = staff.totp_secret === null ? newTotpSecret() : undefined
  const data = JSON.stringify(secret === undefined ? {} : { secret: seal(deps.keys, secret) })
  // Only while the password is still this one: changing it voids the tickets there are (people/commands.ts).
  const { numAffectedRows } = await sql`
    insert into tickets (id_hash, kind, staff_id, data, created_at, expires_at)
    select ${tokenHash(ticket)}, 'totp', id, ${data}::jsonb, ${now}::timestamptz, ${minutesFrom(now, stepMinutes)}::timestamptz
    from staff where id = ${staff.id} and password_hash = ${fresh ?? staff.password_hash}
    for share`.execute(deps.db)
  if (numAffectedRows !== 1n) throw new Refusal('office.wrong_sign_in')
  if (secret === undefined) return { ticket, next: 'code' as const }
  const { shortName, foundation } = await mailSender(deps.db)
  return {
    ticket,
    next: 'enrol' as const,
    secret,
    uri: totpUri(secret, shortName ?? foundation, staff.email),
  }
}

/** Counts an attempt on the ticket of the second step, in one statement. Refused if none are left or it has expired. */
async function takeTry(deps: Deps, now: Date, ticket: string) {
  const row = await deps.db
    .updateTable('tickets')
    .set((values) => ({ tries: values('tries', '+', 1) }))
    .where('id_hash', '=', tokenHash(ticket))
    .where('kind', '=', 'totp')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', tries)
    .returning(['id_hash', 'staff_id', 'data'])
    .executeTakeFirst()
  if (!row || row.staff_id === null) throw new Refusal('office.step_over')
  const data = row.data as { secret?: string }
  return { idHash: row.id_hash, staffId: row.staff_id, newSecret: data.secret }
}

/** The stored form of a recovery code: the id of the keys, then the keyed hash. The code itself is not stored. */
function recoveryHash(keys: SecretKeys, staffId: number, code: string): string {
  return `${keys.id}.${codeHash(keys, `recovery:${staffId}`, code)}`
}

/** All possible stored forms of a recovery code; old ones have no key id. */
function recoveryHashes(keys: Keys, staffId: number, code: string): string[] {
  return possibleKeys(keys)
    .map((made) => recoveryHash(made, staffId, code))
    .flatMap((stored) => [stored, stored.slice(stored.indexOf('.') + 1)])
}

/** Checks a code and uses it up: a time step works once, a recovery code is removed. */
export async function takeCode(
  tx: Tx,
  deps: Deps,
  now: Date,
  staffId: number,
  sealed: string,
  code: string,
): Promise<boolean> {
  const step = /^\d{6}$/.test(code) ? totpStep(unseal(deps.keys, sealed), code, now) : undefined
  if (step !== undefined) {
    const taken = await tx
      .updateTable('staff')
      .set({ totp_last_step: step })
      .where('id', '=', staffId)
      .where('totp_last_step', '<', step)
      .executeTakeFirst()
    return taken.numUpdatedRows > 0n
  }
  const hashes = recoveryHashes(deps.keys, staffId, normalizeCode(code))
  const { recovery_codes: codes } = await tx
    .selectFrom('staff')
    .select('recovery_codes')
    .where('id', '=', staffId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const left = codes.filter((other) => !hashes.includes(other))
  if (left.length === codes.length) return false
  await tx.updateTable('staff').set({ recovery_codes: left }).where('id', '=', staffId).execute()
  return true
}

/** Eight new recovery codes, to be shown once, and their stored forms. */
export function freshRecoveryCodes(deps: Deps, staffId: number) {
  const codes = Array.from({ length: 8 }, () => newCode(10))
  return { codes, hashes: codes.map((plain) => recoveryHash(deps.keys, staffId, plain)) }
}

/** Second step: the code. Opens the session. Right after set-up the recovery codes are returned, only this once. */
export async function confirmSignIn(
  deps: Deps,
  now: Date,
  ticket: string,
  code: string,
  from: { source: string; agent: string },
) {
  const { idHash, staffId, newSecret } = await takeTry(deps, now, ticket)
  // Counted over all tickets: someone with the password could restart this step forever.
  await deps.limits.take('office-code.per-staff', String(staffId))
  const signedIn = await deps.db.transaction().execute(async (tx) => {
    const staff = await tx
      .selectFrom('staff')
      .select(['id', 'name', 'email', 'role', 'totp_secret'])
      .where('id', '=', staffId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    const sealed = staff?.totp_secret ?? newSecret
    if (!staff || sealed === undefined) throw new Refusal('office.step_over')
    if (!(await takeCode(tx, deps, now, staffId, sealed, code.replace(/\s/g, ''))))
      throw new Refusal('office.wrong_code')
    const used = await tx
      .updateTable('tickets')
      .set({ used_at: now })
      .where('id_hash', '=', idHash)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw new Refusal('office.step_over')
    const { name, email, role } = staff
    const scope = mint<OfficeScope>({ kind: 'office', staffId, name, email, role, session: '' })
    let recoveryCodes: string[] | undefined
    if (staff.totp_secret === null) {
      const fresh = freshRecoveryCodes(deps, staffId)
      recoveryCodes = fresh.codes
      const { hashes } = fresh
      const enrolled = await tx
        .updateTable('staff')
        .set({ totp_secret: sealed, recovery_codes: hashes })
        .where('id', '=', staffId)
        .where('totp_secret', 'is', null)
        .executeTakeFirst()
      // If two set up a second factor at once, only one succeeds.
      if (enrolled.numUpdatedRows === 0n) throw new Refusal('office.step_over')
      await audit(tx, now, scope, 'staff.second_factor_enrolled', { kind: 'staff', id: staffId })
    }
    await audit(tx, now, scope, 'staff.signed_in', { kind: 'staff', id: staffId })
    const token = await openSession(tx, now, { kind: 'office', staffId, ...from })
    return { token, staff, recoveryCodes }
  })
  await deps.limits.forget('office-code.per-staff', String(staffId))
  return signedIn
}

const setUpHours = 24

/** Creates the one-time link for the first owner of a new installation; undefined if there are staff already. */
export async function offerSetUp(deps: Deps, now: Date): Promise<string | undefined> {
  return deps.db.transaction().execute(async (tx) => {
    const anybody = await tx.selectFrom('staff').select('id').limit(1).executeTakeFirst()
    if (anybody) return undefined
    const token = newToken()
    await changeRows(tx, 'tickets', { where: { kind: 'setup', used_at: null }, set: { used_at: now } })
    await addRow(tx, 'tickets', {
      id_hash: tokenHash(token),
      kind: 'setup',
      created_at: now,
      expires_at: minutesFrom(now, setUpHours * 60),
    })
    return `${deps.settings.publicUrl}/office/set-up#token=${token}`
  })
}

/** Creates the first owner and names the foundation. The link works once, and never if there are staff already. */
export async function setUp(deps: Deps, now: Date, input: ParsedBody<typeof officeSetUp>): Promise<void> {
  if (isCommonPassword(input.password, [input.name, input.emailId, input.foundationName]))
    throw refuseField('password', messages.passwordCommon)
  const hash = await hashPassword(deps.keys, input.password)
  await deps.db.transaction().execute(async (tx) => {
    const ticket = await tx
      .updateTable('tickets')
      .set({ used_at: now })
      .where('id_hash', '=', tokenHash(input.token))
      .where('kind', '=', 'setup')
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('staff').select('id'))))
      .executeTakeFirst()
    if (ticket.numUpdatedRows === 0n) throw new Refusal('office.set_up_over')
    const { id } = await addedRow(tx, 'staff', ['id'], {
      email: input.emailId,
      name: input.name,
      role: 'owner',
      password_hash: hash,
      created_at: now,
    })
    const named = {
      name: input.foundationName,
      support_phone: input.supportPhone,
      support_email: input.supportEmail,
    }
    await tx
      .insertInto('foundation')
      .values({ id: 1, ...named })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(named))
      .execute()
    await audit(
      tx,
      now,
      systemScope(input.name),
      'staff.first_owner_made',
      { kind: 'staff', id },
      { to: { email: input.emailId } },
    )
  })
}

/** A code or a password; the other is empty. */
interface Proof {
  code: string
  password: string
}

const ways = {
  code: { limit: 'office-confirm-code.per-staff', wrong: messages.officeCodeWrong },
  password: { limit: 'office-confirm.per-staff', wrong: messages.passwordWrong },
} as const

/**
 * Confirms an officer's identity again for this session, for a few minutes (policy.ts). A wrong code or password is refused
 * at its field and logged too: someone else might be using the session.
 */
export async function confirmOfficer(deps: Deps, scope: OfficeScope, now: Date, proof: Proof): Promise<void> {
  const method = proof.code === '' ? 'password' : 'code'
  const { limit, wrong } = ways[method]
  await deps.limits.take(limit, String(scope.staffId))
  const right = await deps.db.transaction().execute(async (tx) => {
    const proved = await isProof(tx, deps, scope, now, proof)
    if (proved) await confirmSession(tx, now, scope.session)
    const action = proved ? 'staff.confirmed' : 'staff.confirm_failed'
    await audit(tx, now, scope, action, { kind: 'staff', id: scope.staffId }, { method })
    return proved
  })
  if (!right) throw refuseField(method, wrong)
  await deps.limits.forget(limit, String(scope.staffId))
}

async function isProof(
  tx: Tx,
  deps: Deps,
  { staffId }: OfficeScope,
  now: Date,
  { code, password }: Proof,
): Promise<boolean> {
  const { password_hash: hash, totp_secret: sealed } = await tx
    .selectFrom('staff')
    .select(['password_hash', 'totp_secret'])
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow()
  if (code === '') return isPassword(deps.keys, password, hash)
  return sealed !== null && takeCode(tx, deps, now, staffId, sealed, code.replace(/\s/g, ''))
}
