import { className } from '@podium/contract/classes'
import { parseSeason } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import {
  blankForm,
  cancelPrint,
  type PrintProgress,
  printFile,
  printPaper,
  printStatus,
} from '@podium/contract/students/calls-print-lists'
import type { FastifyInstance } from 'fastify'
import { loadCatalogue } from '#features/catalogue/queries'
import { requireOwnSchool, type SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { cancelJob, type Job, readJob } from '#platform/jobs/jobs'
import { blankFamilyForm } from './documents.ts'
import { planPrint } from './jobs.ts'
import { printJob, readPaperDates, readPaperSchool } from './queries.ts'

const progressOf = ({ id, state, done, total, error }: Job): PrintProgress => ({
  printId: id,
  state,
  done,
  total,
  error: error ?? '',
})

/** The school's paper: started, watched, fetched. */
export function paperRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  async function own(scope: SchoolScope, printId: string): Promise<Job> {
    const job = orNotFound(await readJob(db, printId, { schoolId: scope.schoolId }))
    if (job.kind !== printJob) throw new Refusal('not_found')
    return job
  }

  serve(app, deps, printPaper, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    const FYear = parseSeason(body.FYear)
    if (!FYear) throw refuseField('FYear', sentences.seasonNotValid)
    const id = await planPrint(db, scope, now, { ...body, FYear })
    deps.nudge()
    return progressOf(await own(scope, id))
  })

  serve(app, deps, blankForm, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const { FYear: season, classId, language } = query
    const catalogue = await loadCatalogue(db, season, now)
    if (!catalogue?.published || catalogue.offerTo(classId).length === 0) throw new Refusal('paper.no_offer')
    const { offerTo } = catalogue
    const foundation = await letterhead(db, deps.files)
    const school = await readPaperSchool(db, scope.schoolId)
    const dates = await readPaperDates(db, scope.schoolId, season)
    const making = { foundation, school, season, language, now, offerTo, dates }
    const content = await blankFamilyForm(classId, making)
    const name = `Registration form ${className(classId)} ${season}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, printStatus, 'school', async ({ scope, query }) =>
    progressOf(await own(scope, query.printId)),
  )

  serve(app, deps, cancelPrint, 'school', async ({ scope, body, now }) => {
    await own(scope, body.printId)
    await cancelJob(db, now, body.printId, { schoolId: scope.schoolId })
    return progressOf(await own(scope, body.printId))
  })

  serve(app, deps, printFile, 'school', async ({ scope, query }) => {
    const { output } = await own(scope, query.printId)
    const fileId = typeof output?.fileId === 'string' ? output.fileId : ''
    const kept = orNotFound(await readStored(db, files, fileId, { schoolId: scope.schoolId, kind: 'print' }))
    return { file: { name: kept.name, mediaType: kept.mediaType, content: kept.content } }
  })
}
