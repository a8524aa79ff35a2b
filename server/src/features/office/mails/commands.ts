import type { ParsedQuery } from '@podium/contract/endpoint'
import { emailPattern } from '@podium/contract/fields'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import type { reportBounce } from '@podium/contract/office/calls-bounces'
import type {
  MailTemplate,
  MailView,
  mailQueue,
  QueuedMail,
  SchoolMail,
} from '@podium/contract/office/calls-mails'
import { findMailKinds, type MailKind } from '@podium/contract/office/words'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import { type OfficeScope, systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { errorText, toOneLine } from '#platform/jobs/outbox'
import { markForWake } from '#platform/jobs/worker'
import { markBounced, parseMessageId } from '#platform/mail/bounces'
import { mailTextIn } from '#platform/mail/mail-templates'
import { type MailTextKind, mailTextDefinition, mailTextKind, mailTexts } from '#platform/mail/mail-texts'
import { findPlaceholders } from '#platform/words'

type Report = z.output<typeof reportBounce.body>

/**
 * Stores the mail provider's report about an e-mail: that it bounced, or that it was delivered, which clears the address.
 * Temporary failures are ignored, as are unknown e-mails.
 */
export async function takeBounce(tx: Tx, now: Date, report: Report): Promise<void> {
  const { messageId, recipient, status } = report
  const named = parseMessageId(messageId)
  const mail = await tx
    .selectFrom('outbox')
    .select(['id', 'key', 'kind', 'school_id'])
    .where('id', '=', named?.id ?? 0)
    .where('done_at', 'is not', null)
    .executeTakeFirst()
  if (!mail || !named?.has(mail.key)) return
  // The provider's clock may be ahead of ours.
  const at = new Date(Math.min(Date.parse(report.at), now.getTime()))
  if (status.startsWith('2.'))
    await tx.deleteFrom('bounced_addresses').where('address', '=', recipient).where('at', '<', at).execute()
  if (!status.startsWith('5.')) return
  const reason = toOneLine(errorText(report.reason))
  const inserted = await tx
    .insertInto('mail_bounces')
    .values({ outbox_id: mail.id, at, status, reason })
    .onConflict((conflict) => conflict.doNothing())
    .returning('outbox_id')
    .executeTakeFirst()
  if (!inserted) return
  await markBounced(tx, { outboxId: mail.id, address: recipient, status, at })
  const subject = {
    kind: 'mail',
    id: mail.id,
    ...(mail.school_id === null ? {} : { schoolId: mail.school_id }),
  }
  await audit(tx, now, systemScope('Mail server'), 'mail.bounced', subject, { kind: mail.kind, status })
}

interface TextKey {
  kind: string
  language: WrittenLanguage
}

interface TextInput extends TextKey {
  subject: string
  body: string
}

/** The kind of an e-mail text. Refuses unknown or missing placeholders at their field. */
export function checkedKind({ kind, subject, body }: TextInput): MailTextKind {
  const known = orNotFound(mailTextKind(kind))
  const { placeholders, needed } = mailTextDefinition(known)
  const strange = (text: string) => findPlaceholders(text).find((name) => !Object.hasOwn(placeholders, name))
  const bad = strange(subject)
  if (bad !== undefined) throw refuseField('subject', messages.mailPlaceholderUnknown)
  if (strange(body) !== undefined) throw refuseField('body', messages.mailPlaceholderUnknown)
  const named = findPlaceholders(body)
  if (needed.some((name) => !named.includes(name))) throw refuseField('body', messages.mailPlaceholderMissing)
  return known
}

/** Saves an e-mail text in one language, and returns its new version; `version` is 0 if it was the built-in text. */
export async function saveText(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: TextInput & { version: number },
): Promise<{ version: number }> {
  const kind = checkedKind(input)
  const { language, subject, body, version } = input
  const before = await tx
    .selectFrom('mail_texts')
    .select(['subject', 'body', 'version'])
    .where('kind', '=', kind)
    .where('language', '=', language)
    .forUpdate()
    .executeTakeFirst()
  if ((before?.version ?? 0) !== version) throw new Refusal('changed_meanwhile')
  const columns = { subject, body, changed_by: scope.staffId, changed_at: now, version: version + 1 }
  const saved = await tx
    .insertInto('mail_texts')
    .values({ kind, language, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'language']).doUpdateSet(columns).where('mail_texts.version', '=', version),
    )
    .returning('version')
    .executeTakeFirstOrThrow(() => new Refusal('changed_meanwhile'))
  const from = before ?? mailTextIn(language, kind)
  const change = { language, from: { subject: from.subject, body: from.body }, to: { subject, body } }
  await audit(tx, now, scope, 'mail_text.changed', { kind: 'mail_text', id: kind }, change)
  return saved
}

