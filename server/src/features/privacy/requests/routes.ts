import type { WrittenLanguage } from '@podium/contract/languages'
import * as calls from '@podium/contract/privacy/calls'
import type { FastifyInstance } from 'fastify'
import { namesIn } from '#features/catalogue/lists/queries'
import { notifyOfExport, notifyOwners } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import type { FamilyScope, OfficeScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { letterhead } from '#platform/foundation'
import { command, type FileAnswer, serve, write } from '#platform/http/http'
import { callerId } from '#platform/http/input'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'
import { childDataFile } from './documents.ts'
import { grantedRequest, listRequests, privacyOfFamily, requestsForFile } from './queries.ts'
import { dataAbout, languageOfFamily, requestsOfSchool } from './queries-child.ts'
import { fileIsOver, notices, noticeVersion } from './rules.ts'

/** The columns of the list, without texts or parents' contact details. */
const columns: readonly ListColumn<calls.DataRequest>[] = [
  { title: 'Requested', width: 20, value: (request) => kinds[request.kind] },
  {
    title: 'Through',
    width: 24,
    value: (request) => throughs[request.requestedThrough] ?? request.requestedThrough,
  },
  { title: 'Child', width: 28, value: (request) => request.studentName || 'Erased' },
  { title: 'Class', width: 24, value: (request) => request.place },
  { title: 'School', width: 36, value: (request) => request.schName },
  { title: 'Requested on', kind: 'date', value: (request) => dayCell(request.requestedAt) },
  { title: 'Due by', kind: 'date', value: (request) => request.dueOn },
  { title: 'Late', value: (request) => (request.late ? 'Yes' : '') },
  { title: 'Status', width: 16, value: (request) => states[request.state] },
]

const kinds = { export: "The child's data", erase: 'Erasure', correct: 'Correction' } as const
const throughs: Record<string, string> = {
  family: "On the family's page",
  school: 'Through the school',
  office: 'Entered by the office',
}
const states = {
  asked: 'To be checked',
  checked: 'Checked',
  done: 'Done',
  declined: 'Declined',
  withdrawn: 'Taken back',
} as const

/** Routes for data requests, in the office and on the family page. */
export function privacyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(app, deps, calls.dataRequests, 'office:privacy.read', ({ scope, query, now }) =>
    listRequests(db, scope, now, query),
  )

  write(app, deps, calls.exportDataRequests, 'office:privacy.write', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const requests = await requestsForFile(tx, scope, now, filters)
    // Log that there was a search, not its text, which could contain an erased child's name.
    const search = filters.search === '' ? '' : '•••'
    const change = { format, dataRequests: requests.length, filters: { ...filters, search } }
    await audit(tx, now, scope, 'data_request.exported', { kind: 'data_request', id: 'all' }, change)
    await notifyOfExport(tx, scope, now, 'the requests about children’s data', requests.length)
    return { file: sheetFile(`Data requests ${body.state}`, columns, requests, format) }
  })

  write(app, deps, calls.askDataRequest, 'office:privacy.write', async (tx, { scope, body, now }) => ({
    id: await commands.enterRequest(tx, scope, now, body),
  }))

  command(app, deps, calls.checkDataRequest, 'office:privacy.write', commands.checkRequest)

  write(app, deps, calls.carryOutRequest, 'office:privacy.write', async (tx, { scope, body, now }) => {
    const done = await commands.carryOut(tx, scope, now, files, body)
    if (done !== 'erase') return
    await notifyOwners(tx, scope, now, String(body.id), { what: 'erased', request: String(body.id) })
  })

  command(app, deps, calls.declineRequest, 'office:privacy.write', commands.decline)

  serve(app, deps, calls.dataFile, 'office:privacy.write', async ({ scope, body, now }) => ({
    file: await grantedFile(deps, scope, now, body),
  }))

  schoolPrivacyRoutes(app, deps)
  familyPrivacyRoutes(app, deps, (scope, now, request) => grantedFile(deps, scope, now, request))
}

interface FileRequest {
  id: number
  format: 'json' | 'pdf'
  /** Of a PDF; if left out, that of the family's consent */
  language?: WrittenLanguage
}

/** The file of a granted request. It is generated for each download, so that no copy is stored, and each one is logged. */
async function grantedFile(
  { db, files }: Deps,
  scope: OfficeScope | FamilyScope,
  now: Date,
  { id, format, language }: FileRequest,
) {
  const granted = orNotFound(await grantedRequest(db, scope, id))
  if (fileIsOver(now, granted.doneAt)) throw new Refusal('privacy.file_over')
  const ids = granted.records.map(Number)
  const spoken = language ?? (await languageOfFamily(db, ids))
  const sections = await dataAbout(db, ids, format === 'pdf' ? spoken : 'en')
  const subject = { kind: 'data_request', id, schoolId: granted.schoolId }
  await auditRead(db, now, scope, 'data_request.file_taken', subject, { format })
  const translate = await namesIn(db, spoken)
  const making = { foundation: await letterhead(db, files), createdAt: now, language: spoken, translate }
  return childDataFile(granted.studentName, sections, format, making)
}

/** Routes for schools to pass on parents' requests about children's data. */
function schoolPrivacyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.schoolDataRequests, 'school', ({ scope, query, now }) =>
    requestsOfSchool(db, scope, now, query.page),
  )

  write(
    app,
    deps,
    calls.askDataAsSchool,
    'school',
    async (tx, { scope, body, now }) => ({ id: await commands.askAsSchool(tx, scope, now, body) }),
    { count: ({ scope }) => deps.limits.take('form.per-account', callerId(scope)) },
  )

  command(app, deps, calls.withdrawDataRequest, 'school', commands.withdrawAsSchool)
}

type FileOf = (scope: FamilyScope, now: Date, request: FileRequest) => Promise<FileAnswer['file']>

/** Routes of the family page for notice, consent and data requests. */
function familyPrivacyRoutes(app: FastifyInstance, deps: Deps, fileOf: FileOf): void {
  const { db, limits } = deps

  serve(app, deps, calls.familyPrivacy, 'family', async ({ scope, query, now }) => {
    const { title, paragraphs } = notices[query.language]
    return {
      notice: { version: noticeVersion, title, paragraphs: [...paragraphs] },
      children: await privacyOfFamily(db, scope, now),
    }
  })

  serve(app, deps, calls.familyConsent, 'family', async ({ scope, body, now }) => {
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, noticeVersion: version, ...rest } = body
    await db
      .transaction()
      .execute((tx) => commands.setConsent(tx, scope, now, { studentId, version, ...rest }))
    return {}
  })

  serve(app, deps, calls.familyAskData, 'family', async ({ scope, body, now }) => {
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, ...rest } = body
    await db.transaction().execute((tx) => commands.askAsFamily(tx, scope, now, { studentId, ...rest }))
    return {}
  })

  serve(app, deps, calls.familyDataFile, 'family', async ({ scope, query, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    return { file: await fileOf(scope, now, query) }
  })
}
