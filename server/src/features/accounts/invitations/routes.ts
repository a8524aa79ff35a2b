import { getColleagues } from '@podium/contract/accounts/calls'
import * as calls from '@podium/contract/accounts/calls-invitations'
import { messages } from '@podium/contract/messages'
import {
  officeInvite,
  officeRemovePerson,
  officeResendInvitation,
  officeWithdrawInvitation,
} from '@podium/contract/schools/calls-record'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { countAttempt, countPassword, resetPasswordAttempts } from '#platform/http/limits'
import { acceptInvitation, invite, joinByInvitation, resend, withdraw } from './commands.ts'
import { answerOffer, offerCoordination, removePerson, withdrawOffer } from './commands-people.ts'
import { activeSchool, colleaguesOf, invitationOf, openInvitations, openOffer } from './queries.ts'

/** Routes for a school's staff and invitations, used by the school itself. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  peopleRoutes(app, deps)
  invitationRoutes(app, deps)
  joinRoutes(app, deps)
}

function peopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits, settings } = deps

  serve(app, deps, getColleagues, 'school', async ({ scope, now }) => {
    const refused = scope.acting ? ('access.acting' as const) : ('access.not_coordinator' as const)
    return {
      data: await colleaguesOf(db, scope),
      invitations: await openInvitations(db, scope, now),
      offer: await openOffer(db, scope, now),
      can: { manage: (scope.coordinator && !scope.acting) || refused },
    }
  })

  write(app, deps, calls.removeColleague, 'school', async (tx, { scope, body, now }) => {
    const removal = { schoolId: scope.schoolId, userId: body.id, version: body.version, reason: '' }
    await removePerson(tx, scope, now, removal)
  })

  write(
    app,
    deps,
    calls.offerCoordination,
    'school',
    (tx, { scope, body, now }) => offerCoordination(tx, scope, now, settings.publicUrl, body.id),
    // Each is e-mailed.
    {
      count: ({ scope, body }) =>
        limits.take('invitation.resend', `${scope.schoolId} coordinator ${body.id}`),
    },
  )

  write(app, deps, calls.withdrawOffer, 'school', (tx, { scope, body, now }) =>
    withdrawOffer(tx, scope, now, body.id),
  )
  write(app, deps, calls.answerOffer, 'school', (tx, { scope, body, now }) =>
    answerOffer(tx, scope, now, body),
  )
}

function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits, settings } = deps

  write(
    app,
    deps,
    calls.inviteColleague,
    'school',
    async (tx, { scope, body, now }) => {
      const invited = { ...body, schoolId: scope.schoolId }
      return { id: await invite(tx, scope, now, settings.publicUrl, invited) }
    },
    {
      async count({ scope, body }) {
        await limits.take('invitation.per-school', String(scope.schoolId))
        await countAttempt(limits, 'invitation.per-email', body.emailId, String(scope.schoolId))
      },
    },
  )

  serve(app, deps, calls.resendInvitation, 'school', async ({ scope, body, now }) => {
    await limits.take('invitation.per-school', String(scope.schoolId))
    await limits.take('invitation.resend', `${scope.schoolId} ${body.id}`)
    const which = { schoolId: scope.schoolId, id: body.id }
    await db.transaction().execute((tx) => resend(tx, scope, now, settings.publicUrl, which))
    deps.wake()
    return {}
  })

  write(app, deps, calls.withdrawInvitation, 'school', (tx, { scope, body, now }) =>
    withdraw(tx, scope, now, { schoolId: scope.schoolId, id: body.id }),
  )
}

function joinRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits } = deps

  serve(app, deps, calls.readInvitation, 'public', async ({ body, now, request }) => {
    await limits.take('invitation.per-source', request.source)
    const { name, email, school, city, invitedBy, until, account } = await invitationOf(db, now, body.token)
    return {
      name,
      emailId: email,
      schName: school,
      cityName: city,
      invitedBy,
      until: until.toISOString(),
      account,
    }
  })

  serve(app, deps, calls.acceptInvitation, 'public', async ({ body, now, request }) => {
    await limits.take('invitation.per-source', request.source)
    await acceptInvitation(deps, now, body)
    deps.wake()
    return { message: messages.registered }
  })

  serve(app, deps, calls.joinByInvitation, 'public', async ({ body, now, request }) => {
    await limits.take('invitation.per-source', request.source)
    const { email } = await invitationOf(db, now, body.token)
    await countPassword(limits, 'sign-in', email, request.source)
    await joinByInvitation(deps, now, body)
    await resetPasswordAttempts(limits, 'sign-in', email, request.source)
    deps.wake()
    return { message: messages.joinedSchool }
  })
}

/** Routes for the office to manage the staff of any school. */
export function officeMemberRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits, settings } = deps

  serve(app, deps, officeInvite, 'office:schools.write', async ({ scope, body, now }) => {
    // Not counted in total: what schools do never stops the office.
    await limits.take('invitation.per-email', `${body.emailId} office`)
    const { id: schoolId, ...invited } = body
    const invitationId = await db.transaction().execute(async (tx) => {
      await activeSchool(tx, schoolId)
      return invite(tx, scope, now, settings.publicUrl, { ...invited, schoolId })
    })
    deps.wake()
    return { invitationId }
  })

  serve(app, deps, officeResendInvitation, 'office:schools.write', async ({ scope, body, now }) => {
    await limits.take('invitation.resend', `${body.id} ${body.invitationId}`)
    const which = { schoolId: body.id, id: body.invitationId }
    await db.transaction().execute((tx) => resend(tx, scope, now, settings.publicUrl, which))
    deps.wake()
    return {}
  })

  write(app, deps, officeWithdrawInvitation, 'office:schools.write', (tx, { scope, body, now }) =>
    withdraw(tx, scope, now, { schoolId: body.id, id: body.invitationId }),
  )

  write(app, deps, officeRemovePerson, 'office:schools.write', async (tx, { scope, body, now }) => {
    const { id: schoolId, ...removal } = body
    await removePerson(tx, scope, now, { ...removal, schoolId })
  })
}