/** Restores the built-in text. */
export async function restoreText(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind: name, language, version }: TextKey & { version: number },
): Promise<void> {
  const kind = orNotFound(mailTextKind(name))
  const gone = await tx
    .deleteFrom('mail_texts')
    .where('kind', '=', kind)
    .where('language', '=', language)
    .where('version', '=', version)
    .returning(['subject', 'body'])
    .executeTakeFirstOrThrow(() => new Refusal('changed_meanwhile'))
  const builtIn = mailTextIn(language, kind)
  const change = { language, from: gone, to: { subject: builtIn.subject, body: builtIn.body } }
  await audit(tx, now, scope, 'mail_text.restored', { kind: 'mail_text', id: kind }, change)
}

/**
 * Sends failed e-mails again, except those whose content has expired. Refuses if none has failed or can be sent. The text of
 * e-mails that failed long ago is deleted.
 */
export async function resend(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  ids: readonly number[],
): Promise<{ resent: number }> {
  const { rows } = await sql<{ id: number; kind: string; school_id: number | null; error: string | null }>`
    with old as (
      select id, error from outbox where id = any(${ids}::bigint[]) and failed_at is not null and done_at is null
        and payload <> '{}' and kind <> all(${notAgain}::text[])
      order by id for update)
    update outbox o set failed_at = null, attempts = 0, due_at = ${now}, claimed_until = null, error = null
    from old where o.id = old.id returning o.id, o.kind, o.school_id, old.error`.execute(tx)
  if (rows.length === 0) {
    const expired = await sql`
      select from outbox
      where id = any(${ids}::bigint[]) and failed_at is not null and done_at is null limit 1`.execute(tx)
    throw new Refusal(expired.rows.length > 0 ? 'mails.expired' : 'mails.not_failed')
  }
  markForWake(tx)
  for (const { id, kind, school_id: schoolId, error } of rows) {
    const subject = { kind: 'mail', id, ...(schoolId === null ? {} : { schoolId }) }
    await audit(tx, now, scope, 'mail.resent', subject, { kind, error: error ?? '' })
  }
  return { resent: rows.length }
}

/** Kinds with a code or link that has expired or been replaced by the time an e-mail fails. */
const notAgain: readonly string[] = ['otp', 'reset', 'staff', 'invitation'] satisfies MailKind[]

const pageSize = 50
const maxCounted = 10_000

const conditions = {
  all: sql`true`,
  failed: sql`o.failed_at is not null and o.done_at is null`,
  waiting: sql`o.done_at is null and o.failed_at is null`,
  sent: sql`o.done_at is not null and not exists (select from mail_bounces b where b.outbox_id = o.id)`,
  bounced: sql`o.id in (select outbox_id from mail_bounces)`,
}

/** SQL: why an e-mail bounced, with `left join mail_bounces b`. */
const comeBack = sql`case when position(b.status in b.reason) > 0 then b.reason else trim(b.status || ' ' || b.reason) end`

/** SQL: the status of e-mail `o`, with `left join mail_bounces b`. */
const stateOfMail = sql`case when b.at is not null then 'bounced' when o.done_at is not null then 'sent'
  when o.failed_at is not null then 'failed' else 'waiting' end`

type MailQuery = Omit<ParsedQuery<typeof mailQueue>, 'page'>

/** `a…@school.example`: enough to recognise the e-mail, too little to collect addresses. */
function masked(address: string): string {
  const [name = '', host = ''] = address.split('@')
  return address === '' ? '' : `${name.slice(0, 1)}…@${host}`
}

/** Kinds with codes or links, whose subject is not shown either. */
const secret = new Set(['otp', 'password', 'staff', 'account'])

