import { reportBounce } from '@podium/contract/office/calls-bounces'
import {
  exportMails,
  type MailView,
  mailQueue,
  mailTemplates,
  previewMail,
  type QueuedMail,
  resendMails,
  restoreMailText,
  saveMailText,
  schoolMails,
} from '@podium/contract/office/calls-mails'
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
import {
  addressIn,
  allMailTexts,
  checkedKind,
  mailsForFile,
  queuedMails,
  refuseAddress,
  resend,
  restoreText,
  saveText,
  schoolMailsOf,
  takeBounce,
} from './commands.ts'

const lastTitles = {
  all: 'When',
  failed: 'Failed',
  bounced: 'Returned',
  waiting: 'Next try',
  sent: 'Sent',
} as const

const stateTitles = { ...lastTitles, waiting: 'Sending' } as const

/** The columns of a file of e-mails with this status, addresses masked as in the list. */
const columnsOf = (view: MailView): readonly ListColumn<QueuedMail>[] => [
  { title: 'Kind', value: (mail) => mailName(mail.kind) },
  { title: 'Subject', width: 48, value: (mail) => mail.subject },
  { title: 'To', width: 28, value: (mail) => mail.to },
  { title: 'Name', width: 28, value: (mail) => mail.name },
  { title: 'School code', width: 14, value: (mail) => mail.school?.schCode },
  { title: 'School', width: 32, value: (mail) => mail.school?.schName },
  { title: 'Attempts', kind: 'number', value: (mail) => mail.attempts },
  { title: 'Written', width: 22, value: (mail) => timestampCell(mail.createdAt) },
  ...(view === 'all' ? [{ title: 'Status', value: (mail: QueuedMail) => stateTitles[mail.state] }] : []),
  { title: lastTitles[view], width: 22, value: (mail) => timestampCell(mail.at) },
  { title: 'Error', width: 60, value: (mail) => mail.error },
]

/** Routes for e-mail texts and the outbox. */
export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, mailTemplates, 'office:mails.read', async ({ scope }) => ({
    data: await allMailTexts(db, scope),
  }))

  serve(app, deps, previewMail, 'office:mails.read', async ({ scope, body }) => {
    const kind = checkedKind(body)
    const { placeholders } = mailTextDefinition(kind)
    return renderMailText(await mailSender(db), body.language, scope.name, body, placeholders)
  })

  command(app, deps, saveMailText, 'office:mails.write', saveText)
  command(app, deps, restoreMailText, 'office:mails.write', restoreText)

  /** Counts and logs a search for an address, without the address itself. Called after the refusals. */
  const logAddressSearch = (tx: Tx, scope: OfficeScope, now: Date, mails: number) =>
    audit(tx, now, scope, 'mail.searched_by_address', { kind: 'mail', id: 'all' }, { mails })
  const countAddress = async (scope: OfficeScope, search: string) => {
    if (addressIn(search) === '') return false
    refuseAddress(scope, search)
    await deps.limits.take('contact-search.per-staff', String(scope.staffId))
    return true
  }

  serve(app, deps, mailQueue, 'office:mails.read', async ({ scope, query, now }) => {
    const byAddress = await countAddress(scope, query.search)
    const found = await queuedMails(db, scope, query)
    if (byAddress) await db.transaction().execute((tx) => logAddressSearch(tx, scope, now, found.total))
    return found
  })

  serve(app, deps, exportMails, 'office:mails.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    await countAddress(scope, filters.search)
    const mails = await db.transaction().execute(async (tx) => {
      const chosen = await mailsForFile(tx, scope, filters)
      const { state, search, mailing } = filters
      const used = { state, search: search === '' ? '' : '•••', ...(mailing === 0 ? {} : { mailing }) }
      const change = { format, mails: chosen.length, filters: used }
      await audit(tx, now, scope, 'mail.exported', { kind: 'mail', id: 'all' }, change)
      await notifyOfExport(tx, scope, now, 'the e-mails', chosen.length)
      return chosen
    })
    return { file: sheetFile(`E-mails ${body.state}`, columnsOf(body.state), mails, format) }
  })

  serve(app, deps, schoolMails, 'office:mails.read', async ({ scope, query }) => {
    await schoolRecord(db, scope, query.id)
    return schoolMailsOf(db, scope, query)
  })

  write(app, deps, reportBounce, 'mail-server', (tx, { body, now }) => takeBounce(tx, now, body))

  write(app, deps, resendMails, 'office:mails.write', (tx, { scope, body, now }) =>
    resend(tx, scope, now, body.ids),
  )
}
