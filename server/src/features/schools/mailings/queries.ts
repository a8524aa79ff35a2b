import type { ParsedQuery } from '@podium/contract/endpoint'
import { emailPattern } from '@podium/contract/fields'
import { formatRupees, rupeesOf } from '@podium/contract/money'
import type { reminderList } from '@podium/contract/office/calls-overview'
import type { Mailing, MailingPlaceholder, MailingReaders } from '@podium/contract/schools/calls-mailings'
import { addDays, istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { type LedgersQuery, ledgerSchools } from '#features/ledger/queries'
import { owed, type RegisterQuery, schoolsFound } from '#features/schools/register/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords, instant, pageOf } from '#platform/db/list-queries'
import { orNotFound, Refusal } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { type MailText, type RenderedMail, renderMailText, type Sender } from '#platform/mail/mail-templates'

/** The recipients of an e-mail: the given schools, otherwise all that match the filters, and which people at each. */
export interface MailingChoice extends Omit<RegisterQuery, 'sort'> {
  list: '' | 'ledger' | 'reminders'
  balance: LedgersQuery['status']
  step: ReminderQuery['step']
  within: ReminderQuery['within']
  ids: string
  readers: MailingReaders
}

/** SQL: `from schools o … where …` for the chosen schools, active or not. */
async function chosenSchools(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  choice: MailingChoice,
): Promise<RawBuilder<unknown>> {
  const { ids, readers: _, list, balance, step, within, ...filters } = choice
  if (ids === '' && list === '') return schoolsFound(db, scope, now, filters)
  const { FYear, search, state } = filters
  const chosen =
    ids !== ''
      ? sql`select unnest(${ids.split(',').map(Number)}::bigint[])`
      : list === 'ledger'
        ? ledgerSchools({ FYear, search, state, status: balance })
        : reminderSchools(now, { FYear, search, state, step, within })
  return sql`from schools o where o.merged_into is null and o.id in (${chosen})`
}

/**
 * SQL: the recipients at school `o` as rows `name, email`: its coordinators, or all users who can sign in if there is none or
 * all are wanted; the school's own address if no one can.
 */
const readersOf = (readers: MailingReaders) => sql`
  select u.name, u.email from users u
  where u.school_id = o.id and u.disabled_at is null and (${readers === 'everyone'} or u.coordinator or not exists (
    select from users c where c.school_id = o.id and c.coordinator and c.disabled_at is null))
  union all
  select o.name, lower(o.email) where lower(o.email) ~ ${emailPattern.source} and length(o.email) <= 254
    and not exists (select from users u where u.school_id = o.id and u.disabled_at is null)`

/** How many schools and people an e-mail would reach, and which schools it would not. */
export async function planOf(db: Db | Tx, scope: OfficeScope, now: Date, choice: MailingChoice) {
  const { rows } = await sql<Record<'schools' | 'mails' | 'bounced' | 'off' | 'unreachable', number>>`
    select count(*) filter (where o.active and r.n > 0)::int as schools,
      coalesce(sum(r.n) filter (where o.active), 0)::int as mails,
      coalesce(sum(r.bounced) filter (where o.active), 0)::int as bounced,
      count(*) filter (where not o.active)::int as off,
      count(*) filter (where o.active and r.n = 0)::int as unreachable
    from (select o.id, o.name, o.email, o.active ${await chosenSchools(db, scope, now, choice)}) o
      cross join lateral (
        select count(*) as n, count(b.address) as bounced from (${readersOf(choice.readers)}) x (name, email)
          left join bounced_addresses b on b.address = x.email) r`.execute(db)
  return orNotFound(rows[0])
}

/** Ids of the schools that get it, by name. */
export async function schoolsMailed(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  choice: MailingChoice,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id
    from (select o.id, o.name, o.email, o.active, o.name_key ${await chosenSchools(db, scope, now, choice)}) o
    where o.active and exists (${readersOf(choice.readers)})
    order by o.name_key, o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A school with the values for its e-mail and its recipients. */
interface MailedSchool {
  id: number
  code: string
  name: string
  due: number
  readers: { name: string; email: string }[]
}

/** Reads those of the schools that are still active, in one query. */
export async function mailedSchools(
  db: Db | Tx,
  ids: readonly number[],
  { season, readers }: { season: Season; readers: MailingReaders },
): Promise<MailedSchool[]> {
  const { rows } = await sql<MailedSchool>`
    select o.id, o.code, o.name, ${owed(season)}::bigint as due,
      coalesce((select json_agg(r) from (${readersOf(readers)}) r), '[]') as readers
    from schools o where o.id = any(${[...ids]}::bigint[]) and o.active and o.merged_into is null
    order by o.id`.execute(db)
  return rows
}

export interface Letter extends MailText {
  season: Season
  /** The address where schools sign in */
  link: string
}

/** Renders the e-mail to one recipient. Greeting and closing are in Hindi if the text is. */
export function letterTo(sender: Sender, letter: Letter, school: MailedSchool, name: string): RenderedMail {
  const values: Record<MailingPlaceholder, string> = {
    school: school.name,
    code: school.code,
    amount: formatRupees(rupeesOf(school.due)),
    season: letter.season,
    link: letter.link,
  }
  return renderMailText(
    sender,
    /\p{Script=Devanagari}/u.test(letter.body) ? 'hi' : 'en',
    name,
    letter,
    values,
  )
}

/** The e-mail as the school at this position would get it. */
export async function previewAt(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  { choice, letter, at }: { choice: MailingChoice; letter: Letter; at: number },
) {
  const ids = await schoolsMailed(db, scope, now, choice)
  if (ids.length === 0) throw new Refusal('mailings.none')
  const id = ids[Math.min(at, ids.length - 1)] ?? 0
  const [school] = await mailedSchools(db, [id], { season: letter.season, readers: choice.readers })
  const found = orNotFound(school)
  const to = found.readers.map(({ name }) => name)
  const mail = letterTo(await mailSender(db), letter, found, to[0] ?? '')
  return { school: found.name, schCode: found.code, to, ...mail }
}

const pageSize = 20

interface Row extends Omit<Mailing, 'state'> {
  jobState: string | null
  total: number
}

/** A page of the e-mails sent to many schools, newest first. */
export async function mailingsSent(db: Db, _scope: OfficeScope, page: number) {
  const { rows } = await sql<Row>`
    select m.id, m.season as "FYear", m.subject, m.body, m.readers, m.filters, s.name as by, ${instant('m.created_at')} as at,
      x.schools, x.done, x.left, x.mails, j.state as "jobState", count(*) over () as total,
      coalesce(w.n, 0)::int as waiting, coalesce(f.n, 0)::int as failed, coalesce(b.n, 0)::int as returned
    from school_mailings m join staff s on s.id = m.created_by left join jobs j on j.id = m.job_id
      cross join lateral (
        select count(*)::int as schools, count(k.mails)::int as done, (count(*) filter (where k.mails = 0))::int as left,
          coalesce(sum(k.mails), 0)::int as mails
        from school_mailing_schools k where k.mailing_id = m.id) x
      left join (
        select mailing_id, count(*) as n from outbox
        where kind = 'mailing' and done_at is null and failed_at is null group by mailing_id) w on w.mailing_id = m.id
      left join (
        select mailing_id, count(*) as n from outbox
        where kind = 'mailing' and failed_at is not null group by mailing_id) f on f.mailing_id = m.id
      left join (
        select o.mailing_id, count(*) as n from mail_bounces b
          cross join lateral (select mailing_id from outbox where id = b.outbox_id and kind = 'mailing' limit 1) o
        group by o.mailing_id) b on b.mailing_id = m.id
    order by m.id desc ${pageOf(page, pageSize)}`.execute(db)
  const data = rows.map(({ total: _, jobState, ...row }): Mailing => {
    const busy = jobState === 'waiting' || jobState === 'running'
    const state = row.done === row.schools ? 'sent' : busy ? 'sending' : 'stopped'
    return { ...row, state }
  })
  return { data, total: rows[0]?.total ?? 0, pageSize }
}

export type ReminderQuery = Omit<ParsedQuery<typeof reminderList>, 'page'>

/** SQL: rows of `school_steps k` with their school `o` that match the filters. */
export function stepFilter(today: string, query: ReminderQuery): RawBuilder<unknown> {
  const { FYear, search, step, state, within } = query
  const conditions = [sql`k.season = ${FYear}`, sql`o.active`]
  if (search !== '') conditions.push(hasWords(search, sql`o.search_key`))
  if (step !== '') conditions.push(sql`k.step = ${step}`)
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (within === 'over') conditions.push(sql`k.until < ${today}::date`)
  else if (within !== '')
    conditions.push(sql`k.until between ${today}::date and ${addDays(today, Number(within))}::date`)
  return sql.join(conditions, sql` and `)
}

/** SQL: ids of the schools that match the filters. */
const reminderSchools = (now: Date, query: ReminderQuery): RawBuilder<unknown> => sql`
  select k.school_id from school_steps k join schools o on o.id = k.school_id where ${stepFilter(istDay(now), query)}`
