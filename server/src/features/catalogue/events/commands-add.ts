import type { addEvent as endpoint } from '@podium/contract/catalogue/calls-add'
import { catalogueMessages } from '@podium/contract/catalogue/messages'
import type { BodyOf } from '@podium/contract/endpoint'
import { parseSeason, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { defaultRules, sectionsOf } from '#features/results/rules'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { dateIssues } from '../rules.ts'
import { seasonRow } from '../seasons/queries.ts'
import { earlierEvents } from './queries-add.ts'

type Added = Omit<BodyOf<typeof endpoint>, 'FYear'> & { FYear: Season }

/** The subject of the letter; a new one is put at the end of the list. */
async function subjectOf(tx: Tx, { eventLetter: letter, subjectName, littleStar }: Added) {
  const known = await tx
    .selectFrom('subjects')
    .select(['letter', 'name', 'little_star', 'position'])
    .where('letter', '=', letter)
    .executeTakeFirst()
  if (known) return known
  const name = subjectName.trim().replace(/\s+/g, ' ')
  if (name === '') throw refuseField('subjectName', catalogueMessages.entryNameRequired)
  // A name stands in lists that are joined by commas.
  if (name.includes(',')) throw refuseField('subjectName', catalogueMessages.nameComma)
  const { rows } = await sql<{ letter: string }>`
    insert into subjects (letter, name, little_star, position)
    select ${letter}, ${name}, ${littleStar}, coalesce(max(position), 0) + 1 from subjects
    having not exists (select from subjects where lower(name) = lower(${name}))
    on conflict do nothing returning letter`.execute(tx)
  if (!rows[0]) throw refuseField('subjectName', catalogueMessages.entryTaken)
  return { letter, name, little_star: littleStar }
}

/**
 * Puts an event into a season that is being prepared or open. Sections, rules and prices are those of the newest earlier
 * event of the subject and level; without one there is a single section, the rules are the default, and prices are
 * entered on its page. Refuses a season that is closed, a level without the one before, an event that is there, days that do not fit.
 */
export async function addEvent(tx: Tx, scope: OfficeScope, now: Date, added: Added) {
  const season = found(await seasonRow(tx, added.FYear).forUpdate().executeTakeFirst())
  if (season.state === 'closed') throw new Refusal('catalogue.season_state')
  const label = found(parseSeason(season.label))
  const issues = dateIssues(label, added)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const { letter } = await subjectOf(tx, added)
  const { examLevel: level } = added
  const own = await tx
    .selectFrom('events')
    .select('level')
    .where('season', '=', label)
    .where('letter', '=', letter)
    .execute()
  if (own.some((event) => event.level === level)) throw refuseField('examLevel', catalogueMessages.eventThere)
  if (level > 1 && !own.some((event) => event.level === level - 1))
    throw refuseField('examLevel', catalogueMessages.levelBefore)
  const before = (await earlierEvents(tx, label, letter)).find((event) => event.level === level)
  const sections = before ? sectionsOf(before.sections) : [{ name: 'Questions', maximum: added.maximumMarks }]
  const rules = before ? before.rules : defaultRules({ letter, level, sections })
  const { id } = await tx
    .insertInto('events')
    .values({
      season: label,
      letter,
      level,
      mode: added.examMode,
      closes_on: added.closesOn,
      maximum_marks: sections.reduce((sum, section) => sum + section.maximum, 0),
      sections: JSON.stringify(sections),
      rules: JSON.stringify(rules),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const days = [added.firstDate, added.secondDate].filter((one) => one !== '')
  if (days.length > 0)
    await tx
      .insertInto('exam_dates')
      .values(days.map((held_on, index) => ({ event_id: id, ordinal: index + 1, held_on })))
      .execute()
  if (before)
    await sql`
      insert into event_fees (event_id, class_id, fee, retained, cb, pyqp, genex, tb, wb, book_retained)
      select ${id}, class_id, fee, retained, cb, pyqp, genex, tb, wb, book_retained
      from event_fees where event_id = ${before.id}`.execute(tx)
  const { FYear: _, ...to } = added
  const subject = { kind: 'event_terms', id, season: label }
  await audit(tx, now, scope, 'event.added', subject, {
    to,
    ...(before ? { from_season: before.season } : {}),
  })
  return { eventYearId: id }
}
