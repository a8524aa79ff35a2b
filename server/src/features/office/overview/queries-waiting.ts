import type { SeasonalWaiting } from '@podium/contract/office/calls-overview'
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { followUpDue } from '#features/schools/notes/queries'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadDb } from '#platform/db/database'

/** Requests about the data of children that are not done. */
const underWay = sql`state in ('asked', 'checked', 'working')`

/** What belongs to no season. */
const countsAt = (now: Date) =>
  ({
    applications: [
      'schools.read',
      sql`select count(*) from applications where state_of_review = 'submitted'`,
    ],
    contacts: ['schools.read', sql`select count(*) from contacts where confirmed_at is null`],
    refunds: ['payments.read', sql`select count(*) from refunds where state = 'proposed'`],
    accounts: ['payments.read', sql`select count(*) from bank_account_changes where state = 'proposed'`],
    requests: ['privacy.read', sql`select count(*) from data_requests where ${underWay}`],
    mails: ['mails.read', sql`select count(*) from outbox where failed_at is not null`],
    incidents: ['incidents.read', sql`select count(*) from incidents where state = 'open'`],
    followUps: [
      'schools.read',
      sql`select count(distinct n.school_id) from school_notes n where ${followUpDue(now)}`,
    ],
  }) as const satisfies Record<string, readonly [Permission, ReturnType<typeof sql>]>

/** What waits in seasons, by the year in which they begin: closed seasons, too, have what nobody has decided. */
const seasonal = {
  payments: [
    'payments.read',
    sql`select left(season, 4)::int as year, count(*) as n from payments where state = 'pending' group by year`,
  ],
  bankLines: [
    'payments.read',
    sql`select extract(year from day - interval '3 months')::int as year, count(*) as n
      from bank_lines where state = 'open' group by year`,
  ],
  packets: [
    'dispatch.read',
    sql`select left(season, 4)::int as year, count(distinct school_id) as n from dispatch_sums where due > 0 group by year`,
  ],
  waivers: [
    'payments.read',
    sql`select left(season, 4)::int as year, count(*) as n from waivers where state = 'asked' group by year`,
  ],
  questions: [
    'schools.read',
    sql`select left(season, 4)::int as year, count(*) as n from teacher_questions where state = 'sent' group by year`,
  ],
  results: [
    'results.read',
    sql`select left(e.season, 4)::int as year, count(*) as n
      from result_sets s join events e on e.id = s.event_id where s.state = 'computed' group by year`,
  ],
  nextLevel: [
    'results.read',
    sql`select left(season, 4)::int as year, count(*) as n
      from next_level_rounds where approved_at is null group by year`,
  ],
} as const satisfies Record<string, readonly [Permission, ReturnType<typeof sql>]>

/** Since when the oldest has been there; parcels are counted by school and have no day. */
const sinceAt = (now: Date) =>
  ({
    applications: sql`select min(submitted_at) from applications where state_of_review = 'submitted'`,
    contacts: sql`select min(created_at) from contacts where confirmed_at is null`,
    refunds: sql`select min(proposed_at) from refunds where state = 'proposed'`,
    accounts: sql`select min(proposed_at) from bank_account_changes where state = 'proposed'`,
    requests: sql`select min(asked_at) from data_requests where ${underWay}`,
    nextLevel: sql`select min(made_at) from next_level_rounds where approved_at is null`,
    mails: sql`select min(failed_at) from outbox where failed_at is not null`,
    followUps: sql`select min(n.follow_up)::timestamp at time zone 'Asia/Kolkata' from school_notes n where ${followUpDue(now)}`,
    incidents: sql`select min(opened_at) from incidents where state = 'open'`,
    payments: sql`select min(submitted_at) from payments where state = 'pending'`,
    bankLines: sql`select min(day)::timestamp at time zone 'Asia/Kolkata' from bank_lines where state = 'open'`,
    waivers: sql`select min(asked_at) from waivers where state = 'asked'`,
    questions: sql`select min(created_at) from teacher_questions where state = 'sent'`,
    results: sql`select min(computed_at) from result_sets where state = 'computed'`,
  }) as const satisfies Partial<Record<Kind | SeasonalKind, ReturnType<typeof sql>>>

type Kind = keyof ReturnType<typeof countsAt>
type SeasonalKind = keyof typeof seasonal

/** How much of each kind waits for the office; null where the role may not read it. */
export async function waitingFor(db: ReadDb, scope: OfficeScope, now: Date) {
  const counts = countsAt(now)
  const sources: Readonly<Record<string, readonly [Permission, unknown]>> = { ...counts, ...seasonal }
  const reads = (permission: Permission) => mayDo(scope.role, permission)
  const columns = Object.entries(counts).map(([kind, [permission, count]]) =>
    reads(permission) ? sql`(${count}) as ${sql.ref(kind)}` : sql`null::bigint as ${sql.ref(kind)}`,
  )
  const inSeasons = Object.entries(seasonal).flatMap(([kind, [permission, count]]) =>
    reads(permission) ? [sql`select ${kind}::text as kind, year, n from (${count}) x`] : [],
  )
  const known = Object.entries(sinceAt(now)).filter(([kind]) => sources[kind] && reads(sources[kind][0]))
  const { rows } = await sql<Record<Kind, number | null>>`select ${sql.join(columns)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('counts always have a row')
  const parts = inSeasons.length === 0 ? [] : await seasonsOf(db, inSeasons)
  const of = (kind: SeasonalKind): SeasonalWaiting[] | null =>
    reads(seasonal[kind][0])
      ? parts.filter((part) => part.kind === kind).map(({ year, n }) => ({ FYear: seasonOfYear(year), n }))
      : null
  return {
    ...found,
    oldest: await oldestOf(db, known),
    payments: of('payments'),
    bankLines: of('bankLines'),
    packets: of('packets'),
    waivers: of('waivers'),
    questions: of('questions'),
    results: of('results'),
    nextLevel: of('nextLevel'),
  }
}

async function oldestOf(db: ReadDb, known: readonly (readonly [string, ReturnType<typeof sql>])[]) {
  if (known.length === 0) return {}
  const columns = known.map(([kind, query]) => sql`(${query}) as ${sql.ref(kind)}`)
  const { rows } = await sql<Record<string, Date | null>>`select ${sql.join(columns)}`.execute(db)
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).flatMap(([kind, at]) => (at === null ? [] : [[kind, at.toISOString()]])),
  )
}

interface Part {
  kind: string
  year: number
  n: number
}

async function seasonsOf(db: ReadDb, inSeasons: readonly ReturnType<typeof sql>[]): Promise<Part[]> {
  const { rows } = await sql<Part>`${sql.join(inSeasons, sql` union all `)} order by year desc`.execute(db)
  return rows
}
