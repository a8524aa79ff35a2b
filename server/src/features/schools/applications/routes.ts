import {
  type Application,
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
import { type FileAnswer, serve } from '#platform/http/http'
import {
  momentCell,
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import { proposeCode } from '../commands.ts'
import { approve, askBack, reject } from './commands.ts'
import {
  allApplications,
  findApplications,
  findLikelySchools,
  readApplication,
  schoolOfApplication,
} from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'School', width: 36 },
  { title: 'Address', width: 36 },
  { title: 'City' },
  { title: 'District' },
  { title: 'State' },
  { title: 'Country', width: 12 },
  { title: 'Pin Code', width: 10 },
  { title: 'Phone' },
  { title: 'UDISE Code' },
  { title: 'Affiliation No' },
  { title: 'Applicant', width: 24 },
  { title: 'Designation' },
  { title: 'E-mail', width: 28 },
  { title: 'Mobile' },
  { title: 'Sent', width: 18 },
  { title: 'Asked back', width: 18 },
  { title: 'Requested by', width: 24 },
  { title: 'Question', width: 40 },
  { title: 'Answered', width: 18 },
  { title: 'Answer', width: 40 },
  { title: 'Decided', width: 18 },
  { title: 'Reason', width: 40 },
  { title: 'Assigned to', width: 24 },
]

const cells = (one: Application): SheetValue[] => [
  ...[one.schName, one.address, one.city, one.district, one.state, one.country, one.pinCode, one.phone],
  ...[one.udiseCode, one.affiliationNo],
  ...[one.applicantName, one.applicantDesignation, one.applicantEmail, one.applicantMobile],
  ...[momentCell(one.submittedAt), momentCell(one.askedAt), one.askedBy, one.question],
  ...[
    momentCell(one.answeredAt),
    one.answer,
    momentCell(one.decidedAt),
    one.reason,
    one.assignee?.name ?? '',
  ],
]

const titles = {
  submitted: 'Applications waiting',
  asked: 'Applications asked back',
  approved: 'Applications approved',
  rejected: 'Applications rejected',
} as const

/** Applications of a state as a file; moments in India. */
const applicationsFile = (
  applications: readonly Application[],
  state: Application['reviewState'],
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(titles[state], columns, applications.map(cells), format)

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
