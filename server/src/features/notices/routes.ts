import { messages } from '@podium/contract/messages'
import {
  endNotice as end,
  exportNotices,
  getNotices,
  officeNotices,
  readNotice as read,
  saveNotice as save,
} from '@podium/contract/notices/calls'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { endNotice, readNotice, saveNotice } from './commands.ts'
import { noticesFile } from './documents.ts'
import { allNotices, findSchoolNotices, listNotices } from './queries.ts'

/** What the foundation tells schools: the office writes, schools read. */
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
      const told = { format, notices: chosen.length, filters }
      await audit(tx, now, scope, 'notice.exported', { kind: 'notice', id: 'all' }, told)
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
