import * as calls from '@podium/contract/results/calls-certificates'
import { familyResults, publicResult, verifyCertificate } from '@podium/contract/results/calls-public'
import type { FastifyInstance } from 'fastify'
import { normalizeCode } from '#platform/auth/secrets'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve } from '#platform/http/http'
import { issueCertificates, renewLink } from '../certificates/commands.ts'
import {
  type CertificateData,
  certificateFile,
  certifiedOf,
  issuerOf,
  queueCertificatesFile,
} from '../certificates/documents.ts'
import { resultOfFamily, resultOfSchool, resultsOfSchool } from '../certificates/queries.ts'
import { filterOf } from '../queries.ts'
import { familyResultsOf, publicResultOf, type ReleasedResult, verifiedCertificate } from './queries.ts'

/** Routes for public results: the page behind a link, family results, certificates and their verification. */
export function publicResultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, limits, reads } = deps

  serve(app, deps, publicResult, 'public', async ({ query, now, request }) => {
    await limits.take('result-page.per-source', request.source)
    const page = await reads.lately(
      (read) => publicResultOf(read, now, query.id),
      (found) => found !== undefined,
    )
    if (!page) await limits.take('result-page-miss.per-source', request.source)
    return orNotFound(page)
  })

  serve(app, deps, verifyCertificate, 'public', async ({ query, now, request }) => {
    await limits.take('certificate.per-source', request.source)
    const verified = await reads.lately(
      (read) => verifiedCertificate(read, now, normalizeCode(query.number)),
      ({ state }) => state === 'valid',
    )
    if (verified.state === 'unknown') await limits.take('certificate-miss.per-source', request.source)
    return verified
  })

  serve(app, deps, familyResults, 'family', async ({ scope, now }) => ({
    data: await familyResultsOf(db, scope, now),
  }))

  serve(app, deps, calls.schoolCertificate, 'school', async ({ scope, body, now }) => {
    const certified = await db.transaction().execute(async (tx) => {
      const row = await resultOfSchool(tx, scope, now, body.resultId)
      return numbered(await issueCertificates(tx, scope, now, [row]), [row])
    })
    return certificateFile(certified[0], await issuerOf(deps, body.language))
  })

  serve(app, deps, calls.schoolCertificates, 'school', async ({ scope, body, now }) => {
    const certified = await db.transaction().execute(async (tx) => {
      const rows = await resultsOfSchool(tx, scope, now, filterOf(body))
      return numbered(await issueCertificates(tx, scope, now, rows), rows)
    })
    return queueCertificatesFile(certified, await issuerOf(deps, body.language))
  })

  serve(app, deps, calls.familyCertificate, 'family', async ({ scope, body, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    const certified = await db.transaction().execute(async (tx) => {
      const row = await resultOfFamily(tx, scope, now, body.resultId)
      return numbered(await issueCertificates(tx, scope, now, [row]), [row])
    })
    return certificateFile(certified[0], await issuerOf(deps, body.language))
  })

  serve(app, deps, calls.renewResultLink, 'school', async ({ scope, body, now }) => ({
    resultLink: await db
      .transaction()
      .execute(async (tx) => renewLink(tx, scope, now, await resultOfSchool(tx, scope, now, body.resultId))),
  }))
}

type Results = readonly [ReleasedResult, ...ReleasedResult[]]

/** The content of each certificate, with its number. */
function numbered(numbers: readonly string[], rows: Results): [CertificateData, ...CertificateData[]] {
  const of = (row: ReleasedResult, index: number) => certifiedOf(row, numbers[index] ?? '')
  const [first, ...others] = rows
  return [of(first, 0), ...others.map((row, index) => of(row, index + 1))]
}
