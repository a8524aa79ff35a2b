import type { AnswerOf } from '@podium/contract/endpoint'
import type { officeMe } from '@podium/contract/staff/calls'
import type { AssignableKind, Assignee } from '@podium/contract/staff/calls-assignments'
import type { StaffMember, StaffSession } from '@podium/contract/staff/calls-people'
import { type RawBuilder, sql } from 'kysely'
import { mayDo, permissions } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import { sessionName } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { containing, instant } from '#platform/db/list-queries'
import { findRow, firstRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'

const alive = (now: Date) => sql`e.ended_at is null and e.idle_until > ${now} and e.expires_at > ${now}`

interface StaffQuery {
  search: string
  role: string
  state: string
}

/** Office users by name. There are dozens, so no paging. */
export async function staffPeople(db: Db | Tx, scope: OfficeScope, now: Date, query: StaffQuery) {
  const pattern = containing(query.search)
  const { rows } = await sql<Omit<StaffMember, 'self' | 'lastOwner'>>`
    select * from (
      select f.id, f.version, f.name, f.email as "emailId", f.role,
        case when f.disabled_at is not null then 'off' when f.password_hash is null then 'invited' else 'active' end as state,
        f.totp_secret is not null as "secondFactor", cardinality(f.recovery_codes) as "recoveryCodes",
        (select count(*) from sessions e where e.staff_id = f.id and ${alive(now)}) as sessions,
        (select ${instant(sql`max(e.last_seen_at)`)} from sessions e where e.staff_id = f.id) as "lastSeen",
        ${instant('f.created_at')} as since
      from staff f where lower(f.name) like ${pattern} or f.email like ${pattern}) m
    where (${query.role} = '' or m.role = ${query.role}) and (${query.state} = '' or m.state = ${query.state})
    order by lower(m.name), m.id limit 500`.execute(db)
  const owners = await ownersOf(db)
  return rows.map(
    (row): StaffMember => ({
      ...row,
      self: row.id === scope.staffId,
      lastOwner: owners.length === 1 && owners[0] === row.id,
    }),
  )
}

/** Ids of owners who can sign in; those with a pending invitation do not count. */
export async function ownersOf(db: Db | Tx): Promise<number[]> {
  const rows = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('password_hash', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** A user's active sessions, in the office and in school portals, newest first. */
export async function activeSessions(db: Db | Tx, scope: OfficeScope, now: Date, staffId: number) {
  const { rows } = await sql<{ hash: string; agent: string; since: Date; lastSeen: Date; school: string }>`
    select e.token_hash as hash, e.agent, e.created_at as since, e.last_seen_at as "lastSeen", coalesce(c.name, '') as school
    from sessions e
      left join acting_sessions v on v.id = e.acting_session_id
      left join schools c on c.id = v.school_id
    where (e.staff_id = ${staffId} or v.staff_id = ${staffId}) and ${alive(now)}
    order by e.last_seen_at desc, e.created_at desc limit 100`.execute(db)
  return rows.map((row) => ({ ...row, name: sessionName(row.hash), current: row.hash === scope.session }))
}

/** The same, as shown on screen. */
export async function shownSessions(db: Db, scope: OfficeScope, now: Date, staffId: number) {
  return (await activeSessions(db, scope, now, staffId)).map(
    ({ name, current, agent, since, lastSeen, school }): StaffSession => ({
      id: name,
      current,
      agent,
      since: since.toISOString(),
      lastSeen: lastSeen.toISOString(),
      school,
    }),
  )
}

/** How many recovery codes the caller has left. */
export async function recoveryCodesLeft(db: Db, scope: OfficeScope): Promise<number> {
  const row = await firstRow(db, 'staff', { id: scope.staffId }, ['recovery_codes'])
  return row?.recovery_codes.length ?? 0
}

/** All seasons, newest first, for the selector in the header. */
export async function seasonLabels(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('seasons').select('label').orderBy('label', 'desc').execute()
  return rows.map(({ label }) => label)
}

/**
 * SQL: the debit `bank_debits d` returned the money of `bank_lines l`: it has the same account and amount, is within ten days,
 * and has the line's UTR or one named in its narration.
 */
export const returnedBy = sql`d.account_no = l.account_no and d.amount = l.amount
  and d.day between l.day and l.day + 10 and l.day between d.day - 10 and d.day
  and (d.utr = ltrim(l.utr, '0') or position(lower(d.utr) in l.search_key) > 0)`

/** SQL: the bank has returned the money of a matched `bank_lines l`, and no one has decided about its payments yet. */
export const isReturnUndecided = sql<boolean>`(l.state = 'booked' and l.returned_decided_at is null
  and exists (select from bank_debits d where ${returnedBy}))`

/** SQL: the days of all lines to decide: open ones, and matched ones that wait because the bank returned their money. */
export const daysToDecide = sql`
  select day from bank_lines where state = 'open' union all
  select day from (select distinct l.id, l.day from bank_debits d join bank_lines l on ${returnedBy}
    where l.state = 'booked' and l.returned_decided_at is null) l`

/** Counts of open work, shown in the office menu. */
export async function countWaiting(db: Db): Promise<AnswerOf<typeof officeMe>['waiting']> {
  const { rows } = await sql<AnswerOf<typeof officeMe>['waiting']>`
    select (select count(*) from applications where state_of_review = 'submitted') as applications,
           (select count(*) from payments where state = 'pending') as payments,
           (select count(*) from contacts where confirmed_at is null and active) as contacts,
           (select count(*) from waivers where state = 'asked') as waivers,
           (select count(*) from (${daysToDecide}) l) as "bankLines",
           (select count(*) from refunds where state = 'proposed') as refunds,
           (select count(*) from bank_account_changes where state = 'proposed') as accounts`.execute(db)
  return (
    rows[0] ?? {
      applications: 0,
      payments: 0,
      contacts: 0,
      waivers: 0,
      bankLines: 0,
      refunds: 0,
      accounts: 0,
    }
  )
}

/**
 * The second person of a two-person decision must have been in the office when it was proposed; otherwise anyone who can
 * invite users could create one for the purpose. Refuses with `second.too_new`.
 */
export async function refuseRecentJoiner(tx: Tx, scope: OfficeScope, proposedAt: Date): Promise<void> {
  const { created_at } = await findRow(tx, 'staff', { id: scope.staffId }, ['created_at'])
  if (created_at > proposedAt) throw new Refusal('second.too_new')
}

/** SQL: whether the caller joined the office after an instant, so that the screen can say so beforehand. */
export const joinedAfter = (scope: OfficeScope, proposedAt: RawBuilder<unknown>) => sql<boolean>`
  coalesce((select me.created_at > ${proposedAt} from staff me where me.id = ${scope.staffId}), false)`

/** For each kind of work: who may read and decide it, the refusal once it is decided, and the audit action. */
export const kinds = {
  payment: {
    read: 'payments.read',
    decide: 'payments.decide',
    decided: 'payments.decided',
    assigned: 'payment.assigned',
  },
  application: {
    read: 'schools.read',
    decide: 'schools.decide',
    decided: 'application.decided',
    assigned: 'application.assigned',
  },
  question: {
    read: 'questions.read',
    decide: 'questions.write',
    decided: 'questions.reviewed',
    assigned: 'question.assigned',
  },
  'bank-line': {
    read: 'payments.read',
    decide: 'payments.decide',
    decided: 'bank.decided',
    assigned: 'bank.assigned',
  },
} as const

/** The assignee of an item as a column; `item` is the SQL for its id: `p.id`. */
export const assigneeOf = (kind: AssignableKind, item: string): RawBuilder<Assignee> => sql`(
  select json_build_object('staffId', g.staff_id, 'name', s.name) from assignments g join staff s on s.id = g.staff_id
  where g.kind = ${kind} and g.item_id = ${sql.ref(item)})`

/** SQL condition: assigned to the caller (`me`), to no one (`none`) or to an officer by id; always true without a filter. */
export function isAssigned(
  scope: OfficeScope,
  kind: AssignableKind,
  item: string,
  filter: string | undefined,
): RawBuilder<boolean> {
  if (filter === undefined) return sql`true`
  const assigned = sql`exists (select from assignments g where g.kind = ${kind} and g.item_id = ${sql.ref(item)}`
  if (filter === 'none') return sql`not ${assigned})`
  return sql`${assigned} and g.staff_id = ${filter === 'me' ? scope.staffId : Number(filter)})`
}

/** Refuses callers who may not read this kind. */
function refuseReader(scope: OfficeScope, kind: AssignableKind): void {
  if (!mayDo(scope.role, kinds[kind].read)) throw new Refusal('access.denied')
}

/** Officers who may decide on this kind, by name, plus anyone else still assigned to it, who has left or changed role. */
export async function assigneesOf(db: Db, scope: OfficeScope, kind: AssignableKind) {
  refuseReader(scope, kind)
  const decides = sql`s.disabled_at is null and s.role = any(${[...permissions[kinds[kind].decide]]}::text[])`
  const { rows } = await sql<{ staffId: number; name: string; decides: boolean }>`
    select s.id as "staffId", s.name, ${decides} as decides from staff s
    where ${decides} or exists (select from assignments g where g.staff_id = s.id and g.kind = ${kind})
    order by s.name, s.id`.execute(db)
  return rows
}

/** Milliseconds for which an officer counts as viewing an item; the screen reports more often than that. */
const viewingMs = 45_000

/**
 * Stores which items an officer who may decide has open, and returns who else has any of them open. Not logged: it is of
 * no interest later.
 */
export async function recordViewing(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { kind, ids }: { kind: AssignableKind; ids: readonly number[] },
): Promise<string[]> {
  refuseReader(scope, kind)
  const { rows } = await sql<{ name: string }>`
    with mine as (
      insert into staff_looks (staff_id, kind, item_id, beside, seen_at)
      select ${scope.staffId}::bigint, ${kind}, ${ids[0]}::bigint, ${ids.slice(1)}::bigint[], ${now}::timestamptz
      where ${mayDo(scope.role, kinds[kind].decide)}
      on conflict (staff_id) do update
      set kind = excluded.kind, item_id = excluded.item_id, beside = excluded.beside,
        seen_at = excluded.seen_at)
    select s.name from staff_looks l join staff s on s.id = l.staff_id
    where l.kind = ${kind} and (l.item_id = any(${ids}::bigint[]) or l.beside && ${ids}::bigint[])
      and l.staff_id <> ${scope.staffId} and l.seen_at > ${new Date(now.getTime() - viewingMs)}
    order by s.name`.execute(db)
  return rows.map(({ name }) => name)
}
