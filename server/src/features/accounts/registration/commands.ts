import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { linkIdentity } from '../sign-in/commands-identity.ts'
import { takeTicket } from '../sign-in/commands-tickets.ts'
import { identityOf } from '../sign-in/queries-identity.ts'
import { joinSchool } from './commands-join.ts'
import type { Proofs, Registration } from './queries.ts'

interface Registering {
  form: Registration
  proofs: Proofs
  /** The school of the proved access code, when the form names it */
  schoolId: number | undefined
  passwordHash: string
  publicUrl: string
}

/**
 * Creates an account with the proofs of the steps before, each used up here and by nobody else. The address is the
 * ticket's. Throws `account.exists` where the address has an account by now.
 */
export async function registerAccount(tx: Tx, now: Date, registering: Registering): Promise<number> {
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
    .executeTakeFirst()
  if (!user) throw new Refusal('account.exists')
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
