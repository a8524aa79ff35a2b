import { messages } from '@podium/contract/messages'
import { audit } from '#platform/audit'
import { isPassword } from '#platform/auth/passwords'
import type { OfficeScope } from '#platform/auth/scope'
import { confirmSession } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { refuseField } from '#platform/errors'
import { takeCode } from './commands.ts'

/** The one or the other; what is not given is empty. */
interface Proof {
  code: string
  password: string
}

const ways = {
  code: { limit: 'office-confirm-code.per-staff', wrong: messages.officeCodeWrong },
  password: { limit: 'office-confirm.per-staff', wrong: messages.passwordWrong },
} as const

/**
 * An officer proves again who is there: this session is believed for some minutes more (confirm.ts). A wrong code or
 * password is refused at its field and leaves a line too: perhaps somebody sits at a session that is not theirs.
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