/** The e-mail address in lower case, if the whole search is one; otherwise ''. */
export function addressIn(search: string): string {
  const address = search.trim().toLowerCase()
  return emailPattern.test(address) ? address : ''
}

/** Refuses a search for an address by roles that may not see addresses. */
export function refuseAddress({ role }: OfficeScope, search: string): void {
  if (search.includes('@') && !mayDo(role, 'mails.addresses')) throw new Refusal('mails.address_search')
}

/** Searches kinds by name and, for roles that may see addresses, a whole address; refuses addresses for others. */
function matching(scope: OfficeScope, search: string) {
  refuseAddress(scope, search)
  return { kinds: findMailKinds(search), address: addressIn(search) }
}

/**
 * SQL: the matching ids, from each part at most as many as are counted. Each kind and the address use an index of their own
 * and do not overlap. Addresses of sent e-mails are not stored.
 */
function chosen(
  scope: OfficeScope,
  { state, search, mailing }: MailQuery,
  window: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofMailing = mailing === 0 ? sql`` : sql` and o.mailing_id = ${mailing}`
  const mails = (condition: RawBuilder<unknown>) =>
    sql`select o.id from outbox o where ${condition}${ofMailing}`
  if (search === '') return sql`(${mails(conditions[state])} ${window})`
  const { kinds, address } = matching(scope, search)
  const open = [conditions.failed, conditions.waiting]
  // Each index of a kind or address has the e-mails of one of these parts.
  const states = state === 'all' ? [...open, sql`o.done_at is not null`] : [conditions[state]]
  const parts = kinds.flatMap((kind) =>
    states.map((condition) => sql`(${mails(condition)} and o.kind = ${kind} ${window})`),
  )
  if (address !== '' && state !== 'sent' && state !== 'bounced')
    for (const condition of state === 'all' ? open : states)
      parts.push(sql`(${mails(condition)} and (o.payload->'to'->>'address') = ${address}
        and o.kind <> all(${kinds}::text[]) ${window})`)
  return parts.length > 0 ? sql.join(parts, sql` union all `) : mails(sql`false`)
}

/** SQL: the subject of mailing `m` to school `s` after its text was deleted; amounts due at that time are not stored. */
const subjectOfMailing = sql`replace(replace(replace(replace(
  m.subject, '{school}', s.name), '{code}', s.code), '{season}', m.season), '{amount}', '₹ …')`

/** SQL: when the status of e-mail `o` began, or its next attempt is due. */
const changedAt = instant(sql`coalesce(b.at, o.done_at, o.failed_at, o.due_at)`)

