import { messages } from '@podium/contract/messages'
import { maxCertificates, packetCertificates } from '@podium/contract/results/calls-certificates'
import type { Season } from '@podium/contract/season'
import {
  confirmReceipt as confirm,
  getOrder,
  getQuestionPaperStatus,
  trackOrder,
} from '@podium/contract/shipping/calls'
import {
  cancelDispatchJob,
  dispatchJobState,
  exportDue,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
  packAll,
  packSchool,
  saveSpares as saveRule,
  undoPacking,
} from '@podium/contract/shipping/calls-orders'
import * as calls from '@podium/contract/shipping/calls-packets'
import type { FastifyInstance } from 'fastify'
import { issueCertificates } from '#features/results/certificates/commands'
import {
  type CertificateData,
  certifiedOf,
  issuerOf,
  queueCertificatesFile,
} from '#features/results/certificates/documents'
import { resultsOfStudents } from '#features/results/certificates/queries'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import { officerScope } from '#platform/auth/job-requesters'
import type { OfficeScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { letterhead } from '#platform/foundation'
import { command, noGuard, serve, write } from '#platform/http/http'
import { idempotent } from '#platform/http/idempotency'
import {
  cancelJob,
  enqueueJob,
  type Job,
  type JobHandlers,
  jobOfKind,
  newestJob,
  type RunContext,
  readJob,
} from '#platform/jobs/jobs'
import { countStale, saveSpares } from './orders/commands-needs.ts'
import {
  type DueQuery,
  dueItems,
  dueOfSchool,
  dueSchoolIds,
  dueSchools,
  everyDueLine,
  readSpares,
} from './orders/queries.ts'
import { packDue, saveCourier, unpackJob } from './packets/commands.ts'
import { dueFile, labelsPdf, packetsFile, packingPdf, uploadFile } from './packets/documents.ts'
import {
  everyPacket,
  listCouriers,
  listedPackets,
  listPackets,
  packetPapers,
  packingJob,
  readPacket,
  type Selection,
  selectedIds,
  uploadColumnsOf,
} from './packets/queries.ts'
import { certificatesInPacket, findPackets, getTracking } from './queries.ts'
import {
  cancelPacket,
  confirmReceipt,
  movePackets,
  readdress,
  resendPacket,
  saveConsignment,
  sendPackets,
  undoMove,
} from './tracking/commands.ts'
import { readCourierFile, runCourierFile } from './tracking/commands-file.ts'

/** Routes for printing the certificates of a parcel of awards, in batches, in the order of its list. */
export function awardRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, packetCertificates, 'office:dispatch.write', async ({ scope, body, now }) => {
    const certified = await deps.db.transaction().execute(async (tx) => {
      const all = await certificatesInPacket(tx, body.packetId, now)
      const piece = all.slice((body.part - 1) * maxCertificates, body.part * maxCertificates)
      const rows = await resultsOfStudents(tx, scope, now, piece)
      const certificates = new Map<(typeof rows)[number], CertificateData>()
      for (const [first, ...others] of Map.groupBy(rows, ({ event_id }) => event_id).values()) {
        if (!first) continue
        const ofEvent = [first, ...others] as const
        const numbers = await issueCertificates(tx, scope, now, ofEvent)
        for (const [index, row] of ofEvent.entries())
          certificates.set(row, certifiedOf(row, numbers[index] ?? ''))
      }
      return rows.flatMap((row) => certificates.get(row) ?? [])
    })
    const [first, ...others] = certified
    if (!first) throw new Refusal('dispatch.no_certificates')
    const part = body.part > 1 ? ` (${body.part})` : ''
    const name = `Certificates of packet ${body.packetId}${part}`
    return queueCertificatesFile([first, ...others], await issuerOf(deps, body.language), name)
  })
}

/** Routes for schools: what the foundation has sent, and where it is. */
export function dispatchRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getOrder, 'school', async ({ scope, query }) => ({
    data: await findPackets(db, scope, query.FYear, ['books', 'awards']),
  }))

  serve(app, deps, getQuestionPaperStatus, 'school', async ({ scope, query }) => {
    const papers = await findPackets(db, scope, query.FYear, ['papers'])
    // The specification wants null for an empty list: its screen then says «Not Applicable».
    return { data: papers.length === 0 ? null : papers }
  })

  serve(app, deps, trackOrder, 'school', ({ scope, query, now }) =>
    getTracking(db, scope, now, query.PacketId),
  )

  write(app, deps, confirm, 'school', async (tx, { scope, body, now }) => {
    const { PacketId: packetId, counts, remark } = body
    const differs = await confirmReceipt(tx, scope, now, { packetId, counts, remark })
    return { differs, message: messages.saved }
  })

  dueRoutes(app, deps)
  packetRoutes(app, deps)
  packetPaperRoutes(app, deps)
}

