import {
  confirmAgain,
  officeConfirm,
  officeMe,
  officeSetUp,
  officeSignIn,
  officeSignOut,
} from '@podium/contract/staff/calls'
import { endVisit as end, schoolVisits } from '@podium/contract/staff/calls-act-as-school'
import { assign, assignees, lookAt } from '@podium/contract/staff/calls-assignments'
import type { FastifyInstance } from 'fastify'
import { endVisit, endVisitsOf, visitsOf } from '#features/staff/act-as-school/commands'
import { permissionsOf } from '#platform/auth/policy'
import { endSession } from '#platform/auth/session'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { countPassword, passwordWasRight } from '#platform/http/limits'
import { assignItems } from './assignments/commands.ts'
import { confirmOfficer, confirmSignIn, setUp, startSignIn } from './commands.ts'
import { assigneesOf, countWaiting, look, seasonLabels } from './queries.ts'

/** Who works on what waits. Behind each call stands the permission of the kind that it names. */
export function assignmentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, assignees, 'office:signed-in', async ({ scope, query }) => ({
    data: await assigneesOf(db, scope, query.kind),
  }))

  write(app, deps, assign, 'office:signed-in', (tx, { scope, body, now }) =>
    assignItems(tx, scope, now, body),
  )

  serve(app, deps, lookAt, 'office:signed-in', async ({ scope, body, now }) => ({
    others: await look(db, scope, now, body),
  }))
}

/** The office in a school's portal: leaving, and what the school sees of it; coming is a sign-in. */
export function actAsSchoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  write(app, deps, end, 'account', (tx, { scope, now }) => endVisit(tx, scope, now))

  serve(app, deps, schoolVisits, 'school', async ({ scope, now }) => ({
    data: await visitsOf(db, scope, now),
  }))
}

/** Bound to this very host over https: no neighbour under the same domain can set it. */
const stepCookie = ({ settings }: Deps) =>
  `${settings.publicUrl.startsWith('https:') ? '__Host-' : ''}podium_office_step`

/** The office's sign-in with its second factor, who is signed in, and the set-up of a new installation. */
export function staffRoutes(app: FastifyInstance, deps: Deps): void {
  const ticketCookie = stepCookie(deps)

  serve(app, deps, officeSignIn, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    await countPassword(deps.limits, 'office-sign-in', body.emailId, request.source)
    const { ticket, ...step } = await startSignIn(deps, now, body.emailId, body.password)
    request.setCookie(ticketCookie, ticket, 300)
    return step
  })

  serve(app, deps, officeConfirm, 'public', async ({ body, now, request }) => {
    const ticket = request.cookie(ticketCookie)
    if (ticket === undefined) throw new Refusal('office.step_over')
    const { token, staff, recoveryCodes } = await confirmSignIn(deps, now, ticket, body.code, request)
    request.setCookie(ticketCookie, '', 0)
    await passwordWasRight(deps.limits, 'office-sign-in', staff.email, request.source)
    const { source, id } = request
    deps.security.note('signed-in', { who: `office:${staff.id}`, by: 'second factor', source, request: id })
    return {
      token,
      officer: officerOf({ staffId: staff.id, ...staff }),
      ...(recoveryCodes ? { recoveryCodes } : {}),
    }
  })

  serve(app, deps, confirmAgain, 'office:signed-in', async ({ scope, body, now }) => {
    await confirmOfficer(deps, scope, now, body)
    return {}
  })

  write(app, deps, officeSignOut, 'office:signed-in', async (tx, { scope, now }) => {
    await endSession(tx, now, scope.session)
    await endVisitsOf(tx, scope, now)
  })

  serve(app, deps, officeMe, 'office:signed-in', async ({ scope }) => ({
    officer: officerOf(scope),
    waiting: await countWaiting(deps.db),
    seasons: await seasonLabels(deps.db),
  }))

  serve(app, deps, officeSetUp, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    await setUp(deps, now, body)
    return {}
  })
}

function officerOf(staff: { staffId: number; name: string; email: string; role: string }) {
  return {
    staffId: staff.staffId,
    name: staff.name,
    emailId: staff.email,
    role: staff.role,
    permissions: permissionsOf(staff.role),
  }
}
