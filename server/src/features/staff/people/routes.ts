import {
  acceptInvitation as accept,
  changeOfficePassword,
  endOwnSessions,
  endStaffSessions,
  exportStaff,
  inviteStaff,
  newRecoveryCodes,
  ownSessions,
  readInvitation,
  resetSecondFactor,
  type StaffMember,
  sendStaffLink,
  setStaffRole,
  setStaffStatus,
  staffList,
  staffSessions,
} from '@podium/contract/staff/calls-people'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import {
  momentCell,
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import { tellOfFile } from '../commands-owners.ts'
import { recoveryCodesLeft, shownSessions, staffPeople } from '../queries.ts'
import {
  acceptInvitation,
  changePassword,
  endSessions,
  invite,
  invited,
  renewRecoveryCodes,
  resetFactor,
  sendLink,
  setRole,
  setStanding,
} from './commands.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Name', width: 28 },
  { title: 'E-mail', width: 36 },
  { title: 'Role' },
  { title: 'State' },
  { title: 'Two-step verification' },
  { title: 'Last seen', width: 22 },
  { title: 'Sessions', kind: 'number' },
]

const roles = {
  owner: 'Owner',
  operations: 'Operations',
  accounts: 'Accounts',
  results: 'Results',
  viewer: 'Viewer',
} as const
const states = { active: 'Active', invited: 'Invited', off: 'Inactive' } as const

const cells = (one: StaffMember): SheetValue[] => [
  ...[one.name, one.emailId, roles[one.role], states[one.state], one.secondFactor ? 'Yes' : 'No'],
  ...[momentCell(one.lastSeen), one.sessions],
]

/** The office's people as a file, with what the list shows of each; moments in India. */
const peopleFile = (people: readonly StaffMember[], format: SheetFormat): FileAnswer['file'] =>
  sheetFile('People of the office', columns, people.map(cells), format)

/** The office's people for its owners, and everybody's own account. */
export function staffPeopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  accountRoutes(app, deps)
  linkRoutes(app, deps)

  serve(app, deps, staffList, 'office:staff.manage', async ({ scope, query, now }) => ({
    data: await staffPeople(db, scope, now, query),
  }))

  serve(app, deps, exportStaff, 'office:staff.manage', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const people = await db.transaction().execute(async (tx) => {
      const chosen = await staffPeople(tx, scope, now, filters)
      const told = { format, people: chosen.length, filters }
      await audit(tx, now, scope, 'staff.exported', { kind: 'staff', id: 'all' }, told)
      await tellOfFile(tx, scope, now, 'the people of the office', chosen.length)
      return chosen
    })
    return { file: peopleFile(people, format) }
  })

  write(app, deps, inviteStaff, 'office:staff.manage', (tx, { scope, body, now, request }) =>
    once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
      invite(tx, scope, now, settings.publicUrl, body),
    ),
  )

  write(app, deps, sendStaffLink, 'office:staff.manage', (tx, { scope, body, now }) =>
    sendLink(tx, scope, now, settings.publicUrl, body),
  )

  write(app, deps, setStaffRole, 'office:staff.manage', (tx, { scope, body, now }) =>
    setRole(tx, scope, now, body),
  )

  write(app, deps, setStaffStatus, 'office:staff.manage', (tx, { scope, body, now }) =>
    setStanding(tx, scope, now, body),
  )

  write(app, deps, resetSecondFactor, 'office:staff.manage', (tx, { scope, body, now }) =>
    resetFactor(tx, scope, now, body),
  )

  serve(app, deps, staffSessions, 'office:staff.manage', async ({ scope, query, now }) => ({
    data: await shownSessions(db, scope, now, query.id),
  }))

  write(app, deps, endStaffSessions, 'office:staff.manage', (tx, { scope, body, now }) =>
    endSessions(tx, scope, now, body),
  )
}

function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, ownSessions, 'office:signed-in', async ({ scope, now }) => ({
    data: await shownSessions(db, scope, now, scope.staffId),
    recoveryCodes: await recoveryCodesLeft(db, scope),
  }))

  write(app, deps, endOwnSessions, 'office:signed-in', (tx, { scope, body, now }) =>
    endSessions(tx, scope, now, { id: scope.staffId, ...body }),
  )

  serve(app, deps, newRecoveryCodes, 'office:signed-in', async ({ scope, body, now }) => ({
    recoveryCodes: await renewRecoveryCodes(deps, scope, now, body.code),
  }))

  serve(app, deps, changeOfficePassword, 'office:signed-in', async ({ scope, body, now, request }) => {
    await deps.limits.take('office-sign-in.per-email', `${scope.email} ${request.source}`)
    await changePassword(deps, scope, now, body)
    return {}
  })
}

function linkRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, readInvitation, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    const { name, email } = await invited(deps.db, now, body.token)
    return { name, emailId: email }
  })

  serve(app, deps, accept, 'public', async ({ body, now, request }) => {
    await deps.limits.take('office-sign-in.per-source', request.source)
    await acceptInvitation(deps, now, body)
    return {}
  })
}
