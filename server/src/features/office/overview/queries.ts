import { paise, rupees } from '@podium/contract/money'
import type { NextStepKind, NudgeRow, SeasonFigures } from '@podium/contract/office/calls-overview'
import { addDays, daysBetween, istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { searchWords } from '#features/schools/register/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx } from '#platform/db/database'
import type { KeptFigures } from './queries-figures.ts'

/** A season as it was counted last, amounts for who may read payments; undefined before the first count. */
export async function lastFigures(db: Db, scope: OfficeScope, season: Season) {
  const row = await db
    .selectFrom('season_figures')
    .select(['taken_at', 'figures'])
    .where('season', '=', season)
    .executeTakeFirst()
  if (!row) return undefined
  const kept = row.figures as unknown as KeptFigures
  return { takenAt: row.taken_at, students: kept.students, shown: shownFigures(scope, row.taken_at, kept) }
}

function shownFigures(scope: OfficeScope, takenAt: Date, kept: KeptFigures): SeasonFigures {
  const { received, verifying, outstanding, days, ...rest } = kept
  const inRupees = (amount: number) => rupees(paise(amount))
  const mayRead = mayDo(scope.role, 'payments.read')
  return {
    ...rest,
    takenAt: takenAt.toISOString(),
    money: mayRead
      ? {
          due: inRupees(received + verifying + outstanding),
          received: inRupees(received),
          verifying: inRupees(verifying),
          outstanding: inRupees(outstanding),
        }
      : null,
    days: days.map((one) => ({ ...one, received: mayRead ? inRupees(one.received) : 0 })),
  }
}

export const pageSize = 50
/** A school is not reminded twice within so many days. */
export const restDays = 3

interface Asked {
  FYear: Season
  search: string
  step: '' | NextStepKind
  state: string
  within: '' | 'over' | '3' | '7' | '30'
}

interface Row extends Omit<NudgeRow, 'daysLeft' | 'due' | 'lastNudge' | 'can'> {
  owed: number
  nudgedAt: Date | null
  nudgedBy: string | null
}

function conditionsOf(today: string, asked: Asked): RawBuilder<unknown> {
  const { FYear, search, step, state, within } = asked
  const conditions = [sql`k.season = ${FYear}`, sql`o.active`]
  if (search !== '') {
    const words = searchWords(search)
    if (words.length === 0) conditions.push(sql`false`)
    // Folded words have no character that LIKE would take for a pattern.
    for (const word of words) conditions.push(sql`o.search_key like ${`%${word}%`}`)
  }
  if (step !== '') conditions.push(sql`k.step = ${step}`)
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (within === 'over') conditions.push(sql`k.until < ${today}::date`)
  else if (within !== '')
    conditions.push(sql`k.until between ${today}::date and ${addDays(today, Number(within))}::date`)
  return sql.join(conditions, sql` and `)
}

/** Schools by their next step as it was counted last, those with the least time first. */
async function nudgesBy(
  db: ReadDb,
  scope: OfficeScope,
  now: Date,
  asked: Asked,
  window: RawBuilder<unknown>,
): Promise<NudgeRow[]> {
  const today = istDay(now)
  const { rows } = await sql<Row>`
    select o.id, o.code as "schCode", o.name as "schName", o.city, o.state, k.step, k.until::text as until, k.students,
      k.due as owed, (select count(*) from users u where u.school_id = o.id and u.disabled_at is null) as people,
      n.sent_at as "nudgedAt", f.name as "nudgedBy"
    from (
      select k.* from school_steps k join schools o on o.id = k.school_id
      where ${conditionsOf(today, asked)} order by k.until nulls last, k.school_id ${window}) k
      join schools o on o.id = k.school_id
      left join lateral (
        select sent_at, sent_by from school_nudges n where n.school_id = o.id order by sent_at desc limit 1) n on true
      left join staff f on f.id = n.sent_by
    order by k.until nulls last, k.school_id`.execute(db)
  const rest = new Date(now.getTime() - restDays * 86_400_000)
  const mayRead = mayDo(scope.role, 'payments.read')
  return rows.map(
    ({ owed, nudgedAt, nudgedBy, ...row }): NudgeRow => ({
      ...row,
      daysLeft: row.until === null ? null : daysBetween(today, row.until),
      due: mayRead ? rupees(paise(owed)) : null,
      lastNudge: nudgedAt === null ? null : { at: nudgedAt.toISOString(), by: nudgedBy ?? '' },
      can: row.people === 0 ? 'nobody' : nudgedAt !== null && nudgedAt > rest ? 'recent' : true,
    }),
  )
}

/** One page of the schools that need a nudge, and how many there are. */
export async function schoolsToNudge(db: Db, scope: OfficeScope, now: Date, asked: Asked & { page: number }) {
  const window = sql`limit ${pageSize} offset ${(Math.max(1, asked.page) - 1) * pageSize}`
  const data = await nudgesBy(db, scope, now, asked, window)
  const counted = await sql<{ total: number }>`
    select count(*) as total from school_steps k join schools o on o.id = k.school_id
    where ${conditionsOf(istDay(now), asked)}`.execute(db)
  return { data, total: counted.rows[0]?.total ?? 0, pageSize }
}

/** All schools that the filters leave, for a file. */
export async function allToNudge(tx: ReadTx, scope: OfficeScope, now: Date, asked: Asked) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return nudgesBy(tx, scope, now, asked, sql``)
}
