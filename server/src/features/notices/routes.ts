import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/notices/calls'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { allNotices, endNotice, findSchoolNotices, listNotices, readNotice, saveNotice } from './commands.ts'

const columns: readonly ListColumn<calls.OfficeNotice>[] = [
  { title: 'Title', width: 36, value: (row) => row.title },
  { title: 'Text', width: 60, value: (row) => row.text },
  { title: 'Title in Hindi', width: 36, value: (row) => row.titleHi },
  { title: 'Text in Hindi', width: 60, value: (row) => row.textHi },
  { title: 'Important', value: (row) => (row.important ? 'Yes' : '') },
  { title: 'For', width: 36, value: (row) => audienceOf(row) },
  { title: 'From', kind: 'date', value: (row) => row.from },
  { title: 'Until', kind: 'date', value: (row) => row.until },
  { title: 'Ended on', kind: 'date', value: (row) => dayCell(row.endedAt) },
  { title: 'Schools', kind: 'number', value: (row) => row.schools },
  { title: 'Schools that have read it', kind: 'number', value: (row) => row.schoolsRead },
  { title: 'Changed by', width: 24, value: (row) => row.changedBy },
  { title: 'Changed on', kind: 'date', value: (row) => dayCell(row.changedAt) },
]

function audienceOf({ audience, states, schName, schCode }: calls.OfficeNotice): string {
  if (audience === 'all') return 'All schools'
  return audience === 'state' ? states.join(', ') : `${schName} (${schCode})`
}

/** Notices from the foundation to schools: the office writes, schools read. */
export function noticeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.getNotices, 'school', async ({ scope, query, now }) => {
    const data = await findSchoolNotices(db, scope, query.FYear, now)
    return { data, unread: data.filter((notice) => !notice.read).length }
  })

  write(app, deps, calls.readNotice, 'school', async (tx, { scope, body, now }) => {
    await readNotice(tx, scope, now, body.id)
  })

  serve(app, deps, calls.officeNotices, 'office:notices.read', ({ scope, query, now }) =>
    listNotices(db, scope, query, now),
  )

  write(app, deps, calls.exportNotices, 'office:notices.read', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const notices = await allNotices(tx, scope, filters, now)
    const change = { format, notices: notices.length, filters }
    await audit(tx, now, scope, 'notice.exported', { kind: 'notice', id: 'all' }, change)
    return { file: sheetFile(`Notices ${body.state}`, columns, notices, format) }
  })

  write(app, deps, calls.saveNotice, 'office:notices.write', async (tx, { scope, body, now }) => ({
    id: await saveNotice(tx, scope, now, body),
    message: messages.saved,
  }))

  write(app, deps, calls.endNotice, 'office:notices.write', async (tx, { scope, body, now }) => {
    await endNotice(tx, scope, now, body)
    return { message: messages.saved }
  })
}