/** Routes for what must be shipped, and packing. Lists first recount schools whose payments or entries changed. */
function dueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  serve(app, deps, officeDue, 'office:dispatch.read', async ({ scope, query, now }) => {
    const counting = await countStale(db, now)
    return { ...(await dueSchools(db, scope, query)), counting }
  })

  serve(app, deps, officeDueItems, 'office:dispatch.read', async ({ scope, query, now }) => {
    const counting = await countStale(db, now)
    return { ...(await dueItems(db, scope, query)), counting }
  })

  serve(app, deps, officeDueOfSchool, 'office:dispatch.read', async ({ scope, query, now }) => {
    await countStale(db, now)
    return dueOfSchool(db, scope, query)
  })

  serve(app, deps, exportDue, 'office:dispatch.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    await countStale(db, now)
    const subject = { kind: 'dispatch', id: query.contents, season: query.FYear }
    const lines = await reads.caughtUp((tx) => everyDueLine(tx, scope, query))
    const change = { format, lines: lines.length, filters: query }
    await auditRead(db, now, scope, 'dispatch.due_exported', subject, change)
    return { file: dueFile(lines, query.contents, query.FYear, format) }
  })

  serve(app, deps, officeSpares, 'office:dispatch.read', ({ query }) => readSpares(db, query.FYear))

  write(app, deps, saveRule, 'office:dispatch.write', async (tx, { scope, body, now }) => {
    const { FYear: season, ...rule } = body
    await saveSpares(tx, scope, now, { season, ...rule })
    return { message: messages.saved }
  })

  serve(app, deps, packSchool, 'office:dispatch.write', async (call) => {
    const { scope, body, now } = call
    const { schoolId, FYear: season, contents, lines, most } = body
    await countStale(db, now)
    const wanted = lines?.map(({ eventYearId: eventId, ...line }) => ({ eventId, ...line }))
    const answer = await db
      .transaction()
      .execute((tx) =>
        idempotent(tx, call, async () => ({
          packetIds: await packDue(tx, scope, now, { schoolId, season, contents, lines: wanted, most }),
        })),
      )
    return { ...answer, message: messages.saved }
  })

  serve(app, deps, packAll, 'office:dispatch.write', async ({ scope, body, now }) => {
    const { most, ...query } = body
    await countStale(db, now)
    const jobId = await db.transaction().execute(async (tx) => {
      const input = { query, most }
      const id = await enqueueJob(tx, now, {
        kind: packKind,
        season: query.FYear,
        input,
        createdBy: scope.staffId,
      })
      const subject = { kind: 'job', id, season: query.FYear }
      await audit(tx, now, scope, 'dispatch.packing_started', subject, { most, filters: query })
      return id
    })
    deps.wake()
    return { jobId }
  })

  serve(app, deps, dispatchJobState, 'office:dispatch.read', async ({ query, now }) => {
    const job =
      query.jobId === undefined ? await newestJob(db, packKind, now) : await readJob(db, query.jobId)
    return { job: await packingJob(db, job?.kind === packKind ? job : undefined) }
  })

  write(app, deps, cancelDispatchJob, 'office:dispatch.write', async (tx, { scope, body, now }) => {
    const { id } = await jobOfKind(tx, packKind, body.jobId)
    if (await cancelJob(tx, now, id))
      await audit(tx, now, scope, 'dispatch.packing_stopped', { kind: 'job', id })
    return { message: messages.saved }
  })

  write(app, deps, undoPacking, 'office:dispatch.write', async (tx, { scope, body, now }) => {
    return { unpacked: await unpackJob(tx, scope, now, await jobOfKind(tx, packKind, body.jobId)) }
  })
}

/** Routes for the office's parcels: list and tracking. */
function packetRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  const trackPage = `${settings.publicUrl}/Importantlink/trackorder`

  serve(app, deps, calls.officePackets, 'office:dispatch.read', ({ scope, query, now }) =>
    listPackets(db, scope, now, query),
  )

  serve(app, deps, calls.officePacket, 'office:dispatch.read', ({ scope, query, now }) =>
    readPacket(db, scope, now, query.packetId),
  )

  write(app, deps, calls.dispatchPackets, 'office:dispatch.write', (tx, { scope, body, now }) =>
    sendPackets(tx, scope, now, { ...body, trackPage }),
  )

  write(app, deps, calls.savePacketCourier, 'office:dispatch.write', async (tx, { scope, body, now }) => {
    await saveConsignment(tx, scope, now, body)
    return { message: messages.saved }
  })

  command(app, deps, calls.movePackets, 'office:dispatch.write', movePackets)

  write(app, deps, calls.undoMove, 'office:dispatch.write', (tx, { scope, body, now }) =>
    undoMove(tx, scope, now, body.packets),
  )

  write(app, deps, calls.resendPacket, 'office:dispatch.write', async (tx, { scope, body, now }) => ({
    packetId: await resendPacket(tx, scope, now, body),
  }))

  write(app, deps, calls.cancelPacket, 'office:dispatch.write', async (tx, { scope, body, now }) => {
    await cancelPacket(tx, scope, now, body)
    return { message: messages.saved }
  })

  serve(app, deps, calls.officeCouriers, 'office:dispatch.read', async ({ scope }) => ({
    data: await listCouriers(db, scope),
  }))

  write(app, deps, calls.saveCourier, 'office:dispatch.write', async (tx, { scope, body, now }) => ({
    courierId: await saveCourier(tx, scope, now, body),
    message: messages.saved,
  }))

  serve(
    app,
    deps,
    calls.courierFile,
    'office:dispatch.write',
    async ({ scope, query, upload, now }) => {
      const read = await readCourierFile(upload.bytes, upload.name)
      const file = { ...read, season: query.FYear, apply: query.apply === 'yes', name: upload.name }
      return db.transaction().execute((tx) => runCourierFile(tx, scope, now, file))
    },
    { guard: noGuard },
  )
}