async function mailsBy(
  db: Db | Tx,
  scope: OfficeScope,
  query: MailQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<QueuedMail[]> {
  const ids = chosen(scope, query, sql`order by o.id desc limit ${limit + offset}`)
  const { rows } = await sql<QueuedMail>`
    select o.id, o.kind, coalesce(o.payload->'to'->>'address', '') as "to",
      coalesce(o.payload->>'subject', ${subjectOfMailing}, '') as subject,
      ${stateOfMail} as state, o.attempts, ${instant('o.created_at')} as "createdAt", ${changedAt} as at,
      coalesce(${comeBack}, o.error, '') as error, coalesce(u.name, '') as name,
      case when s.id is not null then json_build_object('id', s.id, 'schCode', s.code, 'schName', s.name) end as school
    from (select id from (${ids}) c order by id desc limit ${limit} offset ${offset}) c
      join outbox o using (id) left join mail_bounces b on b.outbox_id = o.id
      left join users u on u.id = o.user_id left join schools s on s.id = o.school_id
      left join school_mailings m on m.id = o.mailing_id
    order by o.id desc`.execute(db)
  return rows.map((row) => ({ ...row, to: masked(row.to), subject: secret.has(row.kind) ? '' : row.subject }))
}

/** The newest e-mails that match the filters, as many as the list counts. */
export const mailsForFile = (tx: Tx, scope: OfficeScope, query: MailQuery) =>
  mailsBy(tx, scope, query, { limit: maxCounted, offset: 0 })

/** One page of the outbox by status, search and mailing, with the number of failed, returned and pending matches. */
export async function queuedMails(db: Db, scope: OfficeScope, query: MailQuery & { page: number }) {
  const offset = (Math.min(Math.max(1, query.page), maxCounted / pageSize) - 1) * pageSize
  const count = async (state: MailView) => {
    const all = chosen(scope, { ...query, state }, sql`limit ${maxCounted}`)
    const counted = await sql<{ n: number }>`
      select count(*) as n from (select from (${all}) c limit ${maxCounted}) x`.execute(db)
    return counted.rows[0]?.n ?? 0
  }
  const counts = {
    failed: await count('failed'),
    bounced: await count('bounced'),
    waiting: await count('waiting'),
  }
  return {
    data: await mailsBy(db, scope, query, { limit: pageSize, offset }),
    total: query.state === 'sent' || query.state === 'all' ? await count(query.state) : counts[query.state],
    pageSize,
    counts,
    mailing: await mailingOf(db, query.mailing),
  }
}

async function mailingOf(db: Db, id: number) {
  const { rows } = await sql<{ subject: string; at: string }>`
    select subject, ${instant('created_at')} as at from school_mailings where id = ${id}`.execute(db)
  return rows[0] ?? null
}

interface SchoolRow extends Omit<SchoolMail, 'can'> {
  hasText: boolean
  total: number
}

/** Whether the caller can send an e-mail again, or why not. */
function canResend({ role }: OfficeScope, { kind, state, hasText }: SchoolRow): SchoolMail['can'] {
  if (!mayDo(role, 'mails.write')) return 'access.denied'
  if (state !== 'failed') return 'mails.not_failed'
  return !hasText || notAgain.includes(kind) ? 'mails.expired' : true
}

/** A page of the e-mails to a school's staff, newest first. */
export async function schoolMailsOf(db: Db, scope: OfficeScope, query: { id: number; page: number }) {
  const { rows } = await sql<SchoolRow>`
    select o.id, o.kind, coalesce(o.payload->>'subject', ${subjectOfMailing}, '') as subject, coalesce(u.name, '') as name,
      coalesce(o.payload->'to'->>'address', '') as "to",
      ${stateOfMail} as state,
      ${instant('o.created_at')} as "createdAt", ${changedAt} as at,
      coalesce(${comeBack}, o.error, '') as error,
      o.payload <> '{}' as "hasText", count(*) over () as total
    from outbox o left join users u on u.id = o.user_id left join school_mailings m on m.id = o.mailing_id
      left join schools s on s.id = o.school_id left join mail_bounces b on b.outbox_id = o.id
    where o.school_id = ${query.id} order by o.id desc ${pageOf(query.page, pageSize)}`.execute(db)
  const data = rows.map((row): SchoolMail => {
    const { total: _, hasText: _hasText, ...mail } = row
    return {
      ...mail,
      to: masked(row.to),
      subject: secret.has(row.kind) ? '' : row.subject,
      can: canResend(scope, row),
    }
  })
  return { data, total: rows[0]?.total ?? 0, pageSize }
}

/** All editable e-mail texts, with who changed them. */
export async function allMailTexts(db: Db, _scope: OfficeScope): Promise<MailTemplate[]> {
  const written = await db
    .selectFrom('mail_texts as m')
    .innerJoin('staff as f', 'f.id', 'm.changed_by')
    .select(['m.kind', 'm.language', 'm.subject', 'm.body', 'm.version', 'm.changed_at', 'f.name'])
    .execute()
  const shown = (kind: MailTextKind, language: WrittenLanguage) => {
    const custom = written.find((item) => item.kind === kind && item.language === language)
    const { subject, body } = custom ?? mailTextIn(language, kind)
    return {
      subject,
      body,
      isCustom: custom !== undefined,
      version: custom?.version ?? 0,
      changedBy: custom?.name ?? '',
      changedAt: custom?.changed_at.toISOString() ?? null,
    }
  }
  return (Object.keys(mailTexts) as MailTextKind[]).map((kind) => ({
    kind,
    placeholders: Object.entries(mailTextDefinition(kind).placeholders).map(([name, example]) => ({
      name,
      example,
      needed: mailTextDefinition(kind).needed.includes(name),
    })),
    en: shown(kind, 'en'),
    hi: shown(kind, 'hi'),
  }))
}
