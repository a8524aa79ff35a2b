import type { addEvent as endpoint } from '@podium/contract/catalogue/calls-events'
import type { BodyOf } from '@podium/contract/endpoint'
import { officeMessages } from '@podium/contract/office/messages'
import type { EventRules, EventSection } from '@podium/contract/results/schemas'
import { istDay, parseSeason, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, addRow, changeRows, findRows, firstRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import {
  dateIssues,
  dateMovedKind,
  defaultRules,
  type MovedDate,
  rulesOf,
  sectionIssues,
  sectionsOf,
  tieBreakAfter,
  unfitRule,
} from '../rules.ts'
import { seasonRow } from '../seasons/queries.ts'
import { changesOf, earlierEvents, type Fees, hasMarks, pricesOf } from './queries.ts'

/** The day (IST) of the event's scheduled release, which can't be scheduled or withdrawn until the commit; undefined if none is. */
async function scheduledRelease(tx: Tx, now: Date, eventId: number): Promise<string | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select release_at as at from result_sets where event_id = ${eventId} and state = 'approved' for update`.execute(
    tx,
  )
  const at = rows.find((row) => row.at !== null && row.at > now)?.at
  return at ? istDay(at) : undefined
}

/**
 * Replaces an event's rules if their version is still the one shown; both versions are stored. Returns the new version. Refuses
 * while a release is scheduled, which would go out by the rules before.
 */
export async function saveRules(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { eventId: number; rulesVersion: number; rules: EventRules; note?: string },
): Promise<number> {
  const { eventId, rulesVersion, rules, note = '' } = input
  const event = await tx
    .selectFrom('events')
    .select(['id', 'season', 'letter', 'level', 'maximum_marks', 'sections', 'rules', 'rules_version'])
    .select(['version'])
    .where('id', '=', eventId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (await scheduledRelease(tx, now, eventId)) throw new Refusal('results.scheduled')
  const unfit = unfitRule(rules, sectionsOf(event.sections))
  if (unfit) {
    const issues = [{ path: `rules.${unfit.path}`, message: unfit.message }]
    throw new Refusal('results.rules_unfit', { message: unfit.message, issues })
  }
  const [saved] = await changeRows(tx, 'events', {
    where: { id: eventId, rules_version: rulesVersion },
    set: { rules: JSON.stringify(rules), rules_version: rulesVersion + 1, version: event.version + 1 },
    returning: ['rules_version'],
  })
  const { rules_version } = orNotFound(saved, 'changed_meanwhile')
  await tx
    .insertInto('event_rules')
    .values({ event_id: eventId, version: rulesVersion, rules: JSON.stringify(rulesOf(event)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await addRow(tx, 'event_rules', {
    event_id: eventId,
    version: rules_version,
    rules: JSON.stringify(rules),
    note,
    saved_by: scope.staffId,
    saved_at: now,
  })
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

interface EventVersion {
  eventYearId: number
  version: number
}

async function lockEvent(tx: Tx, { eventYearId, version }: EventVersion) {
  const event = await tx
    .selectFrom('events')
    .innerJoin('subjects', 'subjects.letter', 'events.letter')
    .select(['events.id', 'events.season', 'events.letter', 'events.level', 'events.mode'])
    .select(['events.closes_on', 'events.maximum_marks', 'events.sections', 'events.rules'])
    .select(['events.rules_version', 'events.version', 'events.late_from', 'events.late_fee'])
    .select(['subjects.little_star', 'subjects.name_hi'])
    .where('events.id', '=', eventYearId)
    .forUpdate('events')
    .executeTakeFirstOrThrow(notFound)
  if (event.version !== version) throw new Refusal('changed_meanwhile')
  return event
}

interface EventSave extends EventVersion {
  examMode: 'Online' | 'Offline'
  closesOn: string
  firstDate: string
  secondDate: string
  sections: readonly EventSection[]
  /** If omitted, the subject keeps its name */
  subjectNameHi?: string | undefined
}

const tidy = (name: string | undefined) => (name ?? '').trim().replace(/\s+/g, ' ')

/** A section as stored with its event. */
const storedSection = ({ name, maximum, nameHi }: EventSection): EventSection =>
  tidy(nameHi) === '' ? { name, maximum } : { name, maximum, nameHi: tidy(nameHi) }

/** The parts of the sections that imported marks depend on; a Hindi name can still change. */
const marking = (sections: readonly EventSection[]) =>
  JSON.stringify(sections.map(({ name, maximum }) => [name, maximum]))

async function datesOf(tx: Tx, eventId: number) {
  const rows = await findRows(tx, 'exam_dates', { event_id: eventId }, ['id', 'ordinal', 'held_on'])
  return new Map(rows.map((row) => [row.ordinal, row]))
}

/**
 * Moves, adds or removes one of the two dates. A moved date keeps its id, and with it the schools that chose it: they are
 * told, unless both days are over. Refuses a day after a scheduled release.
 */
async function putDate(
  tx: Tx,
  now: Date,
  { id: eventId, season }: { id: number; season: string },
  ordinal: number,
  was: { id: number; held_on: string } | undefined,
  day: string,
) {
  if (was?.held_on === day) return
  const release = day === '' ? undefined : await scheduledRelease(tx, now, eventId)
  if (release !== undefined && day > release)
    throw refuseField(ordinal === 1 ? 'firstDate' : 'secondDate', officeMessages.dateAfterRelease)
  if (was && day !== '') {
    await tx.updateTable('exam_dates').set({ held_on: day }).where('id', '=', was.id).execute()
    const input: MovedDate = { dateId: was.id, from: was.held_on, to: day }
    if (day >= istDay(now) || was.held_on >= istDay(now))
      await enqueueJob(tx, now, { kind: dateMovedKind, season, input })
  } else if (was) {
    const chosen = await firstRow(tx, 'participations', { exam_date_id: was.id }, ['id'])
    if (chosen) throw refuseField(ordinal === 1 ? 'firstDate' : 'secondDate', officeMessages.dateChosen)
    await tx.deleteFrom('exam_dates').where('id', '=', was.id).execute()
  } else if (day !== '') {
    await tx.insertInto('exam_dates').values({ event_id: eventId, ordinal, held_on: day }).execute()
  }
}

/**
 * Before an event changes its mode: refuses one for which schools have chosen a date, students have a slot, or papers are
 * packed. The papers to be packed are counted again.
 */
async function changeMode(tx: Tx, { id, season, mode }: { id: number; season: string; mode: string }) {
  const { rows } = await sql`
    select from exam_schedules x join enrolments n on (n.student_id, n.event_id) = (x.student_id, x.event_id)
      join students s on s.id = x.student_id and s.active where x.event_id = ${id}
    union all select from participations p join exam_dates d on d.id = p.exam_date_id where d.event_id = ${id}
    union all select from packet_lines l join packets k on k.id = l.packet_id
      where l.event_id = ${id} and k.contents = 'papers' and k.status <> 'Cancelled'
    limit 1`.execute(tx)
  if (rows.length > 0)
    throw refuseField('examMode', mode === 'Online' ? officeMessages.modeSlots : officeMessages.modeDates)
  await sql`
    insert into dispatch_stale (school_id, season)
    select distinct school_id, ${season} from enrolments where event_id = ${id}`.execute(tx)
}

/**
 * Changes mode, days and sections of an event, and returns its version. Tie-breaks follow renamed or removed sections, as
 * a new version of the rules.
 * Refuses inconsistent days, removal of a date that schools have chosen, another mode once the event is in use, changed
 * sections once marks are imported, `changed_meanwhile`, `not_found`.
 */
export async function saveEvent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  save: EventSave,
): Promise<{ version: number }> {
  const event = await lockEvent(tx, save)
  const { eventYearId: id, examMode, closesOn, firstDate, secondDate } = save
  const sections = save.sections.map(storedSection)
  const subjectNameHi = save.subjectNameHi === undefined ? event.name_hi : tidy(save.subjectNameHi)
  const season = orNotFound(parseSeason(event.season))
  const issues = [...dateIssues(season, save), ...sectionIssues(sections)]
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const before = sectionsOf(event.sections)
  if (marking(before) !== marking(sections)) {
    const { rows } = await sql<{ marked: boolean }>`
      select ${hasMarks(sql`${id}::bigint`)} as marked`.execute(tx)
    if (rows[0]?.marked) throw new Refusal('catalogue.marks_imported')
  }
  const dates = await datesOf(tx, id)
  const day = (ordinal: number) => dates.get(ordinal)?.held_on ?? ''
  const from = {
    examMode: event.mode,
    closesOn: event.closes_on,
    firstDate: day(1),
    secondDate: day(2),
    sections: before,
    subjectNameHi: event.name_hi,
  }
  const to = { examMode, closesOn, firstDate, secondDate, sections, subjectNameHi }
  if (JSON.stringify(from) === JSON.stringify(to)) return { version: event.version }
  if (subjectNameHi !== event.name_hi)
    await changeRows(tx, 'subjects', { where: { letter: event.letter }, set: { name_hi: subjectNameHi } })
  await putDate(tx, now, event, 1, dates.get(1), firstDate)
  await putDate(tx, now, event, 2, dates.get(2), secondDate)
  if (examMode !== event.mode) await changeMode(tx, event)
  await changeRows(tx, 'events', {
    where: { id },
    set: {
      mode: examMode,
      closes_on: closesOn,
      maximum_marks: sections.reduce((sum, section) => sum + section.maximum, 0),
      sections: JSON.stringify(sections),
      version: event.version + 1,
    },
  })
  await audit(
    tx,
    now,
    scope,
    'event.changed',
    { kind: 'event_terms', id, season: event.season },
    { from, to },
  )
  const rules = rulesOf({ ...event, sections: before })
  const tieBreak = tieBreakAfter(rules.tieBreak, before, sections)
  if (JSON.stringify(tieBreak) === JSON.stringify(rules.tieBreak)) return { version: event.version + 1 }
  const following = { eventId: id, rulesVersion: event.rules_version, rules: { ...rules, tieBreak } }
  await saveRules(tx, scope, now, { ...following, note: 'The sections have changed.' })
  return { version: event.version + 2 }
}

/**
 * Changes the prices of an event, and returns its version. Existing enrolments and books keep theirs: only the price list
 * is written. Refuses invalid prices, removal of a class with enrolled students, `changed_meanwhile`, `not_found`.
 */
export async function saveFees(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  save: Fees & EventVersion,
): Promise<{ version: number }> {
  const event = await lockEvent(tx, save)
  const { after, changes, effect } = await changesOf(tx, event.little_star, save)
  if (changes.length === 0) return { version: event.version }
  if (effect.changes.some((row) => row.what === 'class' && row.to === null && row.atOldPrice > 0))
    throw refuseField('classes', officeMessages.classUsed)
  const before = await pricesOf(tx, save.eventYearId)
  await sql`delete from event_fees where event_id = ${save.eventYearId}
    and class_id <> all(${[...after.keys()]}::int[])`.execute(tx)
  for (const [classId, { bookRetained, geneX, ...prices }] of after) {
    const columns = { ...prices, genex: geneX, book_retained: bookRetained }
    await tx
      .insertInto('event_fees')
      .values({ event_id: save.eventYearId, class_id: classId, ...columns })
      .onConflict((conflict) => conflict.columns(['event_id', 'class_id']).doUpdateSet(columns))
      .execute()
  }
  await changeRows(tx, 'events', { where: { id: event.id }, set: { version: event.version + 1 } })
  const [from, to] = [before, after].map((prices) =>
    Object.fromEntries(
      changes.map(({ classId, what }) => [
        `${what} ${classId}`,
        what === 'class' ? (prices.get(classId)?.fee ?? null) : (prices.get(classId)?.[what] ?? null),
      ]),
    ),
  )
  const change = { from, to, kept_at_old_price: effect.atOldPrice }
  await audit(
    tx,
    now,
    scope,
    'event.prices_changed',
    { kind: 'event_terms', id: event.id, season: event.season },
    change,
  )
  return { version: event.version + 1 }
}

type NewEvent = Omit<BodyOf<typeof endpoint>, 'FYear'> & { FYear: Season }

/** The subject with this letter; a new one is added at the end of the list. */
async function subjectOf(tx: Tx, { eventLetter: letter, subjectName, subjectNameHi, littleStar }: NewEvent) {
  const known = await firstRow(tx, 'subjects', { letter }, ['letter', 'name', 'little_star', 'position'])
  if (known) return known
  const name = tidy(subjectName)
  if (name === '') throw refuseField('subjectName', officeMessages.entryNameRequired)
  // Names appear in comma-separated lists.
  if (name.includes(',')) throw refuseField('subjectName', officeMessages.nameComma)
  const { rows } = await sql<{ letter: string }>`
    insert into subjects (letter, name, name_hi, little_star, position)
    select ${letter}, ${name}, ${tidy(subjectNameHi)}, ${littleStar}, coalesce(max(position), 0) + 1 from subjects
    having not exists (select from subjects where lower(name) = lower(${name}))
    on conflict do nothing returning letter`.execute(tx)
  if (!rows[0]) throw refuseField('subjectName', officeMessages.entryTaken)
  return { letter, name, little_star: littleStar }
}

/**
 * Adds an event to a season in preparation or open, with the sections, rules and prices of the newest earlier event of the
 * subject and level, or a single section and default rules. Refuses a closed season, a skipped level and inconsistent days.
 */
export async function addEvent(tx: Tx, scope: OfficeScope, now: Date, added: NewEvent) {
  const season = await seasonRow(tx, added.FYear).forUpdate().executeTakeFirstOrThrow(notFound)
  if (season.state === 'closed') throw new Refusal('catalogue.season_state')
  const label = orNotFound(parseSeason(season.label))
  const issues = dateIssues(label, added)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const { letter } = await subjectOf(tx, added)
  const { examLevel: level } = added
  const events = await findRows(tx, 'events', { season: label, letter }, ['level'])
  if (events.some((row) => row.level === level)) throw refuseField('examLevel', officeMessages.eventThere)
  if (level > 1 && !events.some((row) => row.level === level - 1))
    throw refuseField('examLevel', officeMessages.levelBefore)
  const before = (await earlierEvents(tx, label, letter)).find((event) => event.level === level)
  const sections = before
    ? sectionsOf(before.sections)
    : [{ name: 'Questions', maximum: added.maximumMarks, nameHi: 'प्रश्न' }]
  const rules = before ? before.rules : defaultRules({ letter, level, sections })
  const { id } = await addedRow(tx, 'events', ['id'], {
    season: label,
    letter,
    level,
    mode: added.examMode,
    closes_on: added.closesOn,
    maximum_marks: sections.reduce((sum, section) => sum + section.maximum, 0),
    sections: JSON.stringify(sections),
    rules: JSON.stringify(rules),
  })
  const days = [added.firstDate, added.secondDate].filter((item) => item !== '')
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
