import * as calls from '@podium/contract/payments/calls-waivers'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { shownFile, storeAccepted } from '#platform/files/files-accept'
import { refuseLargeProof } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import { checkOrReplay, idempotent } from '#platform/http/idempotency'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'
import { allWaivers, evidenceOf, waiverQueue, waiversOfSchool } from './queries.ts'

const stateNames = {
  asked: 'To decide',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
} as const

const columns: readonly ListColumn<calls.OfficeWaiver>[] = [
  { title: 'Student', width: 28, value: (row) => row.studentName },
  { title: 'Class', value: (row) => row.className },
  { title: 'Section', value: (row) => (row.section === '-' ? '' : row.section) },
  { title: 'Roll No', kind: 'number', value: (row) => row.rollNo },
  { title: 'Subjects', width: 32, value: (row) => row.subjects },
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'Amount', kind: 'money', value: (row) => row.amount },
  { title: 'Reason', width: 40, value: (row) => row.reason },
  { title: 'Evidence', width: 24, value: (row) => row.evidenceName },
  {
    title: 'Requested by',
    width: 24,
    value: (row) => (row.byOffice ? `${row.requestedBy} (office)` : row.requestedBy),
  },
  { title: 'Requested on', kind: 'date', value: (row) => dayCell(row.requestedAt) },
  { title: 'Status', value: (row) => stateNames[row.state] },
  { title: 'Decided by', width: 24, value: (row) => row.decidedBy },
  { title: 'Decided on', kind: 'date', value: (row) => dayCell(row.decidedAt) },
  { title: 'Decision', width: 32, value: (row) => row.decision },
]

/** Routes for waivers: requested by a school or the office, decided by a second person. */
export function waiverRoutes(app: FastifyInstance, deps: Deps): void {
  schoolRoutes(app, deps)
  const { db, files } = deps
  const page = `${deps.settings.publicUrl}/Importantlink/managepayment`

  serve(app, deps, calls.officeWaivers, 'office:waivers.read', ({ scope, query }) =>
    waiverQueue(db, scope, { ...query, FYear: query.FYear as Season }),
  )

  write(app, deps, calls.exportWaivers, 'office:waivers.read', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const waivers = await allWaivers(tx, scope, filters)
    const subject = { kind: 'waiver', id: 'all', season: filters.FYear }
    await audit(tx, now, scope, 'waiver.exported', subject, { format, waivers: waivers.length, filters })
    await notifyOfExport(tx, scope, now, 'the fee waivers', waivers.length)
    return { file: sheetFile(`Waivers ${filters.FYear}`, columns, waivers, format) }
  })

  askRoute(app, deps, calls.askOfficeWaiver, 'office:waivers.ask')

  serve(app, deps, calls.waiverEvidence, 'office:waivers.read', async ({ scope, query }) => {
    const waiver = await evidenceOf(db, scope, query.id)
    const kind = 'waiver-evidence'
    return shownFile(orNotFound(await readStored(db, files, waiver.evidence_file_id, { kind })), query.page)
  })

  write(app, deps, calls.approveWaiver, 'office:waivers.decide', async (tx, { scope, body, now }) => {
    await commands.approveWaiver(tx, scope, now, body)
    await commands.mailDecision(tx, now, body.id, page)
  })

  write(app, deps, calls.declineWaiver, 'office:waivers.decide', async (tx, { scope, body, now }) => {
    await commands.declineWaiver(tx, scope, now, body)
    await commands.mailDecision(tx, now, body.id, page)
  })
}

/** A route for requests: first the guard, then the evidence file, then the guarded write. */
function askRoute(
  app: FastifyInstance,
  deps: Deps,
  endpoint: typeof calls.askWaiver | typeof calls.askOfficeWaiver,
  door: 'school' | 'office:waivers.ask',
): void {
  const { db, files } = deps
  serve(
    app,
    deps,
    endpoint,
    door,
    async (call) => {
      const { scope, body, now } = call
      const { bytes } = call.upload
      await refuseLargeProof(db, bytes)
      const wanted = {
        studentId: body.studentId,
        reason: body.reason,
        evidence: await storeAccepted(files, bytes),
        name: body.attechmentName ?? '',
      }
      return db
        .transaction()
        .execute((tx) => idempotent(tx, call, () => commands.askForWaiver(tx, files, scope, now, wanted)))
    },
    {
      guard: (call) =>
        checkOrReplay<{ id: number }>(db, call, (tx) =>
          commands.lockForWaiver(tx, call.scope, call.body.studentId),
        ),
    },
  )
}

function schoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  askRoute(app, deps, calls.askWaiver, 'school')

  serve(app, deps, calls.schoolWaivers, 'school', async ({ scope, query }) => ({
    data: await waiversOfSchool(db, scope, query.FYear as Season),
  }))

  command(app, deps, calls.withdrawWaiver, 'school', commands.withdrawWaiver)
}
