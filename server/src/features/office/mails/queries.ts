import { emailPattern } from '@podium/contract/fields'
import type { MailTemplate, QueuedMail, SchoolMail } from '@podium/contract/office/calls-mails'
import { type MailKind, mailsCalled } from '@podium/contract/office/words-mails'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import type { Language } from '#platform/mail/mail-templates'
import { type MailTextKind, mailTexts, ofMailText } from '#platform/mail/mail-texts'

/** A code or link in them has expired by the time a mail is given up, or has been replaced by a newer one. */
export const notAgain: readonly string[] = ['otp', 'reset', 'staff', 'invitation'] satisfies MailKind[]

const pageSize = 50
const mostCounted = 10_000

const conditions = {
  failed: sql`o.failed_at is not null and o.done_at is null`,
  waiting: sql`o.done_at is null and o.failed_at is null`,
  sent: sql`o.done_at is not null and not exists (select from mail_bounces b where b.outbox_id = o.id)`,
  bounced: sql`o.id in (select outbox_id from mail_bounces)`,
}

/** Why a mail came back, of `left join mail_bounces b`. */
const comeBack = sql`case when position(b.status in b.reason) > 0 then b.reason else trim(b.status || ' ' || b.reason) end`

interface Asked {
  state: QueuedMail['state']
  search: string
}

interface Row extends Omit<QueuedMail, 'createdAt' | 'at'> {
  createdAt: Date
  at: Date
}

/** `a…@school.example`: enough to know the mail by, not to collect addresses. */
function masked(address: string): string {
  const [name = '', host = ''] = address.split('@')
  return address === '' ? '' : `${name.slice(0, 1)}…@${host}`
}

/** Of mails that carry codes or links the subject stays inside, too. */
const secret = new Set(['otp', 'password', 'staff', 'account'])

/** The whole address that a search is, but for capitals; '' where it is none. */
export function addressIn(search: string): string {
  const address = search.trim().toLowerCase()
  return emailPattern.test(address) ? address : ''
}

/** Refuses to look for an address for who may not know any. */
export function refuseAddress({ role }: OfficeScope, search: string): void {
  if (search.includes('@') && !mayDo(role, 'mails.addresses')) throw new Refusal('mails.address_search')
}

/** Kinds by their names and, for who may know addresses, a whole one; refuses what is an address for all others. */
function sought(scope: OfficeScope, search: string) {
  refuseAddress(scope, search)
  return { kinds: mailsCalled(search), address: addressIn(search) }
}

/**
 * The ids of what is asked for, of each part as many as the window takes: each kind and the address are read from an index
 * of their own, and none is in two of them. The address of a mail that has left is not kept.
 */
function chosen(
  scope: OfficeScope,
  { state, search }: Asked,
  window: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const mails = sql`select o.id from outbox o where ${conditions[state]}`
  if (search === '') return sql`(${mails} ${window})`
  const { kinds, address } = sought(scope, search)
  const parts = kinds.map((kind) => sql`(${mails} and o.kind = ${kind} ${window})`)
  const to = sql`(o.payload->'to'->>'address')`
  if (address !== '' && state !== 'sent' && state !== 'bounced')
    parts.push(sql`(${mails} and ${to} = ${address}
      and o.kind <> all(${kinds}::text[]) ${window})`)
  return parts.length > 0 ? sql.join(parts, sql` union all `) : sql`${mails} and false`
}

interface Page {
  limit: number
  offset: number
}

async function mailsBy(
  db: Db | Tx,
  scope: OfficeScope,
  asked: Asked,
  { limit, offset }: Page,
): Promise<QueuedMail[]> {
  const ids = chosen(scope, asked, sql`order by o.id desc limit ${limit + offset}`)
  const { rows } = await sql<Row>`
    select o.id, o.kind, coalesce(o.payload->'to'->>'address', '') as "to", coalesce(o.payload->>'subject', '') as subject,
      ${asked.state} as state, o.attempts, o.created_at as "createdAt", coalesce(b.at, o.done_at, o.failed_at, o.due_at) as at,
      coalesce(${comeBack}, o.error, '') as error, coalesce(u.name, '') as name,
      case when s.id is not null then json_build_object('id', s.id, 'schCode', s.code, 'schName', s.name) end as school
    from (select id from (${ids}) c order by id desc limit ${limit} offset ${offset}) c
      join outbox o using (id) left join mail_bounces b on b.outbox_id = o.id
      left join users u on u.id = o.user_id left join schools s on s.id = o.school_id
    order by o.id desc`.execute(db)
  return rows.map((row) => ({
    ...row,
    to: masked(row.to),
    subject: secret.has(row.kind) ? '' : row.subject,
    createdAt: row.createdAt.toISOString(),
    at: row.at.toISOString(),
  }))
}

