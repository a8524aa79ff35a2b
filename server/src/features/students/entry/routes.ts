import { classCode, classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import {
  deleteStudent,
  deleteStudentPost,
  findStudentsByName,
  getParticipationFinalSummary,
  getParticipationSummary,
  getStudentByClassAndSchool,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { type Handle, serve } from '#platform/http/http'
import { bulkRoutes } from '../bulk/routes.ts'
import { gridRoutes } from '../grid/routes.ts'
import { countParticipation, findByClass } from '../lists/queries-summary.ts'
import * as commands from './commands.ts'
import * as deletion from './commands-delete.ts'
import { findByName } from './queries.ts'
import { listStudents } from './queries-list.ts'
import { enrolmentExportRoutes } from './routes-export.ts'

/** The summaries say the school by id or by code under one name. */
function ownByEither(scope: SchoolScope, said: string | undefined): void {
  if (said === undefined || said === '' || said === String(scope.schoolId)) return
  ownSchool(scope, { schCode: said })
}

/** `7`, `LKG` or the id itself. */
function classOfCode(code: string | number): number {
  const found = classes.find(
    ({ classId }) => code === classId || code === classCode(classId) || code === String(classId),
  )
  if (!found) throw new Refusal('not_found')
  return found.classId
}

/** Students of a school: entry, list, deletion, summaries. */
export function enrolmentRoutes(app: FastifyInstance, deps: Deps): void {
  enrolmentExportRoutes(app, deps)
  bulkRoutes(app, deps)
  gridRoutes(app, deps)

  const proves = { proves: true }
  const list: Handle<typeof getStudentDetails, 'school'> = async ({ scope, body, now, proof }) => {
    ownSchool(scope, body)
    const { classId, section, studentName: name, subjectName: subject } = body
    const season = body.FYear
    const filter = { season, classId, section, name, subject }
    return { data: await listStudents(deps.db, scope, now, filter, proof) }
  }
  serve(app, deps, getStudentDetails, 'school', list, proves)

  serve(app, deps, findStudentsByName, 'school', async ({ scope, query }) => ({
    data: await findByName(deps.db, scope, query.FYear, query.studentName),
  }))

  const save: Handle<typeof saveStudentDetails, 'school'> = async (call) => {
    const { scope, body: entry, now, request, proof } = call
    ownSchool(scope, entry)
    const { idempotencyKey } = request
    const { keys } = deps
    const saved = await commands.saveStudent(deps.db, { scope, keys, now, entry, idempotencyKey, proof })
    return { ...saved, message: messages.saved }
  }
  serve(app, deps, saveStudentDetails, 'school', save, proves)

  serve(app, deps, deleteStudent, 'school', ({ scope, query, now }) =>
    deletion.deleteStudent(deps.db, scope, now, query),
  )
  serve(app, deps, deleteStudentPost, 'school', ({ scope, body, now }) =>
    deletion.deleteStudent(deps.db, scope, now, body),
  )
  serve(app, deps, restoreStudent, 'school', ({ scope, body, now }) =>
    deletion.restoreStudent(deps.db, scope, now, body),
  )

  const summary: Handle<typeof getParticipationSummary, 'school'> = async ({ scope, query, proof }) => {
    ownByEither(scope, query.schId)
    return { data: await countParticipation(deps.db, scope, query.FYear, proof) }
  }
  serve(app, deps, getParticipationSummary, 'school', summary, proves)

  serve(app, deps, getParticipationFinalSummary, 'school', async ({ scope, query, proof }) => {
    ownByEither(scope, query.schId)
    const subjects = await countParticipation(deps.db, scope, query.FYear, proof)
    return {
      data: subjects.map(({ details, ...subject }) => ({
        ...subject,
        details: details.map(({ totalStudent, ...of }) => ({ ...of, studentCount: totalStudent })),
      })),
    }
  })

  serve(app, deps, getStudentByClassAndSchool, 'school', async ({ scope, body }) => {
    ownByEither(scope, body.schoolCode)
    const subject = body.eventLetter || body.subjectName || ''
    const classId = classOfCode(body.classCode)
    return { data: await findByClass(deps.db, scope, { season: body.FYear, classId, subject }) }
  })
}
