import type { ParsedBody } from '@podium/contract/endpoint'
import {
  confirmAgain,
  officeConfirm,
  officeMe,
  officeSetUp,
  officeSignIn,
  officeSignOut,
} from '@podium/contract/staff/calls'
import { actingSessions, endActing as end } from '@podium/contract/staff/calls-act-as-school'
import {
  type AssignableKind,
  assign,
  assignees,
  reportViewing,
} from '@podium/contract/staff/calls-assignments'
import * as calls from '@podium/contract/staff/calls-people'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { actingSessionsOf, endActing, endAllActing } from '#features/staff/act-as-school/commands'
import { audit } from '#platform/audit'
import { mayDo, permissionsOf } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import { endSession } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { notFound, Refusal } from '#platform/errors'
import { command, serve, write } from '#platform/http/http'
import { countPassword, resetPasswordAttempts } from '#platform/http/limits'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import { confirmOfficer, confirmSignIn, setUp, startSignIn } from './commands.ts'
import { notifyOfExport } from './commands-owners.ts'
import {
  acceptInvitation,
  changePassword,
  changeStatus,
  endSessions,
  invite,
  invited,
  renewRecoveryCodes,
  replaceAuthenticator,
  resetFactor,
  sendLink,
  setRole,
} from './people/commands.ts'
import * as queries from './queries.ts'

/** Routes for assigning work. Each call checks the permission of its kind. */
export function assignmentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, assignees, 'office:signed-in', async ({ scope, query }) => ({
    data: await queries.assigneesOf(db, scope, query.kind),
  }))

  command(app, deps, assign, 'office:signed-in', assignItems)

  serve(app, deps, reportViewing, 'office:signed-in', async ({ scope, body, now }) => ({
    others: await queries.recordViewing(db, scope, now, body),
  }))
}

/** Routes for acting as a school: ending it, and the school's list of such sessions. Starting is a sign-in. */
export function actAsSchoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  write(app, deps, end, 'account', (tx, { scope, now }) => endActing(tx, scope, now))

  serve(app, deps, actingSessions, 'school', async ({ scope, now }) => ({
    data: await actingSessionsOf(db, scope, now),
  }))
}

/** With https, bound to exactly this host: no other host of the domain can set it. */
const stepCookie = ({ settings }: Deps) =>
  `${settings.publicUrl.startsWith('https:') ? '__Host-' : ''}podium_office_step`

/** Routes for the office's sign-in with second factor, the current user, and setting up a new installation. */
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
    await resetPasswordAttempts(deps.limits, 'office-sign-in', staff.email, request.source)
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
    await endAllActing(tx, scope, now)
  })

  serve(app, deps, officeMe, 'office:signed-in', async ({ scope }) => ({
    officer: officerOf(scope),
    waiting: await queries.countWaiting(deps.db),
    seasons: await queries.seasonLabels(deps.db),
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

/** Locks the items of a kind in a fixed order, so that no decision intervenes. */
const itemsOf: Record<AssignableKind, (ids: readonly number[]) => RawBuilder<Item>> = {
  payment: (ids) => sql`
    select id, school_id, season, state = 'pending' as undecided from payments
    where id = any(${ids}::bigint[]) order by id for update`,
  application: (ids) => sql`
    select id, school_id, null as season, state_of_review in ('submitted', 'asked') as undecided from applications
    where id = any(${ids}::bigint[]) order by id for update`,
  question: (ids) => sql`
    select id, school_id, season, state = 'sent' as undecided from teacher_questions
    where id = any(${ids}::bigint[]) order by id for update`,
  'bank-line': (ids) => sql`
    select l.id, null as school_id, null as season, l.state = 'open' or ${queries.isReturnUndecided} as undecided from bank_lines l
    where l.id = any(${ids}::bigint[]) order by l.id for update`,
}

interface Item {
  id: number
  school_id: number | null
  season: string | null
  undecided: boolean
}

/** Assigns open items to an officer, or to no one: all of them, or none if one is already decided, unless `from` is given. */
export async function assignItems(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind, ids, staffId, from: owner }: ParsedBody<typeof assign>,
): Promise<{ before: { staffId: number | null; ids: number[] }[] }> {
  const { decide, decided, assigned } = queries.kinds[kind]
  if (!mayDo(scope.role, decide)) throw new Refusal('access.denied')
  const to = staffId === undefined ? undefined : await whoDecides(tx, kind, staffId)
  const { rows: items } = await itemsOf[kind](ids).execute(tx)
  if (items.length < new Set(ids).size) throw new Refusal('not_found')
  if (owner === undefined && items.some(({ undecided }) => !undecided)) throw new Refusal(decided)
  const before = await tx
    .selectFrom('assignments as g')
    .innerJoin('staff as s', 's.id', 'g.staff_id')
    .select(['g.item_id', 'g.staff_id', 's.name'])
    .where('g.kind', '=', kind)
    .where('g.item_id', 'in', ids)
    .execute()
  const changed = items.flatMap((item) => {
    const from = before.find(({ item_id }) => item_id === item.id)
    const isLeft = owner !== undefined && (!item.undecided || (from?.staff_id ?? null) !== owner)
    return isLeft || from?.staff_id === to?.id
      ? []
      : [{ ...item, from: from?.name ?? '', fromId: from?.staff_id ?? null }]
  })
  if (changed.length === 0) return { before: [] }
  const these = changed.map(({ id }) => id)
  await tx.deleteFrom('assignments').where('kind', '=', kind).where('item_id', 'in', these).execute()
  if (to)
    await tx
      .insertInto('assignments')
      .values(these.map((item_id) => ({ kind, item_id, staff_id: to.id, assigned_at: now })))
      .execute()
  for (const { id, school_id, season, from } of changed)
    await audit(
      tx,
      now,
      scope,
      assigned,
      { kind, id, schoolId: school_id ?? undefined, season: season ?? undefined },
      { from: { assignee: from }, to: { assignee: to?.name ?? '' } },
    )
  const owners = Map.groupBy(changed, ({ fromId }) => fromId)
  return { before: [...owners].map(([staffId, rows]) => ({ staffId, ids: rows.map(({ id }) => id) })) }
}

/** Reads and locks an officer who may decide on this kind. */
async function whoDecides(tx: Tx, kind: AssignableKind, staffId: number) {
  const staff = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'disabled_at'])
    .where('id', '=', staffId)
    .forShare()
    .executeTakeFirstOrThrow(notFound)
  if (staff.disabled_at !== null || !mayDo(staff.role, queries.kinds[kind].decide))
    throw new Refusal('assignments.cannot_decide')
  return staff
}