/** The newest mails that the filters leave, as many as the list counts. */
export const mailsForFile = (tx: Tx, scope: OfficeScope, asked: Asked) =>
  mailsBy(tx, scope, asked, { limit: mostCounted, offset: 0 })

/** One page of the outbox by state and search, and how many of those sought have failed and wait. */
export async function queuedMails(db: Db, scope: OfficeScope, query: Asked & { page: number }) {
  const offset = (Math.min(Math.max(1, query.page), mostCounted / pageSize) - 1) * pageSize
  const count = async (state: Asked['state']) => {
    const all = chosen(scope, { ...query, state }, sql`limit ${mostCounted}`)
    const counted = await sql<{ n: number }>`
      select count(*) as n from (select from (${all}) c limit ${mostCounted}) x`.execute(db)
    return counted.rows[0]?.n ?? 0
  }
  const counts = {
    failed: await count('failed'),
    bounced: await count('bounced'),
    waiting: await count('waiting'),
  }
  return {
    data: await mailsBy(db, scope, query, { limit: pageSize, offset }),
    total: query.state === 'sent' ? await count('sent') : counts[query.state],
    pageSize,
    counts,
  }
}

interface SchoolRow extends Omit<SchoolMail, 'createdAt' | 'at' | 'can'> {
  createdAt: Date
  at: Date
  kept: boolean
  total: number
}

/** The subject of one of the mails `m` to the school `s`, once its own text is deleted; what was due then is not kept. */
const subjectOfMailing = sql`replace(replace(replace(replace(
  m.subject, '{school}', s.name), '{code}', s.code), '{season}', m.season), '{amount}', '₹ …')`

/** Whether a mail can be sent again by somebody, or why not. */
function canResend({ role }: OfficeScope, { kind, state, kept }: SchoolRow): SchoolMail['can'] {
  if (!mayDo(role, 'mails.write')) return 'access.denied'
  if (state !== 'failed') return 'mails.not_failed'
  return !kept || notAgain.includes(kind) ? 'mails.expired' : true
}

/** A page of the mails to people of a school, the newest first. */
export async function schoolMailsOf(db: Db, scope: OfficeScope, query: { id: number; page: number }) {
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const { rows } = await sql<SchoolRow>`
    select o.id, o.kind, coalesce(o.payload->>'subject', ${subjectOfMailing}, '') as subject, coalesce(u.name, '') as name,
      coalesce(o.payload->'to'->>'address', '') as "to",
      case when b.at is not null then 'bounced' when o.done_at is not null then 'sent' when o.failed_at is not null then 'failed' else 'waiting' end as state,
      o.created_at as "createdAt", coalesce(b.at, o.done_at, o.failed_at, o.due_at) as at,
      coalesce(${comeBack}, o.error, '') as error,
      o.payload <> '{}' as kept, count(*) over () as total
    from outbox o left join users u on u.id = o.user_id left join school_mailings m on m.id = o.mailing_id
      left join schools s on s.id = o.school_id left join mail_bounces b on b.outbox_id = o.id
    where o.school_id = ${query.id} order by o.id desc limit ${pageSize} offset ${offset}`.execute(db)
  const data = rows.map((row): SchoolMail => {
    const { total: _, kept: _kept, createdAt, at, ...mail } = row
    return {
      ...mail,
      to: masked(row.to),
      subject: secret.has(row.kind) ? '' : row.subject,
      createdAt: createdAt.toISOString(),
      at: at.toISOString(),
      can: canResend(scope, row),
    }
  })
  return { data, total: rows[0]?.total ?? 0, pageSize }
}

/** All texts that the office can write, with who changed them. */
export async function allMailTexts(db: Db, _scope: OfficeScope): Promise<MailTemplate[]> {
  const written = await db
    .selectFrom('mail_texts as m')
    .innerJoin('staff as f', 'f.id', 'm.changed_by')
    .select(['m.kind', 'm.language', 'm.subject', 'm.body', 'm.version', 'm.changed_at', 'f.name'])
    .execute()
  const shown = (kind: MailTextKind, language: Language) => {
    const own = written.find((one) => one.kind === kind && one.language === language)
    const { subject, body } = own ?? ofMailText(kind)[language]
    return {
      subject,
      body,
      own: own !== undefined,
      version: own?.version ?? 0,
      changedBy: own?.name ?? '',
      changedAt: own?.changed_at.toISOString() ?? null,
    }
  }
  return (Object.keys(mailTexts) as MailTextKind[]).map((kind) => ({
    kind,
    placeholders: Object.entries(ofMailText(kind).placeholders).map(([name, example]) => ({
      name,
      example,
      needed: ofMailText(kind).needed.includes(name),
    })),
    en: shown(kind, 'en'),
    hi: shown(kind, 'hi'),
  }))
}
