import { emailPattern } from '@podium/contract/fields'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { linkDays, mailLink, resetFactor } from './people/commands.ts'

/** The actor in the activity log when someone with access to the server helps an owner who can't sign in. */
const byConsole = systemScope('Server console')

/** The console can't help this owner; `message` is one line for the operator. */
export class OwnerRefused extends Error {
  override name = 'OwnerRefused'
}

const tidy = (mail: string) => mail.trim().toLowerCase()

/** The columns needed to send a link or reset a second factor. */
const memberColumns = [
  'id',
  'email',
  'name',
  'role',
  'password_hash',
  'totp_secret',
  'totp_last_step',
  'recovery_codes',
  'created_at',
  'disabled_at',
  'version',
] as const

async function staffOf(tx: Tx, email: string) {
  return tx
    .selectFrom('staff')
    .select(memberColumns)
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
}

type Member = NonNullable<Awaited<ReturnType<typeof staffOf>>>

function ownerOf(email: string, member: Member | undefined): Member {
  if (!member) throw new OwnerRefused(`Nobody of the office has the address ${email}.`)
  if (member.role !== 'owner')
    throw new OwnerRefused(
      `${email} is in the office as ${member.role}, not as owner: an owner can help under Settings → Staff.`,
    )
  if (member.disabled_at !== null)
    throw new OwnerRefused(`${email} is deactivated: another owner can reactivate it under Settings → Staff.`)
  return member
}

async function newOwner(tx: Tx, now: Date, email: string, name: string): Promise<Member> {
  if (!emailPattern.test(email)) throw new OwnerRefused(`${email} is no e-mail address.`)
  const anybody = await tx.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (!anybody)
    throw new OwnerRefused(
      'Nobody works in the office yet: the start of the portal prints the link for its first owner.',
    )
  return tx
    .insertInto('staff')
    .values({ name, email, role: 'owner', created_at: now })
    .returning(memberColumns)
    .executeTakeFirstOrThrow()
}

interface OwnerRequest {
  mail: string
  /** Set for a new owner, absent for an existing one */
  name: string | undefined
  publicUrl: string
}

/**
 * Creates and e-mails the link with which an owner sets a password, and returns it for the console. A new owner is created
 * only if a name is given, so a mistyped address gets nothing.
 */
export async function linkToOwner(tx: Tx, now: Date, { mail, name, publicUrl }: OwnerRequest) {
  const email = tidy(mail)
  const known = await staffOf(tx, email)
  if (name !== undefined && known) throw new OwnerRefused(`${email} is known in the office: leave --new out.`)
  if (name === undefined && !known)
    throw new OwnerRefused(
      `Nobody of the office has the address ${email}. To make a new owner add --new and the name.`,
    )
  const fresh = name === undefined ? undefined : await newOwner(tx, now, email, name.trim() || email)
  const owner = fresh ?? ownerOf(email, known)
  const link = await mailLink(tx, now, publicUrl, owner)
  const subject = { kind: 'staff', id: owner.id }
  if (fresh) {
    const to = { name: owner.name, email, role: 'owner' }
    await audit(tx, now, byConsole, 'staff.invited', subject, { to })
  } else await audit(tx, now, byConsole, 'staff.link_sent', subject, { person: owner.name })
  return { link, name: owner.name, days: linkDays, hasFactor: owner.totp_secret !== null }
}

/** Removes an owner's second factor and recovery codes; a new one is set up at the next sign-in. */
export async function resetOwnerFactor(tx: Tx, now: Date, mail: string) {
  const email = tidy(mail)
  const owner = ownerOf(email, await staffOf(tx, email))
  const { id, version } = owner
  await resetFactor(tx, byConsole, now, { id, version, reason: 'Asked for at the server console' })
  return { name: owner.name }
}
