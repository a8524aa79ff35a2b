import {
  attendanceEvents,
  attendanceList,
  saveAttendance,
} from '@podium/contract/exams/calls-attendance-lists'
import { messages } from '@podium/contract/messages'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { serve } from '#platform/http/http'
import { saveLists } from './commands-lists.ts'
import { attendanceOf, studentsOfList } from './queries-lists.ts'

/** Who sat an exam, entered by the school. */
export function attendanceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, attendanceEvents, 'school', async ({ scope, query, now }) => ({
    data: await attendanceOf(db, scope, query.FYear, now),
  }))

  serve(app, deps, attendanceList, 'school', async ({ scope, query }) => {
    const students = await studentsOfList(db, scope, query)
    found(students[0])
    const list = await db
      .selectFrom('attendance_lists')
      .select('version')
      .where('participation_id', '=', query.eventManagementId)
      .where('class_id', '=', query.classId)
      .executeTakeFirst()
    return { version: list?.version ?? 0, students }
  })

  serve(app, deps, saveAttendance, 'school', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveLists(tx, scope, now, body.lists))
    return { message: messages.saved }
  })
}
