import {
  familyCertificate,
  packetCertificates,
  renewResultLink,
  schoolCertificate,
  schoolCertificates,
} from '@podium/contract/results/calls-certificates'
import { familyResults } from '@podium/contract/results/calls-family'
import { publicResult, verifyCertificate } from '@podium/contract/results/calls-public'
import type { FastifyInstance } from 'fastify'
import { namesIn } from '#features/catalogue/lists/queries'
import { letterhead } from '#features/office/settings/queries'
import { issueCertificates, renewLink } from '#features/results/certificates/commands'
import {
  type CertificateIssuer,
  type Certified,
  certificateFile,
  certificatesFile,
  certifiedOf,
} from '#features/results/certificates/documents'
import {
  resultOfFamily,
  resultOfSchool,
  resultsOfPacket,
  resultsOfSchool,
} from '#features/results/certificates/queries'
import { familyResultsOf } from '#features/results/queries-family'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import { bareCode } from '#platform/auth/secrets'
import { inTurn, turns } from '#platform/concurrency-limit'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { serve } from '#platform/http/http'
import { publicResultOf, type ReleasedResult, verifiedCertificate } from './queries.ts'

/** A hundred and fifty keep a processor busy for seconds: two files are made at a time. */
const certificatesTurn = turns(2, 20)

const actions = { 2: 'medal', 3: 'prize', 5: 'award' } as const

/** Results outside the school: the page behind a link, what families read, certificates and whether one is genuine. */
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
      (read) => verifiedCertificate(read, now, bareCode(query.number)),
      ({ state }) => state === 'valid',
    )
    if (verified.state === 'unknown') await limits.take('certificate-miss.per-source', request.source)
    return verified
  })

  serve(app, deps, familyResults, 'family', async ({ scope, now }) => ({
    data: await familyResultsOf(db, scope, now),
  }))

  serve(app, deps, schoolCertificate, 'school', async ({ scope, body, now }) => {
    const certified = await db.transaction().execute(async (tx) => {
      const row = await resultOfSchool(tx, scope, now, body.resultId)
      return numbered(await issueCertificates(tx, scope, now, [row]), [row])
    })
    return certificateFile(certified[0], await issuer(deps, body.language))
  })

  serve(app, deps, schoolCertificates, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, { schCode: body.schCode })
    const filter = {
      season: body.fyear,
      eventId: body.eventYearId,
      letter: body.eventLetter,
      level: body.examLevel,
      classId: body.classId,
      action: body.action ? actions[body.action] : undefined,
    }
    const certified = await db.transaction().execute(async (tx) => {
      const rows = await resultsOfSchool(tx, scope, now, filter)
      return numbered(await issueCertificates(tx, scope, now, rows), rows)
    })
    const by = await issuer(deps, body.language)
    return inTurn(certificatesTurn, () => certificatesFile(certified, by))
  })

  serve(app, deps, packetCertificates, 'office:dispatch.write', async ({ scope, body, now }) => {
    const certified = await db.transaction().execute(async (tx) => {
      const rows = await resultsOfPacket(tx, scope, now, body)
      const said = new Map<ReleasedResult, Certified>()
      for (const [first, ...others] of Map.groupBy(rows, ({ event_id }) => event_id).values()) {
        if (!first) continue
        const ofEvent = [first, ...others] as const
        const numbers = await issueCertificates(tx, scope, now, ofEvent)
        for (const [at, row] of ofEvent.entries()) said.set(row, certifiedOf(row, numbers[at] ?? ''))
      }
      return rows.flatMap((row) => said.get(row) ?? [])
    })
    const [first, ...others] = certified
    if (!first) throw new Refusal('dispatch.no_certificates')
    const part = body.part > 1 ? ` (${body.part})` : ''
    const name = `Certificates of packet ${body.packetId}${part}`
    const by = await issuer(deps, body.language)
    return inTurn(certificatesTurn, () => certificatesFile([first, ...others], by, name))
  })

  serve(app, deps, familyCertificate, 'family', async ({ scope, body, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    const certified = await db.transaction().execute(async (tx) => {
      const row = await resultOfFamily(tx, scope, now, body.resultId)
      return numbered(await issueCertificates(tx, scope, now, [row]), [row])
    })
    return certificateFile(certified[0], await issuer(deps, body.language))
  })

  serve(app, deps, renewResultLink, 'school', async ({ scope, body, now }) => ({
    resultLink: await db
      .transaction()
      .execute(async (tx) => renewLink(tx, scope, now, await resultOfSchool(tx, scope, now, body.resultId))),
  }))
}

type Results = readonly [ReleasedResult, ...ReleasedResult[]]

/** What each certificate says, with its number. */
function numbered(numbers: readonly string[], rows: Results): [Certified, ...Certified[]] {
  const of = (row: ReleasedResult, index: number) => certifiedOf(row, numbers[index] ?? '')
  const [first, ...others] = rows
  return [of(first, 0), ...others.map((row, index) => of(row, index + 1))]
}

async function issuer({ db, files, settings }: Deps, language: 'en' | 'hi'): Promise<CertificateIssuer> {
  const foundation = await letterhead(db, files)
  const nameOf = await namesIn(db, language)
  return { foundation, checkAt: `${settings.publicUrl}/verify`, language, nameOf }
}
