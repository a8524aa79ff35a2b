import {
  approveWaiver as approve,
  askOfficeWaiver,
  askWaiver,
  declineWaiver as decline,
  exportWaivers,
  type OfficeWaiver,
  officeWaivers,
  schoolWaivers,
  waiverEvidence,
  withdrawWaiver as withdraw,
} from '@podium/contract/payments/calls-waivers'
import { istDay, type Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { shownFile, storeAccepted } from '#platform/files/files-accept'
import { refuseLargeProof } from '#platform/foundation'
import { command, type FileAnswer, serve, write } from '#platform/http/http'
import { once, unlessWritten } from '#platform/http/idempotency'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import {
  approveWaiver,
  askForWaiver,
  checkAsked,
  declineWaiver,
  mailDecision,
  withdrawWaiver,
} from './commands.ts'
import { allWaivers, evidenceOf, waiverQueue, waiversOfSchool } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Student', width: 28 },
  { title: 'Class' },
  { title: 'Section' },
  { title: 'Roll No.', kind: 'number' },
  { title: 'Subjects', width: 32 },
  { title: 'School code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'Amount', kind: 'money' },
  { title: 'Reason', width: 40 },
  { title: 'Evidence', width: 24 },
  { title: 'Requested by', width: 24 },
  { title: 'Requested on', kind: 'date' },
  { title: 'State' },
  { title: 'Decided by', width: 24 },
  { title: 'Decided on', kind: 'date' },
  { title: 'Decision', width: 32 },
]

/** Waivers as a file; amounts in rupees, IST days. */
function waiversFile(
  waivers: readonly OfficeWaiver[],
  season: string,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = waivers.map((row): SheetValue[] => [
    ...[row.studentName, row.className, row.section === '-' ? '' : row.section, row.rollNo, row.subjects],
    ...[row.schCode, row.schName, row.amount, row.reason, row.evidenceName],
    ...[row.byOffice ? `${row.askedBy} (office)` : row.askedBy, istDay(new Date(row.askedAt)), row.state],
    ...[row.decidedBy, row.decidedAt === null ? '' : istDay(new Date(row.decidedAt)), row.decision],
  ])
  return sheetFile(`Waivers ${season}`, columns, rows, format)
}

/** Routes for waivers: requested by a school or the office, decided by a second person. */
export function waiverRoutes(app: FastifyInstance, deps: Deps): void {
  schoolRoutes(app, deps)
  const { db, files } = deps
  const page = `${deps.settings.publicUrl}/Importantlink/managepayment`

  serve(app, deps, officeWaivers, 'office:waivers.read', ({ scope, query }) =>
    waiverQueue(db, scope, { ...query, FYear: query.FYear as Season }),
  )

  serve(app, deps, exportWaivers, 'office:waivers.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const waivers = await db.transaction().execute(async (tx) => {
      const chosen = await allWaivers(tx, scope, filters)
      const subject = { kind: 'waiver', id: 'all', season: filters.FYear }
      await audit(tx, now, scope, 'waiver.exported', subject, { format, waivers: chosen.length, filters })
      await tellOfFile(tx, scope, now, 'the fee waivers', chosen.length)
      return chosen
    })
    return { file: waiversFile(waivers, filters.FYear, format) }
  })

  askRoute(app, deps, askOfficeWaiver, 'office:waivers.ask')

  serve(app, deps, waiverEvidence, 'office:waivers.read', async ({ scope, query }) => {
    const waiver = await evidenceOf(db, scope, query.id)
    const kind = 'waiver-evidence'
    return shownFile(orNotFound(await readStored(db, files, waiver.evidence_file_id, { kind })), query.page)
  })

  write(app, deps, approve, 'office:waivers.decide', async (tx, { scope, body, now }) => {
    await approveWaiver(tx, scope, now, body)
    await mailDecision(tx, now, body.id, page)
  })

  write(app, deps, decline, 'office:waivers.decide', async (tx, { scope, body, now }) => {
    await declineWaiver(tx, scope, now, body)
    await mailDecision(tx, now, body.id, page)
  })
}

/** A route for requests: first the guard, then the evidence file, then the guarded write. */
function askRoute(
  app: FastifyInstance,
  deps: Deps,
  endpoint: typeof askWaiver | typeof askOfficeWaiver,
  door: 'school' | 'office:waivers.ask',
): void {
  const { db, files } = deps
  const asker = (scope: SchoolScope | OfficeScope) =>
    scope.kind === 'school' ? `account:${scope.userId}` : `office:${scope.staffId}`
  serve(
    app,
    deps,
    endpoint,
    door,
    async ({ scope, body, now, request, upload: { bytes } }) => {
      await refuseLargeProof(db, bytes)
      const asked = {
        studentId: body.studentId,
        reason: body.reason,
        evidence: await storeAccepted(files, bytes),
        name: body.attechmentName ?? '',
      }
      return db
        .transaction()
        .execute((tx) =>
          once(tx, now, asker(scope), request.idempotencyKey, body, () =>
            askForWaiver(tx, files, scope, now, asked),
          ),
        )
    },
    {
      guard: ({ scope, body, request }) =>
        unlessWritten<{ id: number }>(db, asker(scope), request.idempotencyKey, body, (tx) =>
          checkAsked(tx, scope, body.studentId),
        ),
    },
  )
}

function schoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  askRoute(app, deps, askWaiver, 'school')

  serve(app, deps, schoolWaivers, 'school', async ({ scope, query }) => ({
    data: await waiversOfSchool(db, scope, query.FYear as Season),
  }))

  command(app, deps, withdraw, 'school', withdrawWaiver)
}
