import { messages } from '@podium/contract/messages'
import {
  addressLabels,
  cancelPacket as cancel,
  courierFile,
  dispatchPackets,
  exportPackets,
  movePackets as move,
  officeCouriers,
  officePacket,
  officePackets,
  packingLists,
  resendPacket as resend,
  saveCourier as saveOne,
  savePacketCourier,
} from '@podium/contract/shipping/calls-packets'
import type { FastifyInstance } from 'fastify'
import { letterhead } from '#features/office/settings/queries-foundation'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { nothingInTheWay, serve } from '#platform/http/http'
import { packetsFile } from '../orders/documents.ts'
import {
  cancelPacket,
  movePackets,
  resendPacket,
  saveConsignment,
  sendPackets,
} from '../tracking/commands.ts'
import { saveCourier } from '../tracking/commands-couriers.ts'
import { readCourierFile, runCourierFile } from '../tracking/commands-file.ts'
import { labelsPdf, packingPdf } from './documents.ts'
import { everyPacket, listCouriers, listPackets, readPacket, type Selection, selectedIds } from './queries.ts'
import { listedPackets, packetPapers } from './queries-packing-slips.ts'

/** Parcels in the office: their list and their way. */
export function packetRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  const trackPage = `${settings.publicUrl}/Importantlink/trackorder`

  serve(app, deps, officePackets, 'office:dispatch.read', ({ scope, query }) => listPackets(db, scope, query))

  serve(app, deps, officePacket, 'office:dispatch.read', ({ scope, query, now }) =>
    readPacket(db, scope, now, query.packetId),
  )

  serve(app, deps, dispatchPackets, 'office:dispatch.write', async ({ scope, body, now }) => {
    const moved = await db.transaction().execute((tx) => sendPackets(tx, scope, now, { ...body, trackPage }))
    deps.nudge()
    return moved
  })

  serve(app, deps, savePacketCourier, 'office:dispatch.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveConsignment(tx, scope, now, body))
    return { message: messages.saved }
  })

  serve(app, deps, move, 'office:dispatch.write', ({ scope, body, now }) =>
    db.transaction().execute((tx) => movePackets(tx, scope, now, body)),
  )

  serve(app, deps, resend, 'office:dispatch.write', async ({ scope, body, now }) => ({
    packetId: await db.transaction().execute((tx) => resendPacket(tx, scope, now, body)),
  }))

  serve(app, deps, cancel, 'office:dispatch.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => cancelPacket(tx, scope, now, body))
    return { message: messages.saved }
  })

  serve(app, deps, officeCouriers, 'office:dispatch.read', async ({ scope }) => ({
    data: await listCouriers(db, scope),
  }))

  serve(app, deps, saveOne, 'office:dispatch.write', async ({ scope, body, now }) => ({
    courierId: await db.transaction().execute((tx) => saveCourier(tx, scope, now, body)),
    message: messages.saved,
  }))

  serve(
    app,
    deps,
    courierFile,
    'office:dispatch.write',
    async ({ scope, query, upload, now }) => {
      const read = await readCourierFile(upload.bytes, upload.name)
      const file = { ...read, season: query.FYear, apply: query.apply === 'yes', name: upload.name }
      return db.transaction().execute((tx) => runCourierFile(tx, scope, now, file))
    },
    { guard: nothingInTheWay },
  )
}

/** What is printed and exported of parcels; each leaves a line in the audit trail: addresses leave the house. */
export function packetPaperRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  const printed = (scope: OfficeScope, now: Date, action: string, ids: readonly number[], awards = 0) =>
    db.transaction().execute(async (tx) => {
      const subject = { kind: 'packets', id: 'printed' }
      await audit(tx, now, scope, action, subject, { packets: ids.length, ids })
      await tellOfFile(tx, scope, now, 'packing lists with the awards of children', awards)
    })

  const making = async (createdAt: Date) => {
    return { foundation: await letterhead(db, deps.files), createdAt }
  }

  serve(app, deps, packingLists, 'office:dispatch.read', async ({ scope, body, now }) => {
    const packets = await listedPackets(db, scope, now, await selectedIds(db, body as Selection))
    if (packets.length === 0) throw new Refusal('dispatch.no_list')
    const content = await packingPdf(packets, await making(now))
    const ids = packets.map(({ id }) => id)
    const awards = packets.reduce((sum, packet) => sum + packet.awards.length, 0)
    await printed(scope, now, 'packet.lists_printed', ids, awards)
    const name = ids.length === 1 ? `Packing list ${ids[0]}.pdf` : `Packing lists (${ids.length}).pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, addressLabels, 'office:dispatch.read', async ({ scope, body, now }) => {
    const ids = await selectedIds(db, body as Selection)
    const packets = await packetPapers(db, scope, ids)
    const content = await labelsPdf(packets, { ...(await making(now)), first: body.first })
    await printed(scope, now, 'packet.labels_printed', ids)
    return { file: { name: `Labels (${ids.length}).pdf`, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, exportPackets, 'office:dispatch.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const packets = await reads.caughtUp((tx) => everyPacket(tx, scope, query))
    const subject = { kind: 'packets', id: 'all', season: query.FYear }
    const told = { format, packets: packets.length, filters: query }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'packet.exported', subject, told))
    return { file: packetsFile(packets, query.FYear, format) }
  })
}