const columns: readonly ListColumn<calls.StaffMember>[] = [
  { title: 'Name', width: 28, value: (member) => member.name },
  { title: 'E-mail', width: 36, value: (member) => member.emailId },
  { title: 'Role', value: (member) => roles[member.role] },
  { title: 'Status', value: (member) => states[member.state] },
  { title: 'Two-step verification', value: (member) => (member.secondFactor ? 'Yes' : 'No') },
  { title: 'Last seen', width: 22, value: (member) => timestampCell(member.lastSeen) },
  { title: 'Sessions', kind: 'number', value: (member) => member.sessions },
]

const roles = {
  owner: 'Owner',
  operations: 'Operations',
  accounts: 'Accounts',
  results: 'Results',
  viewer: 'Viewer',
} as const
const states = { active: 'Active', invited: 'Invited', off: 'Inactive' } as const

/** Routes for owners to manage office users, and for everyone's own account. */
export function staffPeopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  accountRoutes(app, deps)
  linkRoutes(app, deps)

  serve(app, deps, calls.staffList, 'office:staff.manage', async ({ scope, query, now }) => ({
    data: await queries.staffPeople(db, scope, now, query),
  }))

  write(app, deps, calls.exportStaff, 'office:staff.manage', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const people = await queries.staffPeople(tx, scope, now, filters)
    const change = { format, people: people.length, filters }
    await audit(tx, now, scope, 'staff.exported', { kind: 'staff', id: 'all' }, change)
    await notifyOfExport(tx, scope, now, 'the people of the office', people.length)
    return { file: sheetFile('Office users', columns, people, format) }
  })

  write(app, deps, calls.inviteStaff, 'office:staff.manage', (tx, { scope, body, now }) =>
    invite(tx, scope, now, settings.publicUrl, body),
  )

  write(app, deps, calls.sendStaffLink, 'office:staff.manage', (tx, { scope, body, now }) =>
    sendLink(tx, scope, now, settings.publicUrl, body),
  )

  command(app, deps, calls.setStaffRole, 'office:staff.manage', setRole)
  command(app, deps, calls.setStaffStatus, 'office:staff.manage', changeStatus)
  command(app, deps, calls.resetSecondFactor, 'office:staff.manage', resetFactor)

  serve(app, deps, calls.staffSessions, 'office:staff.manage', async ({ scope, query, now }) => ({
    data: await queries.shownSessions(db, scope, now, query.id),
  }))

  command(app, deps, calls.endStaffSessions, 'office:staff.manage', endSessions)
}

function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.ownSessions, 'office:signed-in', async ({ scope, now }) => ({
    data: await queries.shownSessions(db, scope, now, scope.staffId),
    recoveryCodes: await queries.recoveryCodesLeft(db, scope),
  }))

  write(app, deps, calls.endOwnSessions, 'office:signed-in', (tx, { scope, body, now }) =>
    endSessions(tx, scope, now, { id: scope.staffId, ...body }),
  )

  serve(app, deps, calls.newRecoveryCodes, 'office:signed-in', async ({ scope, body, now }) => ({
    recoveryCodes: await renewRecoveryCodes(deps, scope, now, body.code),
  }))

  serve(app, deps, calls.replaceAuthenticator, 'office:signed-in', async ({ scope, body, now }) => {
    await replaceAuthenticator(deps, scope, now, body.code)
    return {}
  })

  serve(app, deps, calls.changeOfficePassword, 'office:signed-in', async ({ scope, body, now, request }) => {
    await deps.limits.take('office-sign-in.per-email', `${scope.email} ${request.source}`)
    await changePassword(deps, scope, now, body)
    return {}
  })
}

function linkRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, calls.readInvitation, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    const { name, email } = await invited(deps.db, now, body.token)
    return { name, emailId: email }
  })

  serve(app, deps, calls.acceptInvitation, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    await acceptInvitation(deps, now, body)
    return {}
  })
}
