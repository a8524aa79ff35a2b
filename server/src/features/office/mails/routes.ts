import { reportBounce } from '@podium/contract/office/calls-bounces'
import * as calls from '@podium/contract/office/calls-mails'
import { mailName } from '@podium/contract/office/words'
import type { FastifyInstance } from 'fastify'
import { schoolRecord } from '#features/schools/register/queries-years'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { mailSender } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import { renderMailText } from '#platform/mail/mail-templates'
import { mailTextDefinition } from '#platform/mail/mail-texts'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'

const lastTitles = {
  all: 'When',
  failed: 'Failed',
  bounced: 'Returned',
  waiting: 'Next try',
  sent: 'Sent',
} as const

const stateTitles = { ...lastTitles, waiting: 'Sending' } as const

/** The columns of a file of e-mails with this status, addresses masked as in the list. */
const columnsOf = (view: calls.MailView): readonly ListColumn<calls.QueuedMail>[] => [
  { title: 'Kind', value: (mail) => mailName(mail.kind) },
  { title: 'Subject', width: 48, value: (mail) => mail.subject },
  { title: 'To', width: 28, value: (mail) => mail.to },
  { title: 'Name', width: 28, value: (mail) => mail.name },
  { title: 'School code', width: 14, value: (mail) => mail.school?.schCode },
  { title: 'School', width: 32, value: (mail) => mail.school?.schName },
  { title: 'Attempts', kind: 'number', value: (mail) => mail.attempts },
  { title: 'Written', width: 22, value: (mail) => timestampCell(mail.createdAt) },
  ...(view === 'all'
    ? [{ title: 'Status', value: (mail: calls.QueuedMail) => stateTitles[mail.state] }]
    : []),
  { title: lastTitles[view], width: 22, value: (mail) => timestampCell(mail.at) },
  { title: 'Error', width: 60, value: (mail) => mail.error },
]

/** Routes for e-mail texts and the outbox. */
export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.mailTemplates, 'office:mails.read', async ({ scope }) => ({
    data: await commands.allMailTexts(db, scope),
  }))

  serve(app, deps, calls.previewMail, 'office:mails.read', async ({ scope, body }) => {
    const kind = commands.checkedKind(body)
    const { placeholders } = mailTextDefinition(kind)
    return renderMailText(await mailSender(db), body.language, scope.name, body, placeholders)
  })

  command(app, deps, calls.saveMailText, 'office:mails.write', commands.saveText)
  command(app, deps, calls.restoreMailText, 'office:mails.write', commands.restoreText)

  /** Counts and logs a search for an address, without the address itself. Called after the refusals. */
  const logAddressSearch = (tx: Tx, scope: OfficeScope, now: Date, mails: number) =>
    audit(tx, now, scope, 'mail.searched_by_address', { kind: 'mail', id: 'all' }, { mails })
  const countAddress = async (scope: OfficeScope, search: string) => {
    if (commands.addressIn(search) === '') return false
    commands.refuseAddress(scope, search)
    await deps.limits.take('contact-search.per-staff', String(scope.staffId))
    return true
  }

  serve(app, deps, calls.mailQueue, 'office:mails.read', async ({ scope, query, now }) => {
    const byAddress = await countAddress(scope, query.search)
    const found = await commands.queuedMails(db, scope, query)
    if (byAddress) await db.transaction().execute((tx) => logAddressSearch(tx, scope, now, found.total))
    return found
  })

  serve(app, deps, calls.exportMails, 'office:mails.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    await countAddress(scope, filters.search)
    const mails = await db.transaction().execute(async (tx) => {
      const chosen = await commands.mailsForFile(tx, scope, filters)
      const { state, search, mailing } = filters
      const used = { state, search: search === '' ? '' : '•••', ...(mailing === 0 ? {} : { mailing }) }
      const change = { format, mails: chosen.length, filters: used }
      await audit(tx, now, scope, 'mail.exported', { kind: 'mail', id: 'all' }, change)
      await notifyOfExport(tx, scope, now, 'the e-mails', chosen.length)
      return chosen
    })
    return { file: sheetFile(`E-mails ${body.state}`, columnsOf(body.state), mails, format) }
  })

  serve(app, deps, calls.schoolMails, 'office:mails.read', async ({ scope, query }) => {
    await schoolRecord(db, scope, query.id)
    return commands.schoolMailsOf(db, scope, query)
  })

  write(app, deps, reportBounce, 'mail-server', (tx, { body, now }) => commands.takeBounce(tx, now, body))

  write(app, deps, calls.resendMails, 'office:mails.write', (tx, { scope, body, now }) =>
    commands.resend(tx, scope, now, body.ids),
  )
}
