import {
  approveApplication,
  askBackApplication,
  exportApplications,
  getApplication,
  listApplications,
  rejectApplication,
} from '@podium/contract/schools/calls-applications'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { proposeCode } from '../queries-code.ts'
import { approve, askBack, reject } from './commands.ts'
import { applicationsFile } from './documents.ts'
import {
  allApplications,
  findApplications,
  findLikelySchools,
  readApplication,
  schoolOfApplication,
} from './queries.ts'

/** The office's queue of schools that wait to be verified. */
export function schoolRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, listApplications, 'office:schools.read', ({ scope, query }) =>
    findApplications(deps.db, scope, query),
  )

  serve(app, deps, exportApplications, 'office:schools.export', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const applications = await deps.db.transaction().execute(async (tx) => {
      const chosen = await allApplications(tx, scope, filters)
      const told = { format, applications: chosen.length, filters }
      await audit(tx, now, scope, 'application.exported', { kind: 'application', id: 'all' }, told)
      await tellOfFile(tx, scope, now, 'the applications of schools', chosen.length)
      return chosen
    })
    return { file: applicationsFile(applications, body.state, format) }
  })

  serve(app, deps, getApplication, 'office:schools.read', async ({ scope, query }) => {
    const application = await readApplication(deps.db, scope, query.id)
    const waits = application.decidedAt === null
    return {
      application,
      school: waits ? null : await schoolOfApplication(deps.db, scope, query.id),
      likely: waits ? await findLikelySchools(deps.db, application) : [],
      proposedCode: waits ? await proposeCode(deps.db, application.schName) : '',
    }
  })

  serve(app, deps, approveApplication, 'office:schools.decide', async ({ scope, body, now }) => {
    const school = await deps.db
      .transaction()
      .execute((tx) => approve(tx, scope, now, deps.settings.publicUrl, body))
    deps.nudge()
    return school
  })

  serve(app, deps, rejectApplication, 'office:schools.decide', async ({ scope, body, now }) => {
    await deps.db.transaction().execute((tx) => reject(tx, scope, now, deps.settings.publicUrl, body))
    deps.nudge()
    return {}
  })

  serve(app, deps, askBackApplication, 'office:schools.decide', async ({ scope, body, now }) => {
    await deps.db.transaction().execute((tx) => askBack(tx, scope, now, deps.settings.publicUrl, body))
    deps.nudge()
    return {}
  })
}
