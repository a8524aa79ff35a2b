import { className } from '@podium/contract/classes'
import type { WrittenLanguage } from '@podium/contract/languages'
import type {
  InvitationMail,
  InvitedChild,
  RoundStage,
  SchoolInvitations,
} from '@podium/contract/results/calls-next-level'
import type { DifferenceRow, InvitationRow } from '@podium/contract/results/calls-next-level-list'
import type { EligibilityRule } from '@podium/contract/results/schemas'
import { daysBetween, formatDay, istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import { visibleSet } from '#features/results/queries'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'
import { orNotFound, Refusal } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { pageOfSeason, type RenderedMail, renderMailText } from '#platform/mail/mail-templates'
import { type MailTextKind, mailTextOf } from '#platform/mail/mail-texts'

/** The stage of a list; null before it is created. Invitations already sent need no approval. */
export function stageOf(
  round: { approved: boolean; sending: boolean; pending: number; notified: number } | null,
): RoundStage {
  if (!round) return 'none'
  if (round.sending) return 'sending'
  if (round.pending === 0 && round.notified > 0) return 'sent'
  return round.approved ? 'approved' : 'draft'
}

interface RankedStudent {
  olympiad_rank: number | null
  zonal_rank: number | null
  state_rank: number | null
  class_rank: number | null
  /** Percentage of the maximum marks, as shown */
  percent: number
  /** For each clause, the margins of rank, percent and pool; negative if missed */
  reason: { next?: [rank: number, percent: number, pool: number][] }
}

/** The first clause that a result meets, with actual and required values; null if none. */
export function findClause(row: RankedStudent, rule: EligibilityRule | null): InvitationRow['because'] {
  for (const [index, clause] of (rule?.clauses ?? []).entries()) {
    const margins = row.reason.next?.[index]
    const rank = row[`${clause.by}_rank`]
    if (!margins || rank === null || margins.some((by) => by < 0)) continue
    return {
      by: clause.by,
      rank,
      upToRank: clause.upToRank,
      percent: row.percent,
      neededPercent: clause.percent,
    }
  }
  return null
}

/** Lines for students in an e-mail: class, section and exam roll number, never names; limited in number. */
function childrenLines(
  children: readonly { className: string; section: string; roll: string }[],
  more: (n: number) => string,
  longest = 60,
): string {
  const lines = children.slice(0, longest).map(({ className, section, roll }) => {
    const room = section === '' || section === '-' ? className : `${className} ${section}`
    return `    ${room}, ${roll}`
  })
  const left = children.length - lines.length
  return [...lines, ...(left > 0 ? [`    ${more(left)}`] : [])].join('\n')
}

interface Row extends Omit<InvitedChild, 'className'> {
  eventYearId: number
  subjectName: string
  eventLetter: string
  level: number
  answerBy: string
  listNote: string
  examDates: string[]
}

/** The invitations sent to a school, by subject, without events whose results are withheld. */
export async function invitationsOf(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: string,
): Promise<SchoolInvitations[]> {
  const { rows } = await sql<Row>`
    select d.event_id as "eventYearId", u.name as "subjectName", e.letter as "eventLetter", d.level,
      d.answer_by as "answerBy", d.note as "listNote", s.id as "studentId", s.name as "studentName",
      i.class_id as "classId", s.section, coalesce(r.exam_roll_no, s.exam_roll_no, '') as "nioRollNo",
      i.notice = 'withdrawn' as withdrawn, i.answer, i.answer_note as note, coalesce(p.name, '') as "answeredBy",
      ${instant('i.answered_at')} as "answeredAt", coalesce((
        select array_agg(x.held_on::text order by x.held_on) from events n join exam_dates x on x.event_id = n.id
        where n.season = d.season and n.letter = e.letter and n.level = d.level), '{}') as "examDates"
    from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
      join events e on e.id = d.event_id join subjects u on u.letter = e.letter
      join students s on s.id = i.student_id left join users p on p.id = i.answered_by
      left join results r on r.set_id = d.set_id and r.student_id = i.student_id
    where i.school_id = ${scope.schoolId} and d.season = ${season} and i.notice <> ''
      and not exists (select from result_holds h where h.event_id = i.event_id and h.school_id = i.school_id)
    order by d.answer_by < ${istDay(now)}::date, u.position, d.level, case i.class_id when 15 then -3 when 13 then -2 when 14 then -1 else i.class_id end,
      s.section, s.roll_no, s.id`.execute(db)
  const today = istDay(now)
  return [...Map.groupBy(rows, ({ eventYearId }) => eventYearId).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { eventYearId, subjectName, eventLetter, level, answerBy, listNote, examDates } = first
    return [
      {
        eventYearId,
        subjectName,
        eventLetter,
        level,
        answerBy,
        daysLeft: daysBetween(today, answerBy),
        note: listNote,
        examDates,
        children: of.map((row) => ({ ...row, className: className(row.classId) })),
        can: { answer: answerBy < today ? 'next_level.closed' : (true as const) },
      },
    ]
  })
}