/** Routes for printing and exporting parcels. Each is logged, because addresses leave the portal. */
function packetPaperRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  const printed = (scope: OfficeScope, now: Date, action: string, ids: readonly number[], awards = 0) =>
    db.transaction().execute(async (tx) => {
      const subject = { kind: 'packets', id: 'printed' }
      await audit(tx, now, scope, action, subject, { packets: ids.length, ids })
      await notifyOfExport(tx, scope, now, 'packing lists with the awards of children', awards)
    })

  const making = async (createdAt: Date) => {
    return { foundation: await letterhead(db, deps.files), createdAt }
  }

  serve(app, deps, calls.packingLists, 'office:dispatch.write', async ({ scope, body, now }) => {
    const packets = await listedPackets(db, scope, now, await selectedIds(db, body as Selection))
    if (packets.length === 0) throw new Refusal('dispatch.no_list')
    const content = await packingPdf(packets, await making(now))
    const ids = packets.map(({ id }) => id)
    const awards = packets.reduce((sum, packet) => sum + packet.awards.length, 0)
    await printed(scope, now, 'packet.lists_printed', ids, awards)
    const name = ids.length === 1 ? `Packing list ${ids[0]}.pdf` : `Packing lists (${ids.length}).pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, calls.addressLabels, 'office:dispatch.write', async ({ scope, body, now }) => {
    const ids = await selectedIds(db, body as Selection)
    await db.transaction().execute((tx) => readdress(tx, scope, now, ids))
    const packets = await packetPapers(db, scope, ids)
    const content = await labelsPdf(packets, { ...(await making(now)), first: body.first })
    await printed(scope, now, 'packet.labels_printed', ids)
    return { file: { name: `Labels (${ids.length}).pdf`, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, calls.exportPackets, 'office:dispatch.read', async ({ scope, body, now }) => {
    const { format, forCourier, ...query } = body
    const upload = forCourier === 0 ? undefined : await uploadColumnsOf(db, scope, forCourier)
    const packets = await reads.caughtUp((tx) => everyPacket(tx, scope, query))
    const subject = { kind: 'packets', id: 'all', season: query.FYear }
    const change = { format, packets: packets.length, courier: upload?.courier, filters: query }
    await auditRead(db, now, scope, 'packet.exported', subject, change)
    if (!upload) return { file: packetsFile(packets, query.FYear, format) }
    const ids = packets.flatMap(({ packetId, status }) => (status === 'Cancelled' ? [] : [packetId]))
    await db.transaction().execute((tx) => readdress(tx, scope, now, ids))
    return { file: uploadFile(await packetPapers(db, scope, ids), upload, query.FYear, format) }
  })
}

const packKind = 'dispatch.pack'

/** Jobs of shipping: packing for many schools. */
export function dispatchJobs(): JobHandlers {
  return { [packKind]: runPack }
}

/**
 * Packs school by school, each in its own transaction. After a restart it continues with what is still due. Schools with
 * nothing due are skipped.
 */
async function runPack(job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  const query = job.input.query as DueQuery
  const most = Number(job.input.most)
  const scope = officerScope(context)
  // After a release all schools must be counted first: uncounted items are not due yet.
  for (let left = 1; left > 0; ) {
    await progress(0)
    left = await countStale(db, clock())
  }
  const ids = await dueSchoolIds(db, query)
  const before = job.output as { packets?: number; schools?: number } | null
  let packets = before?.packets ?? 0
  let schools = before?.schools ?? 0
  let skipped = 0
  for (const [index, schoolId] of ids.entries()) {
    await progress(index, ids.length)
    const packing = {
      schoolId,
      season: query.FYear as Season,
      contents: query.contents,
      filter: query,
      most,
      jobId: job.id,
    }
    try {
      const made = await db.transaction().execute((tx) => packDue(tx, scope, clock(), packing))
      packets += made.length
      schools++
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      skipped++
    }
    if (index % 50 === 49) await checkpoint({ packets, schools, skipped })
  }
  return { packets, schools, skipped }
}
