import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import {
  approveWaiver as approve,
  askOfficeWaiver,
  askWaiver,
  declineWaiver as decline,
  exportWaivers,
  officeWaivers,
  schoolWaivers,
  waiverEvidence,
  withdrawWaiver as withdraw,
} from '@podium/contract/waivers'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { readStored } from '#platform/files'
import { fromDataUrl, keepAccepted } from '#platform/files-accept'
import { serve } from '#platform/http'
import { once, unlessWritten } from '#platform/idempotency'
import { countSentFile } from '#platform/limits'
import { refuseLargeProof } from '#platform/moved-limits'
import type { OfficeScope, SchoolScope } from '#platform/scope'
import { tellOfFile } from '../staff/commands-owners.ts'
import { approveWaiver, askForWaiver, checkAsked, declineWaiver, withdrawWaiver } from './commands.ts'
import { mailDecision } from './commands-mails.ts'
import { waiversFile } from './documents.ts'
import { allWaivers, evidenceOf, waiverQueue, waiversOfSchool } from './queries.ts'

/** Waivers: asked for by a school or the office, decided by a second person. */
export function waiverRoutes(app: FastifyInstance, deps: Deps): void {
  schoolRoutes(app, deps)
  const { db, files } = deps
  const page = `${deps.settings.publicUrl}/Importantlink/managepayment`

  serve(app, deps, officeWaivers, 'office:waivers.read', ({ scope, query }) =>
    waiverQueue(db, scope, { ...query, FYear: query.FYear as Season }),
  )

  serve(app, deps, exportWaivers, 'office:waivers.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const waivers = await db.transaction().execute(async (tx) => {
      const chosen = await allWaivers(tx, scope, filters)
      const subject = { kind: 'waiver', id: 'all', season: filters.FYear }
      await audit(tx, now, scope, 'waiver.exported', subject, { format, waivers: chosen.length, filters })
      await tellOfFile(tx, scope, now, 'the fee waivers', chosen.length)
      return chosen
    })
    return { file: waiversFile(waivers, filters.FYear, format) }
  })

  serve(app, deps, askOfficeWaiver, 'office:waivers.ask', async ({ scope, body, now, request }) => {
    return askWith(deps, scope, now, body, `office:${scope.staffId}`, request.idempotencyKey)
  })

  serve(app, deps, waiverEvidence, 'office:waivers.read', async ({ scope, query }) => {
    const waiver = await evidenceOf(db, scope, query.id)
    const file = found(await readStored(db, files, waiver.evidence_file_id, { kind: 'waiver-evidence' }))
    const inline = file.mediaType.startsWith('image/')
    return { file: { name: file.name, mediaType: file.mediaType, content: file.content, inline } }
  })

  serve(app, deps, approve, 'office:waivers.decide', async ({ scope, body, now }) => {
    await db.transaction().execute(async (tx) => {
      await approveWaiver(tx, scope, now, body)
      await mailDecision(tx, now, body.id, page)
    })
    deps.nudge()
    return {}
  })

  serve(app, deps, decline, 'office:waivers.decide', async ({ scope, body, now }) => {
    await db.transaction().execute(async (tx) => {
      await declineWaiver(tx, scope, now, body)
      await mailDecision(tx, now, body.id, page)
    })
    deps.nudge()
    return {}
  })
}

/** First whether a waiver may be asked for at all, then what the evidence is, then the write with all its guards. */
async function askWith(
  { db, files, limits }: Deps,
  scope: SchoolScope | OfficeScope,
  now: Date,
  body: BodyOf<typeof askWaiver>,
  asker: string,
  key: string | undefined,
): Promise<{ id: number }> {
  await countSentFile(limits, scope)
  const sent = fromDataUrl(body.attechment)
  await refuseLargeProof(db, sent)
  const written = await unlessWritten<{ id: number }>(db, asker, key, body, (tx) =>
    checkAsked(tx, scope, body.studentId),
  )
  if (written) return written
  const evidence = await keepAccepted(files, sent)
  const asked = {
    studentId: body.studentId,
    reason: body.reason,
    evidence,
    name: body.attechmentName ?? '',
  }
  return db
    .transaction()
    .execute((tx) => once(tx, now, asker, key, body, () => askForWaiver(tx, files, scope, now, asked)))
}

function schoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, askWaiver, 'school', async ({ scope, body, now, request }) => {
    return askWith(deps, scope, now, body, `account:${scope.userId}`, request.idempotencyKey)
  })

  serve(app, deps, schoolWaivers, 'school', async ({ scope, query }) => ({
    data: await waiversOfSchool(db, scope, query.FYear as Season),
  }))

  serve(app, deps, withdraw, 'school', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => withdrawWaiver(tx, scope, now, body))
    return {}
  })
}
