import { mostCertificates, packetCertificates } from '@podium/contract/results/calls-certificates'
import type { FastifyInstance } from 'fastify'
import { issueCertificates } from '#features/results/certificates/commands'
import {
  type Certified,
  certificatesInTurn,
  certifiedOf,
  issuerOf,
} from '#features/results/certificates/documents'
import { resultsOfStudents } from '#features/results/certificates/queries'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { serve } from '#platform/http/http'
import { certificatesIn } from './queries.ts'

/** The certificates that lie in a parcel of awards, so many at a time, in the order of its list. */
export function awardRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, packetCertificates, 'office:dispatch.write', async ({ scope, body, now }) => {
    const certified = await deps.db.transaction().execute(async (tx) => {
      const all = await certificatesIn(tx, body.packetId, now)
      const meant = all.slice((body.part - 1) * mostCertificates, body.part * mostCertificates)
      const rows = await resultsOfStudents(tx, scope, now, meant)
      const said = new Map<(typeof rows)[number], Certified>()
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
    return certificatesInTurn([first, ...others], await issuerOf(deps, body.language), name)
  })
}
