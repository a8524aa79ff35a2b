import type { OfficeSeason } from '@podium/contract/catalogue/calls-seasons'
import { istDay, parseSeason, type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { shareRule } from '@podium/contract/students/rules-fee'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { keptSeasons } from '#features/office/overview/queries-cached'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/** What a role may do here: true, or the code of the reason why not. */
export function allowances(scope: OfficeScope) {
  const may = (permission: 'catalogue.write' | 'catalogue.rules') =>
    mayDo(scope.role, permission) ? (true as const) : 'access.denied'
  return { write: may('catalogue.write'), rules: may('catalogue.rules') }
}

/** Events of level 1 that a school could not enter: without prices, or offline without two dates. */
export const incompleteEvents = (season: Season | RawBuilder<unknown>) => sql`(
  select count(*)::int from events e where e.season = ${season} and e.level = 1 and (
    not exists (select from event_fees f where f.event_id = e.id)
    or e.mode = 'Offline' and (select count(*) from exam_dates d where d.event_id = e.id) < 2))`

/** All seasons, the newest first, with what is in them: of large ones as it was counted last. */
export async function officeSeasons(db: Db, _scope: OfficeScope): Promise<OfficeSeason[]> {
  const { rows } = await sql<
    Omit<OfficeSeason, 'share' | keyof Sums> & { share: unknown; kept: Sums | null }
  >`
    select s.label as "FYear", s.state, s.version, s.fee_due_on as "feeDueOn", s.results_from as "resultsFrom",
      s.date_choice_days as "dateChoiceDays", s.share_rule as share,
      (select count(*)::int from events e where e.season = s.label) as events,
      ${incompleteEvents(sql`s.label`)} as incomplete, (
        select jsonb_build_object('students', k.figures->'students', 'paid', k.figures->'paid',
          'schools', k.figures->'entered', 'enrolments', k.figures->'entries')
        from season_figures k where k.season = s.label and k.season in ${keptSeasons}) as kept
    from seasons s order by s.label desc`.execute(db)
  const seasons = []
  for (const row of rows) {
    const { kept, share, ...season } = row
    const sums = kept ?? (await sumsOf(db, season.FYear))
    seasons.push({ ...season, ...sums, share: z.parse(shareRule, share) })
  }
  return seasons
}

type Sums = Pick<OfficeSeason, 'students' | 'paid' | 'schools' | 'enrolments'>

async function sumsOf(db: Db, season: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*)::int as students, count(*) filter (where paid)::int as paid, count(distinct school_id)::int as schools,
      coalesce(sum(case when letters = '' then 0 else 1 + length(letters) - length(replace(letters, ',', '')) end), 0)::int as enrolments
    from students where season = ${season} and active`.execute(db)
  return rows[0] ?? { students: 0, paid: 0, schools: 0, enrolments: 0 }
}

/**
 * The season that can be opened next: the one after the newest that there is, and at most the one after the current.
 * Null when it is there already.
 */
export function nextSeason(labels: readonly string[], now: Date): { FYear: Season; from: Season } | null {
  const known = labels.map((label) => parseSeason(label)).filter((label) => label !== undefined)
  const thisYear = Number(istDay(now).slice(0, 4)) - (istDay(now).slice(5) < '04-01' ? 1 : 0)
  const newest = known
    .filter((label) => seasonYear(label) <= thisYear + 1)
    .toSorted()
    .at(-1)
  if (!newest || seasonYear(newest) > thisYear) return null
  return { FYear: seasonOfYear(seasonYear(newest) + 1), from: newest }
}

/** The row of a season, for whoever changes it. */
export function seasonRow(db: Db | Tx, label: Season) {
  return db
    .selectFrom('seasons')
    .select([
      'label',
      'state',
      'share_rule',
      'fee_due_on',
      'results_from',
      'created_at',
      'version',
      'date_choice_days',
      'share_since',
    ])
    .where('label', '=', label)
}
