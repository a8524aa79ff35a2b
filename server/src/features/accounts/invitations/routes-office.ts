import {
  officeInvite,
  officeRemovePerson,
  officeResendInvitation,
  officeWithdrawInvitation,
} from '@podium/contract/accounts/calls-invitations-office'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { invite, resend, withdraw } from './commands.ts'
import { removePerson } from './commands-people.ts'
import { activeSchool } from './queries.ts'

/** What the office does for the people of any school. */
export function officeColleagueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits, settings } = deps

  serve(app, deps, officeInvite, 'office:schools.write', async ({ scope, body, now }) => {
    await limits.take('invitation.per-email', body.emailId)
    const { id: schoolId, ...invited } = body
    const invitationId = await db.transaction().execute(async (tx) => {
      await activeSchool(tx, schoolId)
      return invite(tx, scope, now, settings.publicUrl, { ...invited, schoolId })
    })
    deps.nudge()
    return { invitationId }
  })

  serve(app, deps, officeResendInvitation, 'office:schools.write', async ({ scope, body, now }) => {
    await limits.take('invitation.resend', `${body.id} ${body.invitationId}`)
    const which = { schoolId: body.id, id: body.invitationId }
    await db.transaction().execute((tx) => resend(tx, scope, now, settings.publicUrl, which))
    deps.nudge()
    return {}
  })

  serve(app, deps, officeWithdrawInvitation, 'office:schools.write', async ({ scope, body, now }) => {
    await db
      .transaction()
      .execute((tx) => withdraw(tx, scope, now, { schoolId: body.id, id: body.invitationId }))
    return {}
  })

  serve(app, deps, officeRemovePerson, 'office:schools.write', async ({ scope, body, now }) => {
    const { id: schoolId, ...removal } = body
    await db.transaction().execute((tx) => removePerson(tx, scope, now, { ...removal, schoolId }))
    deps.nudge()
    return {}
  })
}
