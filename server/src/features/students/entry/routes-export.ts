import { parseSeason } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { exportStudents, studentState } from '@podium/contract/students/calls-export'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { refuseField } from '#platform/errors'
import { serve } from '#platform/http/http'
import { studentsFile } from './documents.ts'
import { findStudents } from './queries.ts'

/** The list of students as a spreadsheet: exactly what the filters leave, in the order of the list. */
export function enrolmentExportRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, exportStudents, 'school', async ({ scope, body, now }) => {
    ownSchool(scope, body)
    const season = parseSeason(body.FYear)
    if (!season) throw refuseField('FYear', sentences.seasonNotValid)
    const { classId, section, studentName: name, subjectName: subject, state } = body
    const chosen = body.ids && new Set(body.ids)
    const found = await findStudents(deps.db, scope, now, { season, classId, section, name, subject })
    const rows = found.filter(
      (row) => (!state || studentState(row) === state) && (!chosen || chosen.has(row.id)),
    )
    return { file: studentsFile(rows, season, body.format) }
  })
}
