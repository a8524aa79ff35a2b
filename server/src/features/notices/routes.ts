import { messages } from '@podium/contract/messages'
import {
  endNotice as end,
  exportNotices,
  getNotices,
  type NoticeState,
  type OfficeNotice,
  officeNotices,
  readNotice as read,
  saveNotice as save,
} from '@podium/contract/notices/calls'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import { allNotices, endNotice, findSchoolNotices, listNotices, readNotice, saveNotice } from './commands.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Title', width: 36 },
  { title: 'Text', width: 60 },
  { title: 'Title in Hindi', width: 36 },
  { title: 'Text in Hindi', width: 60 },
  { title: 'Important' },
  { title: 'For', width: 36 },
  { title: 'From', kind: 'date' },
  { title: 'Until', kind: 'date' },
  { title: 'Ended on', kind: 'date' },
  { title: 'Schools', kind: 'number' },
  { title: 'Schools that have read it', kind: 'number' },
  { title: 'Changed by', width: 24 },
  { title: 'Changed on', kind: 'date' },
]

function audienceOf({ audience, states, schName, schCode }: OfficeNotice): string {
  if (audience === 'all') return 'All schools'
  return audience === 'state' ? states.join(', ') : `${schName} (${schCode})`
}

/** Notices with this status as a file; days in IST. */
function noticesFile(
  notices: readonly OfficeNotice[],
  state: NoticeState,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = notices.map((row): SheetValue[] => [
    ...[row.title, row.text, row.titleHi, row.textHi, row.important ? 'Yes' : '', audienceOf(row)],
    ...[row.from, row.until, row.endedAt === null ? '' : istDay(new Date(row.endedAt))],
    ...[row.schools, row.schoolsRead, row.changedBy, istDay(new Date(row.changedAt))],
  ])
  return sheetFile(`Notices ${state}`, columns, rows, format)
}

/** Notices from the foundation to schools: the office writes, schools read. */
export function noticeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, getNotices, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const data = await findSchoolNotices(db, scope, query.FYear, now)
    return { data, unread: data.filter((notice) => !notice.read).length }
  })

  write(app, deps, read, 'school', async (tx, { scope, body, now }) => {
    requireOwnSchool(scope, body)
    await readNotice(tx, scope, now, body.id)
  })

  serve(app, deps, officeNotices, 'office:notices.read', ({ scope, query, now }) =>
    listNotices(db, scope, query, now),
  )

  serve(app, deps, exportNotices, 'office:notices.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const notices = await db.transaction().execute(async (tx) => {
      const chosen = await allNotices(tx, scope, filters, now)
      const change = { format, notices: chosen.length, filters }
      await audit(tx, now, scope, 'notice.exported', { kind: 'notice', id: 'all' }, change)
      return chosen
    })
    return { file: noticesFile(notices, body.state, format) }
  })

  write(app, deps, save, 'office:notices.write', async (tx, { scope, body, now, request }) => {
    const caller = `office:${scope.staffId}`
    const answer = await once(tx, now, caller, request.idempotencyKey, body, async () => ({
      id: await saveNotice(tx, scope, now, body),
    }))
    return { ...answer, message: messages.saved }
  })

  write(app, deps, end, 'office:notices.write', async (tx, { scope, body, now }) => {
    await endNotice(tx, scope, now, body)
    return { message: messages.saved }
  })
}
