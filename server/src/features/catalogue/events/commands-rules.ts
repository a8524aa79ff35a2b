import type { EventRules } from '@podium/contract/results/schemas'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { rulesOf, sectionsOf, unfitRule } from './rules.ts'

/** Replaces the rules of an event that still has the version the office saw; both versions are kept. Answers the new one. */
export async function saveRules(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { eventId: number; rulesVersion: number; rules: EventRules; note?: string },
): Promise<number> {
  const { eventId, rulesVersion, rules, note = '' } = input
  const event = orNotFound(
    await tx
      .selectFrom('events')
      .select(['id', 'season', 'letter', 'level', 'maximum_marks', 'sections', 'rules', 'rules_version'])
      .select(['version'])
      .where('id', '=', eventId)
      .forUpdate()
      .executeTakeFirst(),
  )
  const unfit = unfitRule(rules, sectionsOf(event.sections))
  if (unfit) {
    const issues = [{ path: `rules.${unfit.path}`, message: unfit.message }]
    throw new Refusal('results.rules_unfit', { message: unfit.message, issues })
  }
  const saved = await tx
    .updateTable('events')
    .set({ rules: JSON.stringify(rules), rules_version: rulesVersion + 1, version: event.version + 1 })
    .where('id', '=', eventId)
    .where('rules_version', '=', rulesVersion)
    .returning('rules_version')
    .executeTakeFirst()
  const { rules_version } = orNotFound(saved, 'changed_meanwhile')
  await tx
    .insertInto('event_rules')
    .values({ event_id: eventId, version: rulesVersion, rules: JSON.stringify(rulesOf(event)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('event_rules')
    .values({
      event_id: eventId,
      version: rules_version,
      rules: JSON.stringify(rules),
      note,
      saved_by: scope.staffId,
      saved_at: now,
    })
    .execute()
  await audit(
    tx,
    now,
    scope,
    'results.rules_saved',
    { kind: 'event', id: eventId, season: event.season },
    { from: rulesOf(event), to: rules, ...(note === '' ? {} : { note }) },
  )
  return rules_version
}
