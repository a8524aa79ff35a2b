import { officeSchool, officeSchoolYears } from '@podium/contract/schools/calls-record'
import { exportSchools, officeSchoolPlaces, officeSchools } from '@podium/contract/schools/calls-register'
import * as calls from '@podium/contract/schools/calls-write'
import type { FastifyInstance } from 'fastify'
import { openInvitations } from '#features/accounts/invitations/queries'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { mayDo, refuseOldProof } from '#platform/auth/policy'
import { accessToSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { command, serve, write } from '#platform/http/http'
import { type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { findLikelySchools } from '../applications/queries.ts'
import { proposeCode } from '../commands.ts'
import { followUpsDue } from '../notes/queries.ts'
import * as commands from './commands.ts'
import { type RegisterLine, schoolPlaces, schoolRegister, wholeRegister } from './queries.ts'
import { currentLink, schoolContacts, schoolPeople, schoolRecord, schoolYears } from './queries-years.ts'

/** A season's figures of schools; amounts in rupees, empty for roles that may not read payments. */
const columns: readonly ListColumn<RegisterLine>[] = [
  { title: 'School code', width: 12, value: (school) => school.schCode },
  { title: 'School', width: 36, value: (school) => school.schName },
  { title: 'Address', width: 36, value: (school) => school.address },
  { title: 'City', value: (school) => school.city },
  { title: 'District', value: (school) => school.district },
  { title: 'State', value: (school) => school.state },
  { title: 'Country', width: 12, value: (school) => school.country },
  { title: 'Pin Code', width: 10, value: (school) => school.pinCode },
  { title: 'E-mail', width: 28, value: (school) => school.email },
  { title: 'Phone', value: (school) => school.phone },
  { title: 'UDISE Code', value: (school) => school.udiseCode },
  { title: 'Affiliation No', value: (school) => school.affiliationNo },
  { title: 'Staff', kind: 'number', value: (school) => school.staff },
  { title: 'Students', kind: 'number', value: (school) => school.students },
  { title: 'Due', kind: 'money', value: (school) => school.due },
  { title: 'Status', width: 10, value: (school) => (school.active ? 'Active' : 'Inactive') },
]

/** Routes for the office's list of schools and its export. */
export function schoolRegisterRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, officeSchools, 'office:schools.read', ({ scope, query, now }) =>
    schoolRegister(db, scope, now, query),
  )

  serve(app, deps, officeSchoolPlaces, 'office:schools.read', async ({ scope }) => ({
    data: await schoolPlaces(db, scope),
  }))

  serve(app, deps, exportSchools, 'office:schools.export', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const subject = { kind: 'schools', id: 'all', season: query.FYear }
    const schools = await reads.caughtUp((tx) => wholeRegister(tx, scope, now, query))
    await db.transaction().execute(async (tx) => {
      await audit(tx, now, scope, 'schools.exported', subject, {
        format,
        schools: schools.length,
        filters: query,
      })
      await notifyOfExport(tx, scope, now, 'the register of schools', schools.length)
    })
    return { file: sheetFile(`Schools ${query.FYear}`, columns, schools, format) }
  })
}

/** Routes for one school in the office: details, people, history and changes. */
export function schoolRecordRoutes(app: FastifyInstance, deps: Deps): void {
  readRoutes(app, deps)
  const { db } = deps
  const settings = deps.settings

  command(app, deps, calls.saveSchoolRecord, 'office:schools.write', commands.saveRecord)

  write(app, deps, calls.createSchool, 'office:schools.write', (tx, { scope, body, now }) =>
    commands.createSchool(tx, scope, now, body),
  )

  // Reactivating lets people in again. Deactivating stops them, and is not delayed.
  write(app, deps, calls.setSchoolStatus, 'office:schools.write', (tx, { scope, body, now }) => {
    if (body.active) refuseOldProof(scope, now)
    return commands.changeStatus(tx, scope, now, body)
  })

  serve(app, deps, calls.setSchoolStatuses, 'office:schools.write', ({ scope, body, now, request }) => {
    const { schools, active, reason } = body
    if (active) refuseOldProof(scope, now)
    const changes = schools.map((school) => ({ ...school, active, reason }))
    return commands.setStatuses(db, scope, now, changes, request.idempotencyKey)
  })

  command(app, deps, calls.makeCoordinator, 'office:schools.write', commands.makeCoordinator)

  write(app, deps, calls.setSchoolAccount, 'office:schools.write', (tx, { scope, body, now }) => {
    if (body.enabled) refuseOldProof(scope, now)
    return commands.setAccount(tx, scope, now, settings.publicUrl, body)
  })

  command(app, deps, calls.confirmContact, 'office:schools.write', commands.confirmContact)
  command(app, deps, calls.addressWorks, 'office:schools.write', commands.clearMark)
}

function readRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps

  serve(app, deps, officeSchool, 'office:schools.read', async ({ scope, query, now }) => {
    const { id, FYear } = query
    const link = await currentLink(db, scope, id)
    const may = (permission: 'schools.write' | 'schools.codes' | 'schools.merge') =>
      mayDo(scope.role, permission) || ('access.denied' as const)
    return {
      school: await schoolRecord(db, scope, id),
      staff: await schoolPeople(db, scope, id),
      invitations: await openInvitations(db, accessToSchool(scope, id), now),
      contacts: await schoolContacts(db, scope, id, FYear),
      followUps: await followUpsDue(db, now, id),
      link: link ? { ...link, address: `${settings.publicUrl}/login?id=${link.id}` } : null,
      can: { write: may('schools.write'), codes: may('schools.codes'), merge: may('schools.merge') },
    }
  })

  serve(app, deps, officeSchoolYears, 'office:schools.read', async ({ scope, query, now }) => {
    await schoolRecord(db, scope, query.id)
    return schoolYears(db, scope, now, query.id, query.FYear)
  })

  serve(app, deps, calls.likelySchools, 'office:schools.write', async ({ body }) => ({
    proposedCode: await proposeCode(db, body.schName),
    likely: await findLikelySchools(db, { ...body, phone: body.mobile }),
  }))
}
