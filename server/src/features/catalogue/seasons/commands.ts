import { shareIssues } from '@podium/contract/catalogue/rules-slabs'
import { formatRupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import { type ShareRule, shareRule } from '@podium/contract/students/rules-fee'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { seasonIssues } from '../rules.ts'
import type { SeasonValues } from './commands-open.ts'
import { incompleteEvents, seasonRow } from './queries.ts'

/** A share rule as the history shows it: `perHead`, `15 %`, `1: ₹20, 50: ₹25`. */
function saidShare(share: ShareRule): string {
  if (share.kind === 'perHead') return share.kind
  if (share.kind === 'percent') return `${share.percent} %`
  return share.slabs.map(({ from, share: kept }) => `${from}: ${formatRupees(kept)}`).join(', ')
}

interface Which {
  FYear: Season
  version: number
}

async function lockSeason(tx: Tx, { FYear, version }: Which) {
  const season = found(await seasonRow(tx, FYear).forUpdate().executeTakeFirst())
  if (season.version !== version) throw new Refusal('changed_meanwhile')
  return season
}

/**
 * Changes a season's days and its share rule. Enrolments keep the share that they have by then. Refuses days outside
 * the season, slabs that leave a gap, `changed_meanwhile`, `not_found`.
 */
export async function saveSeason(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  save: Which & SeasonValues,
): Promise<void> {
  const before = await lockSeason(tx, save)
  const issues = [...seasonIssues(save.FYear, save), ...shareIssues(save.share)]
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const from = {
    feeDueOn: before.fee_due_on,
    resultsFrom: before.results_from,
    dateChoiceDays: before.date_choice_days,
    share: before.share_rule,
  }
  const { FYear, version, feeDueOn, resultsFrom, dateChoiceDays, share } = save
  const to = { feeDueOn, resultsFrom, dateChoiceDays, share }
  if (JSON.stringify(from) === JSON.stringify(to)) return
  await tx
    .updateTable('seasons')
    .set({
      fee_due_on: feeDueOn,
      results_from: resultsFrom,
      date_choice_days: dateChoiceDays,
      share_rule: JSON.stringify(share),
      ...(JSON.stringify(from.share) === JSON.stringify(share) ? {} : { share_since: now }),
      version: version + 1,
    })
    .where('label', '=', FYear)
    .execute()
  await audit(
    tx,
    now,
    scope,
    'season.changed',
    { kind: 'season', id: FYear, season: FYear },
    {
      from: { ...from, share: saidShare(z.parse(shareRule, from.share)) },
      to: { ...to, share: saidShare(share) },
    },
  )
}

/**
 * Opens a season for schools, or closes it. Refuses the state that it has, a season with an event that could not be
 * entered (`catalogue.season_incomplete`), `changed_meanwhile`, `not_found`.
 */
export async function setSeasonState(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { state, ...which }: Which & { state: 'open' | 'closed' },
): Promise<void> {
  const before = await lockSeason(tx, which)
  const allowed = state === 'open' ? before.state !== 'open' : before.state === 'open'
  if (!allowed) throw new Refusal('catalogue.season_state')
  if (state === 'open') {
    const { rows } = await sql<{ incomplete: number; events: number }>`
      select ${incompleteEvents(which.FYear)} as incomplete,
        (select count(*)::int from events where season = ${which.FYear}) as events`.execute(tx)
    if (rows[0]?.incomplete !== 0 || rows[0].events === 0) throw new Refusal('catalogue.season_incomplete')
  }
  await tx
    .updateTable('seasons')
    .set({ state, version: which.version + 1 })
    .where('label', '=', which.FYear)
    .execute()
  const subject = { kind: 'season', id: which.FYear, season: which.FYear }
  await audit(tx, now, scope, state === 'open' ? 'season.opened' : 'season.closed', subject, {
    from: { state: before.state },
    to: { state },
  })
}
