import {
  renewOfficeFamilyLink,
  revokeFamilyLink,
  sendFamilyLink,
  sendFamilyLinks,
  showFamilyCode as show,
} from '@podium/contract/students/calls-write'
import type { FastifyInstance } from 'fastify'
import { maskEmail } from '#features/students/register/rules-search'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import {
  mailFamilyLink,
  mailFamilyLinks,
  renewForFamily,
  revokeForFamily,
  showFamilyCode,
} from './commands-office.ts'

/** The link of any child's family, for the office. */
export function officeFamilyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys } = deps
  const { publicUrl } = deps.settings

  serve(app, deps, show, 'office:students.codes', ({ scope, body, now }) =>
    db.transaction().execute((tx) => showFamilyCode(tx, scope, now, keys, { ...body, publicUrl })),
  )

  serve(app, deps, sendFamilyLink, 'office:students.codes', async ({ scope, body, now }) => {
    const to = await db.transaction().execute((tx) => mailFamilyLink(tx, scope, now, { ...body, publicUrl }))
    deps.nudge()
    return { to: maskEmail(to) }
  })

  serve(app, deps, sendFamilyLinks, 'office:students.codes', ({ scope, body, now, request }) => {
    const children = { ...body, publicUrl, key: request.idempotencyKey }
    // What was done before a fault is done: its mails leave.
    return mailFamilyLinks(db, scope, now, children).finally(() => deps.nudge())
  })

  serve(app, deps, renewOfficeFamilyLink, 'office:students.codes', async ({ scope, body, now }) => ({
    children: await db.transaction().execute((tx) => renewForFamily(tx, scope, now, keys, body)),
  }))

  serve(app, deps, revokeFamilyLink, 'office:students.codes', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => revokeForFamily(tx, scope, now, body))
    return {}
  })
}
