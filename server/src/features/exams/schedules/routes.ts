import { getOnlineExamSchedule } from '@podium/contract/exams/calls'
import * as calls from '@podium/contract/exams/calls-office'
import { messages } from '@podium/contract/messages'
import { istTime, parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { deleteSlot, findSchedules, onlineEvent, saveSlot, slotsOf } from './commands.ts'
import {
  assignSlots,
  changeSlots,
  deleteSlots,
  notifySchools,
  readHours,
  refusePastSeason,
  runHours,
} from './commands-file.ts'

const columns: readonly ListColumn<calls.ExamSlot>[] = [
  { title: 'Date', kind: 'date', value: (slot) => dayCell(slot.from) },
  { title: 'From', width: 10, value: (slot) => istTime(new Date(slot.from)) },
  { title: 'To', width: 10, value: (slot) => istTime(new Date(slot.to)) },
  { title: 'Places', kind: 'number', value: (slot) => slot.places },
  { title: 'Taken', kind: 'number', value: (slot) => slot.taken },
  { title: 'Free', kind: 'number', value: (slot) => Math.max(0, slot.places - slot.taken) },
  { title: 'Schools', kind: 'number', value: (slot) => slot.schools },
]

/** Routes for a school's online exam times. */
export function scheduleRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getOnlineExamSchedule, 'school', async ({ scope, query }) => ({
    data: await findSchedules(deps.db, scope, orNotFound(parseSeason(query.FYear))),
  }))
}

/** Routes for the office's online schedules: slots, assigning them, and notifying schools. */
export function officeScheduleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps

  serve(app, deps, calls.officeSlots, 'office:exams.read', async ({ scope, query }) => {
    await onlineEvent(db, query.eventYearId)
    const { slots: data, figures } = await slotsOf(db, scope, query.eventYearId)
    return { data, figures }
  })

  write(app, deps, calls.exportSlots, 'office:exams.read', async (tx, { scope, body, now }) => {
    const { eventYearId: id, format } = body
    const { subject, season } = await onlineEvent(tx, id)
    const { slots } = await slotsOf(tx, scope, id)
    const change = { format, slots: slots.length }
    await audit(tx, now, scope, 'schedule.exported', { kind: 'schedule', id, season }, change)
    return { file: sheetFile(`Slots ${subject} ${season}`, columns, slots, format) }
  })

  write(app, deps, calls.saveSlot, 'office:exams.write', async (tx, { scope, body, now }) => {
    const { slotId, version, eventYearId: eventId, places } = body
    const slot = { slotId, version, eventId, places, from: new Date(body.from), to: new Date(body.to) }
    return { slotId: await saveSlot(tx, scope, now, slot), message: messages.saved }
  })

  write(app, deps, calls.deleteSlot, 'office:exams.write', async (tx, { scope, body, now }) => {
    await deleteSlot(tx, scope, now, body)
    return { message: messages.saved }
  })

  serve(app, deps, calls.changeSlots, 'office:exams.write', ({ scope, body, now, request }) =>
    changeSlots(db, scope, now, body, request.idempotencyKey),
  )

  serve(app, deps, calls.deleteSlots, 'office:exams.write', ({ scope, body, now, request }) =>
    deleteSlots(db, scope, now, body.slots, request.idempotencyKey),
  )

  write(app, deps, calls.assignSlots, 'office:exams.write', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, schCode, slotId } = body
    return assignSlots(tx, scope, now, { eventId, schCode, slotId })
  })

  write(app, deps, calls.notifySchools, 'office:exams.write', async (tx, { scope, body, now }) => {
    const page = `${settings.publicUrl}/Importantlink/examScheduleStatus`
    return notifySchools(tx, scope, now, { eventId: body.eventYearId, page })
  })

  serve(
    app,
    deps,
    calls.scheduleFile,
    'office:exams.write',
    async ({ scope, query, upload, now }) => {
      const rows = await readHours(upload.bytes, upload.name)
      const file = { eventId: query.eventYearId, rows, apply: query.apply === 'yes', name: upload.name }
      return db.transaction().execute((tx) => runHours(tx, scope, now, file))
    },
    {
      async guard({ query, now }) {
        await refusePastSeason(db, query.eventYearId, now)
        return undefined
      },
    },
  )
}
