import {
  exportMails,
  mailQueue,
  mailTemplates,
  previewMail,
  resendMails,
  restoreMailText,
  saveMailText,
} from '@podium/contract/mails'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { letterOf, ofMailText } from '#platform/mail-texts'
import { mailSender } from '../foundation/queries.ts'
import { checkedKind, resend, restoreText, saveText } from './commands.ts'
import { mailsFile } from './documents.ts'
import { mailsForFile, queuedMails } from './queries.ts'
import { allMailTexts } from './queries-texts.ts'

/** The texts of the foundation's mails, and the mails that are on their way or failed. */
export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, mailTemplates, 'office:mails.read', async ({ scope }) => ({
    data: await allMailTexts(db, scope),
  }))

  serve(app, deps, previewMail, 'office:mails.read', async ({ scope, body }) => {
    const kind = checkedKind(body)
    const { placeholders } = ofMailText(kind)
    return letterOf(await mailSender(db), body.language, scope.name, body, placeholders)
  })

  serve(app, deps, saveMailText, 'office:mails.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveText(tx, scope, now, body))
    return {}
  })

  serve(app, deps, restoreMailText, 'office:mails.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => restoreText(tx, scope, now, body))
    return {}
  })

  serve(app, deps, mailQueue, 'office:mails.read', ({ scope, query }) => queuedMails(db, scope, query))

  serve(app, deps, exportMails, 'office:mails.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const mails = await db.transaction().execute(async (tx) => {
      const chosen = await mailsForFile(tx, scope, filters)
      const search = filters.search === '' ? '' : '•••'
      const told = { format, mails: chosen.length, filters: { ...filters, search } }
      await audit(tx, now, scope, 'mail.exported', { kind: 'mail', id: 'all' }, told)
      return chosen
    })
    return { file: mailsFile(mails, body.state, format) }
  })

  serve(app, deps, resendMails, 'office:mails.write', async ({ scope, body, now }) => {
    const answer = await db.transaction().execute((tx) => resend(tx, scope, now, body.ids))
    deps.nudge()
    return answer
  })
}
