import { familyAskData, familyConsent, familyDataFile, familyPrivacy } from '@podium/contract/privacy/calls'
import type { FastifyInstance } from 'fastify'
import type { FamilyScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve } from '#platform/http/http'
import { askAsFamily, setConsent } from './commands.ts'
import { privacyOfFamily } from './queries.ts'
import { notices, noticeVersion } from './rules-notice.ts'

type FileOf = (
  scope: FamilyScope,
  now: Date,
  asked: { id: number; format: 'json' | 'pdf' },
) => Promise<FileAnswer['file']>

/** The family's page: notice, consent, and what it asks about its children's data. */
export function familyPrivacyRoutes(app: FastifyInstance, deps: Deps, fileOf: FileOf): void {
  const { db, limits } = deps

  serve(app, deps, familyPrivacy, 'family', async ({ scope, query, now }) => {
    const { title, paragraphs } = notices[query.language]
    return {
      notice: { version: noticeVersion, title, paragraphs: [...paragraphs] },
      children: await privacyOfFamily(db, scope, now),
    }
  })

  serve(app, deps, familyConsent, 'family', async ({ scope, body, now }) => {
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, noticeVersion: version, ...rest } = body
    await db.transaction().execute((tx) => setConsent(tx, scope, now, { studentId, version, ...rest }))
    return {}
  })

  serve(app, deps, familyAskData, 'family', async ({ scope, body, now }) => {
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, ...rest } = body
    await db.transaction().execute((tx) => askAsFamily(tx, scope, now, { studentId, ...rest }))
    return {}
  })

  serve(app, deps, familyDataFile, 'family', async ({ scope, query, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    return { file: await fileOf(scope, now, query) }
  })
}