/** SQL: whether invitation `i` has a change that the school has not been told of. */
export const pending = sql`(case when i.wanted then i.notice <> 'invited' else i.notice = 'invited' end)`

export const status = sql`case
  when i.wanted and i.notice <> 'invited' then 'toInvite'
  when i.wanted and i.answer = '' then 'waiting'
  when i.wanted then i.answer
  when i.notice = 'invited' then 'toWithdraw'
  when i.notice = 'withdrawn' then 'withdrawn'
  else 'left' end`

/**
 * SQL: the student of invitation `i`, joined one by one by key, whatever the planner estimates: a list has about ten thousand
 * of a million students.
 */
export const studentJoin = sql`join lateral (select * from students where id = i.student_id limit 1) s on true`
export const resultJoin = sql`left join lateral (
  select * from results where set_id = d.set_id and student_id = i.student_id limit 1) r on true`

/** SQL: the result `r` of an invitation's student if eligible in the version of list `d`, from one index. */
export const ifEligible = sql`left join results r on r.set_id = d.set_id and r.student_id = i.student_id and r.next_level`

const pageSize = 50

/** SQL: whether student `s` can be invited: neither left nor erased. */
export const canBeInvited = sql`(s.active and s.erased_at is null)`

/**
 * SQL: the changes that another version of the results makes to an event's list, as a subquery `student_id, change`: newly
 * eligible students, unless excluded by a person, and students invited only by the rules who are no longer eligible.
 */
export const changesOfList = (
  eventId: number | RawBuilder<unknown>,
  setId: number | RawBuilder<unknown>,
) => sql`(
  select r.student_id, 'added' as change
  from results r join students s on s.id = r.student_id and ${canBeInvited}
    left join next_level_invitations i on i.event_id = ${eventId} and i.student_id = r.student_id
  where r.set_id = ${setId} and r.next_level and (i.student_id is null or (not i.wanted and not i.by_hand))
  union all
  select i.student_id, 'removed' from next_level_invitations i
  where i.event_id = ${eventId} and i.wanted and not i.by_hand and not exists (
    select from results r where r.set_id = ${setId} and r.student_id = i.student_id and r.next_level))`

interface Line extends Omit<DifferenceRow, 'className'> {
  classId: number
  total: number
}

/** A page of the changes that the released version would make to an event's list. */
export async function differenceOf(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  { eventYearId: eventId, page }: { eventYearId: number; page: number },
) {
  const { rows: heads } = await sql<{ list: number; list_version: number; id: number; version: number }>`
    select d.set_id as list, l.version as list_version, v.id, v.version from next_level_rounds d
      join result_sets l on l.id = d.set_id join lateral ${visibleSet(sql`d.event_id`, now)} v on true
    where d.event_id = ${eventId}`.execute(db)
  const head = orNotFound(heads[0], 'next_level.no_list')
  if (head.list === head.id) throw new Refusal('next_level.no_difference')
  const { rows } = await sql<Line>`
    select s.id as "studentId", s.name as "studentName", coalesce(b.exam_roll_no, a.exam_roll_no, '') as "nioRollNo",
      coalesce(b.class_id, a.class_id) as "classId", o.code as "schCode", o.name as "schName", c.change,
      coalesce(i.notice = 'invited', false) as notified, a.olympiad_rank as before, b.olympiad_rank as after,
      count(*) over ()::int as total
    from ${changesOfList(eventId, head.id)} c join students s on s.id = c.student_id
      left join results a on a.set_id = ${head.list} and a.student_id = c.student_id
      left join results b on b.set_id = ${head.id} and b.student_id = c.student_id
      left join next_level_invitations i on i.event_id = ${eventId} and i.student_id = c.student_id
      join schools o on o.id = coalesce(b.school_id, a.school_id, i.school_id)
    order by c.change desc, coalesce(b.class_id, a.class_id), coalesce(b.olympiad_rank, a.olympiad_rank), s.id
    ${pageOf(page, pageSize)}`.execute(db)
  return {
    listVersion: head.list_version,
    visibleVersion: head.version,
    total: rows[0]?.total ?? 0,
    pageSize,
    data: rows.map(({ classId, total: _, ...row }) => ({ ...row, className: className(classId) })),
  }
}

