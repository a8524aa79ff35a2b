import {
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-link'
import type { FastifyInstance } from 'fastify'
import { letterhead } from '#features/office/settings/queries-foundation'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import {
  prepareLetter,
  renewSchoolLink as renew,
  revokeSchoolLink as revoke,
  showCode,
} from './commands-links.ts'
import { letterName, lettersPdf } from './documents.ts'

/** The office's hand on the link and the access code of a school. */
export function schoolLinkRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, settings } = deps

  serve(app, deps, showSchoolCode, 'office:schools.codes', ({ scope, body, now }) =>
    db.transaction().execute((tx) => showCode(tx, scope, now, keys, body)),
  )

  serve(app, deps, renewSchoolLink, 'office:schools.codes', ({ scope, body, now }) =>
    db.transaction().execute((tx) => renew(tx, scope, now, keys, body)),
  )

  serve(app, deps, revokeSchoolLink, 'office:schools.codes', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => revoke(tx, scope, now, body))
    return {}
  })

  serve(app, deps, schoolLetter, 'office:schools.codes', async ({ scope, body, now }) => {
    const { school, code, linkId } = await db
      .transaction()
      .execute((tx) => prepareLetter(tx, scope, now, keys, body))
    const content = await lettersPdf([{ school, code, linkId }], {
      foundation: await letterhead(db, deps.files),
      publicUrl: settings.publicUrl,
      languages: [body.language],
      createdAt: now,
    })
    return { file: { name: letterName(school.code), mediaType: 'application/pdf', content } }
  })
}
