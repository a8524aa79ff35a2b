import { foldName } from '@podium/contract/names'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import { applicationApprovedMail, applicationRejectedMail } from '#platform/mail-templates'
import { enqueueMail } from '#platform/outbox'
import type { OfficeScope } from '#platform/scope'
import { mailSender } from '../foundation/queries.ts'
import { schoolCode } from './rules.ts'

interface Decision {
  id: number
  version: number
}

/** Takes the decision in one guarded statement: of two officers one decides, the other hears of it. */
async function decide(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: Decision,
  state: 'approved' | 'rejected',
  reason: string,
) {
  const row = await tx
    .updateTable('applications')
    .set((values) => ({
      state_of_review: state,
      reason,
      decided_by: scope.staffId,
      decided_at: now,
      version: values('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state_of_review', '=', 'submitted')
    .returningAll()
    .executeTakeFirst()
  if (row) return row
  found(await tx.selectFrom('applications').select('id').where('id', '=', id).executeTakeFirst())
  throw new Refusal('application.decided')
}

type Application = Awaited<ReturnType<typeof decide>>

async function zoneOf(tx: Tx, application: Application): Promise<string> {
  if (application.country !== 'India') return 'Abroad'
  const state = await tx
    .selectFrom('states')
    .select('zone')
    .where('name', '=', application.state)
    .executeTakeFirst()
  return state?.zone ?? 'Abroad'
}

/** The next serial of school codes; its row is locked until the school is there, so two never get one number. */
async function nextSerial(tx: Tx): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    insert into counters (name, value) values ('school-code', 1)
    on conflict (name) do update set value = counters.value + 1 returning value`.execute(tx)
  return rows[0]?.value ?? 1
}

async function makeSchool(tx: Tx, now: Date, application: Application, chosenCode: string | undefined) {
  const code = chosenCode ?? schoolCode(application.school_name, await nextSerial(tx))
  const school = await tx
    .insertInto('schools')
    .values({
      code,
      name: application.school_name,
      name_key: foldName(application.school_name),
      address: application.address,
      city: application.city,
      district: application.district,
      state: application.state,
      zone: await zoneOf(tx, application),
      country: application.country,
      pin_code: application.pin_code,
      phone: application.phone,
      udise_code: application.udise_code,
      affiliation_no: application.affiliation_no,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(['id', 'code', 'name'])
    .executeTakeFirst()
  return found(school, 'application.code_taken')
}

interface Approval extends Decision {
  schId?: number | undefined
  schCode?: string | undefined
}

/**
 * Approves an application: the applicant belongs to a known school (`schId`) or to a new one with a new code, and is
 * told by mail. The first person of a school becomes its coordinator.
 */
export async function approve(tx: Tx, scope: OfficeScope, now: Date, publicUrl: string, approval: Approval) {
  const application = await decide(tx, scope, now, approval, 'approved', '')
  const school =
    approval.schId === undefined
      ? await makeSchool(tx, now, application, approval.schCode)
      : found(
          await tx
            .selectFrom('schools')
            .select(['id', 'code', 'name'])
            .where('id', '=', approval.schId)
            .forUpdate()
            .executeTakeFirst(),
        )
  const colleague = await tx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', school.id)
    .limit(1)
    .executeTakeFirst()
  const user = await tx
    .updateTable('users')
    .set((values) => ({ school_id: school.id, coordinator: !colleague, version: values('version', '+', 1) }))
    .where('id', '=', application.user_id)
    .where('school_id', 'is', null)
    .returning(['id', 'name', 'email'])
    .executeTakeFirst()
  if (!user) throw new Refusal('application.decided')
  await tx
    .updateTable('applications')
    .set({ school_id: school.id })
    .where('id', '=', application.id)
    .execute()
  await audit(
    tx,
    now,
    scope,
    'application.approved',
    { kind: 'application', id: application.id, schoolId: school.id },
    {
      to: { school: school.code, made: approval.schId === undefined, user: user.id },
    },
  )
  const mail = { name: user.name, school: school.name, schoolCode: school.code, signIn: `${publicUrl}/login` }
  await enqueueMail(tx, now, {
    key: `application-approved:${application.id}`,
    kind: 'application',
    to: { name: user.name, address: user.email },
    ...applicationApprovedMail(await mailSender(tx), mail),
  })
  return { schId: school.id, schCode: school.code }
}

/** Rejects an application with the reason its school reads; the form opens again for it. */
export async function reject(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  rejection: Decision & { reason: string },
) {
  const application = await decide(tx, scope, now, rejection, 'rejected', rejection.reason)
  const user = await tx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', application.user_id)
    .executeTakeFirstOrThrow()
  await audit(
    tx,
    now,
    scope,
    'application.rejected',
    { kind: 'application', id: application.id },
    { to: { reason: rejection.reason } },
  )
  const mail = {
    name: user.name,
    school: application.school_name,
    reason: rejection.reason,
    signIn: `${publicUrl}/login`,
  }
  await enqueueMail(tx, now, {
    key: `application-rejected:${application.id}`,
    kind: 'application',
    to: { name: user.name, address: user.email },
    ...applicationRejectedMail(await mailSender(tx), mail),
  })
}
