import type { OfficeSeason } from '@podium/contract/catalogue-season'
import { shareRule } from '@podium/contract/enrolment-fee'
import { istDay, parseSeason, type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, Tx } from '#platform/database'
import { mayDo } from '#platform/policy'
import type { OfficeScope } from '#platform/scope'
import { keptSeasons } from '../cockpit/queries-kept.ts'

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
  const { rows } = await sql<Omit<OfficeSeason, 'share'> & { share: unknown }>`
    select s.label as "FYear", s.state, s.version, s.fee_due_on as "feeDueOn", s.results_from as "resultsFrom",
      s.date_choice_days as "dateChoiceDays", s.share_rule as share,
      (select count(*)::int from events e where e.season = s.label) as events,
      ${incompleteEvents(sql`s.label`)} as incomplete,
      coalesce((k.figures->>'students')::int, t.students) as students, coalesce((k.figures->>'paid')::int, t.paid) as paid,
      coalesce((k.figures->>'entered')::int, t.schools) as schools,
      coalesce((k.figures->>'entries')::int, t.enrolments, 0) as enrolments
    from seasons s
      left join season_figures k on k.season = s.label and k.season in ${keptSeasons}
      left join lateral (
        select count(*)::int as students, count(*) filter (where paid)::int as paid, count(distinct school_id)::int as schools,
          sum(case when letters = '' then 0 else 1 + length(letters) - length(replace(letters, ',', '')) end)::int as enrolments
        from students where k.season is null and season = s.label and active) t on true
    order by s.label desc`.execute(db)
  return rows.map((row) => ({ ...row, share: z.parse(shareRule, row.share) }))
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
  return db.selectFrom('seasons').selectAll().where('label', '=', label)
}
