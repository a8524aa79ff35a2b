import { exportSchools, officeSchoolPlaces, officeSchools } from '@podium/contract/schools/calls-register'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { registerFile } from './documents.ts'
import { schoolPlaces, schoolRegister, wholeRegister } from './queries.ts'

/** The office's list of all schools, and the same as a file. */
export function schoolRegisterRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, officeSchools, 'office:schools.read', ({ scope, query }) =>
    schoolRegister(db, scope, query),
  )

  serve(app, deps, officeSchoolPlaces, 'office:schools.read', async ({ scope }) => ({
    data: await schoolPlaces(db, scope),
  }))

  serve(app, deps, exportSchools, 'office:schools.export', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const subject = { kind: 'schools', id: 'all', season: query.FYear }
    const schools = await reads.caughtUp((tx) => wholeRegister(tx, scope, query))
    await db.transaction().execute(async (tx) => {
      await audit(tx, now, scope, 'schools.exported', subject, {
        format,
        schools: schools.length,
        filters: query,
      })
      await tellOfFile(tx, scope, now, 'the register of schools', schools.length)
    })
    return { file: registerFile(schools, query.FYear, format) }
  })
}
