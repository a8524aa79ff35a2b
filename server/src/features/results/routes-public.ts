import { familyCertificate, renewResultLink, schoolCertificate } from '@podium/contract/results-certificates'
import { familyResults } from '@podium/contract/results-family'
import { publicResult, verifyCertificate } from '@podium/contract/results-public'
import type { FastifyInstance } from 'fastify'
import { readFoundation } from '#features/foundation/queries'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { type FileAnswer, serve } from '#platform/http'
import { bareCode } from '#platform/secrets'
import { issueCertificate, renewLink } from './commands-certificates.ts'
import { certificateFile } from './documents-certificate.ts'
import { resultOfFamily, resultOfSchool } from './queries-certificates.ts'
import { familyResultsOf } from './queries-family.ts'
import { factsOf, publicResultOf, type ReleasedResult, verifiedCertificate } from './queries-public.ts'

/** Results outside the school: the page behind a link, what families read, certificates and whether one is genuine. */
export function publicResultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits } = deps

  serve(app, deps, publicResult, 'public', async ({ query, now, request }) => {
    await limits.take('result-page.per-source', request.source)
    const page = await publicResultOf(db, now, query.id)
    if (!page) await limits.take('result-page-miss.per-source', request.source)
    return found(page)
  })

  serve(app, deps, verifyCertificate, 'public', async ({ query, now, request }) => {
    await limits.take('certificate.per-source', request.source)
    const verified = await verifiedCertificate(db, now, bareCode(query.number))
    if (verified.state === 'unknown') await limits.take('certificate-miss.per-source', request.source)
    return verified
  })

  serve(app, deps, familyResults, 'family', async ({ scope, now }) => ({
    data: await familyResultsOf(db, scope, now),
  }))

  serve(app, deps, schoolCertificate, 'school', async ({ scope, body, now }) => {
    const issued = await db.transaction().execute(async (tx) => {
      const row = await resultOfSchool(tx, scope, now, body.resultId)
      return { row, number: await issueCertificate(tx, scope, now, row) }
    })
    return certificate(deps, issued.row, issued.number, body.language)
  })

  serve(app, deps, familyCertificate, 'family', async ({ scope, body, now }) => {
    const issued = await db.transaction().execute(async (tx) => {
      const row = await resultOfFamily(tx, scope, now, body.resultId)
      return { row, number: await issueCertificate(tx, scope, now, row) }
    })
    return certificate(deps, issued.row, issued.number, body.language)
  })

  serve(app, deps, renewResultLink, 'school', async ({ scope, body, now }) => ({
    resultLink: await db
      .transaction()
      .execute(async (tx) => renewLink(tx, scope, now, await resultOfSchool(tx, scope, now, body.resultId))),
  }))
}

async function certificate(
  { db, settings }: Deps,
  row: ReleasedResult,
  number: string,
  language: 'en' | 'hi',
): Promise<FileAnswer> {
  const foundation = await readFoundation(db)
  const facts = factsOf(row, number)
  return certificateFile(
    { ...facts, studentName: row.student_name, classId: row.class_id },
    { foundation: foundation.name, checkAt: `${settings.publicUrl}/verify/${facts.number}`, language },
  )
}