const textKinds = {
  invitation: 'next-level-invitation',
  withdrawal: 'next-level-withdrawn',
  reminder: 'next-level-reminder',
} as const satisfies Record<InvitationMail, MailTextKind>

interface SchoolLetter {
  schoolId: number
  schCode: string
  schName: string
  children: { className: string; section: string; roll: string }[]
}

interface RoundDetails {
  subject: string
  season: string
  level: number
  answerBy: string
  note: string
}

/** The data for a list's e-mails. */
export async function roundDetails(db: Db | Tx, eventId: number): Promise<RoundDetails> {
  const { rows } = await sql<RoundDetails>`
    select u.name as subject, d.season, d.level, d.answer_by as "answerBy", d.note from next_level_rounds d
      join events e on e.id = d.event_id join subjects u on u.letter = e.letter
      where d.event_id = ${eventId}`.execute(db)
  return orNotFound(rows[0], 'next_level.no_list')
}

/** The schools of a list with their students that match the condition on `i`. */
export async function lettersFor(
  db: Db | Tx,
  eventId: number,
  where: RawBuilder<unknown>,
): Promise<SchoolLetter[]> {
  const { rows } = await sql<{
    schoolId: number
    schCode: string
    schName: string
    classId: number
    section: string
    roll: string
  }>`
    select i.school_id as "schoolId", o.code as "schCode", o.name as "schName", i.class_id as "classId", s.section,
      coalesce(s.exam_roll_no, '') as roll
    from next_level_invitations i join schools o on o.id = i.school_id ${studentJoin}
    where i.event_id = ${eventId} and ${where}
    order by o.name_key, o.id, i.class_id, s.section, s.roll_no, s.id`.execute(db)
  return [...Map.groupBy(rows, ({ schoolId }) => schoolId).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { schoolId, schCode, schName } = first
    const children = of.map(({ classId, section, roll }) => ({
      className: className(classId),
      section,
      roll,
    }))
    return [{ schoolId, schCode, schName, children }]
  })
}

const more = { en: (n: number) => `and ${n} more`, hi: (n: number) => `और ${n}` }

/** The e-mail to one school in a language. */
export async function letterFor(
  db: Db | Tx,
  kind: InvitationMail,
  letter: SchoolLetter,
  about: RoundDetails,
  to: { name: string; language: WrittenLanguage; link: string },
): Promise<RenderedMail> {
  const textKind = textKinds[kind]
  const values = {
    school: letter.schName,
    subject: about.subject,
    season: about.season,
    level: String(about.level),
    count: String(letter.children.length),
    children: childrenLines(letter.children, more[to.language]),
    day: formatDay(about.answerBy),
    note: about.note,
    link: pageOfSeason(to.link, about.season),
  }
  const text = await mailTextOf(db, textKind, to.language)
  return renderMailText(await mailSender(db), to.language, to.name, text, values)
}

/** A preview of the e-mail in both languages; null if no school would get one. */
export async function previewMail(
  db: Db,
  _scope: OfficeScope,
  input: {
    eventId: number
    kind: InvitationMail
    schCode: string | undefined
    link: string
    where: RawBuilder<unknown>
  },
) {
  const { eventId, kind, schCode, link, where } = input
  const about = await roundDetails(db, eventId)
  const code = schCode?.trim().toUpperCase()
  const letters = await lettersFor(db, eventId, code ? sql`${where} and o.code = ${code}` : where)
  const [letter] = letters
  if (!letter) return null
  const readers = await readersOf(db, [letter.schoolId])
  const name = readers[0]?.name ?? letter.schName
  const written = async (language: WrittenLanguage) => {
    const { subject, text } = await letterFor(db, kind, letter, about, { name, language, link })
    return { subject, text }
  }
  return {
    schCode: letter.schCode,
    schName: letter.schName,
    children: letter.children.length,
    to: readers.map((reader) => `${reader.name} <${reader.email}>`),
    en: await written('en'),
    hi: await written('hi'),
  }
}
