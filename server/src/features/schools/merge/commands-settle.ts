import type { MergeClash } from '@podium/contract/schools/calls-merge'
import { type RawBuilder, sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import type { Tx } from '#platform/db/database'
import { mailPeople } from '#platform/mail/mail-texts'
import { bookLines, hasLeftSchool, sameTerms } from './queries.ts'
import type { Pair } from './rules.ts'

/** A merge with its officer and time, and the name of the school that is given up. */
export interface MergeContext extends Pair {
  readonly now: Date
  readonly officer: string
  readonly staffId: number
  /** Code and name of the school that is given up */
  readonly gone: string
}

/** Rows that had to change, by kind of clash: their previous values, and further details. */
export type SettledClashes = Partial<Record<MergeClash, unknown[]>>

/**
 * Each rule resolves one kind of clash and returns the rows it changed or dropped with their previous values, so that nothing
 * is lost. Rules run before any rows move.
 */
const rules: Partial<Record<MergeClash, (merging: MergeContext) => RawBuilder<{ before: unknown }>>> = {
  // Users removed from the remaining school do not come back through the other one, nor do people they invited.
  removed: ({ target, source, now }) => sql`
    with gone as (
      select id, email, coordinator from users u where u.school_id = ${source} and ${hasLeftSchool(sql`u.id`, target)}),
    ended as (
      update school_invitations i set withdrawn_at = ${now}::timestamptz
      where i.school_id = ${source} and i.accepted_at is null and i.withdrawn_at is null
        and exists (select from gone where i.invited_by_user = gone.id or i.email = gone.email)
      returning i.id)
    update users u set school_id = null, coordinator = false, version = u.version + 1
    from gone where u.id = gone.id
    returning jsonb_build_object('userId', u.id, 'coordinator', gone.coordinator,
      'invitationsEnded', (select count(*) from ended)) as before`,
  // If another student has the roll no in this class and section, the incoming student gets the next free one after the
  // highest or, if there is none, the first free one.
  rolls: ({ target, source }) => sql`
    with clash as (
      select a.id, a.season, a.class_id, a.section, a.roll_no, row_number() over (
        partition by a.season, a.class_id, a.section order by a.roll_no, a.id) as place
      from students a where a.school_id = ${source} and a.active and exists (
        select from students b where b.school_id = ${target} and b.active
          and (b.season, b.class_id, b.section, b.roll_no) = (a.season, a.class_id, a.section, a.roll_no))),
    taken as (
      select season, class_id, section, roll_no from students
      where school_id in (${target}, ${source}) and active
        and (season, class_id, section) in (select season, class_id, section from clash)),
    room as (
      select season, class_id, section, max(roll_no) as greatest, count(*) as many from taken group by 1, 2, 3),
    free as (
      select r.season, r.class_id, r.section, n.no, row_number() over (
        partition by r.season, r.class_id, r.section order by n.no) as place
      from room r cross join lateral generate_series(
        case when r.greatest + r.many <= 999999 then r.greatest + 1 else 1 end,
        case when r.greatest + r.many <= 999999 then r.greatest + r.many else r.many * 2 end) as n (no)
      where not exists (select from taken t where (t.season, t.class_id, t.section, t.roll_no)
        = (r.season, r.class_id, r.section, n.no)))
    update students s set roll_no = free.no
    from clash join free using (season, class_id, section, place)
    where s.id = clash.id
    returning jsonb_build_object('studentId', s.id, 'season', s.season, 'classId', s.class_id, 'section', s.section,
      'rollNo', clash.roll_no, 'to', s.roll_no) as before`,
  // Both family links keep working for their children; students entered later with the mobile number join the existing one.
  families: ({ target, source }) => sql`
    update family_links a set parent_mobile = ''
    from family_links b where a.school_id = ${source} and a.revoked_at is null and a.parent_mobile <> ''
      and b.school_id = ${target} and b.season = a.season and b.parent_mobile = a.parent_mobile and b.revoked_at is null
    returning jsonb_build_object('linkId', a.id, 'season', a.season, 'beside', b.id) as before`,
  // The copies of both orders become one line, at their common price. A school may have two lines of a book: one whose payment
  // the bank returned, and one ordered since.
  library: (merging) => sql`
    with pairs as (
      select distinct on (a.id) a.id as from_id, b.id as to_id, a.quantity from ${bookLines(merging)} where ${sameTerms}
      order by a.id, b.id),
    grown as (
      update library_lines l set quantity = l.quantity + p.quantity, version = l.version + 1,
        updated_at = ${merging.now}::timestamptz
      from (select to_id, sum(quantity)::int as quantity from pairs group by to_id) p where l.id = p.to_id returning l.id)
    update library_lines l set active = false, version = l.version + 1, updated_at = ${merging.now}::timestamptz
    from pairs p join grown on grown.id = p.to_id where l.id = p.from_id
    returning jsonb_build_object('lineId', l.id, 'quantity', l.quantity, 'addedTo', p.to_id) as before`,
  contacts: ({ target, source }) => sql`
    update contacts a set active = false, version = a.version + 1
    where a.school_id = ${source} and a.active and exists (
      select from contacts b where b.school_id = ${target} and b.season = a.season and b.email = a.email
        and lower(b.name) = lower(a.name) and b.active)
    returning jsonb_build_object('contactId', a.id, 'active', true) as before`,
  invitations: ({ target, source, now }) => sql`
    update school_invitations a set withdrawn_at = ${now}::timestamptz
    where a.school_id = ${source} and a.accepted_at is null and a.withdrawn_at is null and exists (
      select from school_invitations b where b.school_id = ${target} and b.email = a.email
        and b.accepted_at is null and b.withdrawn_at is null)
    returning jsonb_build_object('invitationId', a.id, 'email', a.email) as before`,
  // A duplicate question is kept once: the accepted one, otherwise the remaining school's.
  questions: ({ target, source, now, staffId, gone }) => sql`
    with pairs as (
      select case when a.state = 'accepted' and b.state <> 'accepted' then b.id else a.id end as id
      from teacher_questions a join teacher_questions b on b.school_id = ${target} and b.season = a.season
        and b.letter = a.letter and b.class_id = a.class_id and lower(b.question) = lower(a.question) and b.state <> 'declined'
      where a.school_id = ${source} and a.state <> 'declined')
    update teacher_questions q set state = 'declined', version = q.version + 1, reviewed_by = ${staffId},
      reviewed_at = ${now}::timestamptz,
      reason = ${`The same question was sent twice: ${gone} and this school are one.`}
    from teacher_questions was where was.id = q.id and q.id in (select id from pairs)
    returning jsonb_build_object('questionId', q.id, 'state', was.state, 'reason', was.reason) as before`,
  // Results stay withheld; the reasons of both are joined in one row.
  holds: ({ target, source }) => sql`
    with gone as (
      delete from result_holds a using result_holds b
      where a.school_id = ${source} and b.school_id = ${target} and b.event_id = a.event_id returning a.*)
    update result_holds h set reason = h.reason || ' · ' || gone.reason
    from gone where h.school_id = ${target} and h.event_id = gone.event_id
    returning to_jsonb(gone) as before`,
  // Only the content key changes, so that both imports stay in the history.
  imports: ({ target, source }) => sql`
    update student_imports a set sha256 = a.sha256 || ':' || ${source}::text
    where a.school_id = ${source} and (a.source <> 'file' or a.confirmed_at is null) and exists (
      select from student_imports b where b.school_id = ${target} and b.season = a.season and b.sha256 = a.sha256
        and (b.source <> 'file' or b.confirmed_at is null))
    returning jsonb_build_object('importId', a.id) as before`,
  // The newer column mapping is kept.
  mappings: ({ target, source }) => sql`
    delete from import_mappings m using import_mappings o
    where m.headings = o.headings and (m.school_id, o.school_id) in ((${target}::bigint, ${source}::bigint), (${source}::bigint, ${target}::bigint))
      and (m.used_at < o.used_at or (m.used_at = o.used_at and m.school_id = ${source}))
    returning to_jsonb(m) as before`,
  offers: ({ source, now }) => sql`
    update coordinator_offers a set state = 'withdrawn', ended_at = ${now}::timestamptz
    where a.school_id = ${source} and a.state = 'open'
    returning jsonb_build_object('offerId', a.id, 'toUser', a.to_user) as before`,
  coordinators: ({ target, source }) => sql`
    update users a set coordinator = false, version = a.version + 1
    where a.school_id = ${source} and a.coordinator and exists (
      select from users b where b.school_id = ${target} and b.coordinator and b.disabled_at is null)
    returning jsonb_build_object('userId', a.id) as before`,
}

/**
 * Joins the attendance of both schools' lists, class by class. Where only one of them has entered a class that both have, it is
 * entered again: who is absent stays. Once results are out, what was entered stays as it is.
 */
async function joinAttendance(tx: Tx, now: Date, pairs: RawBuilder<unknown>): Promise<void> {
  const has = (school: string) => sql`exists (
    select from enrolments n join students st on st.id = n.student_id
    where n.school_id = ${sql.ref(school)} and n.event_id = p.event_id and n.class_id = k.class_id and st.active and st.paid)`
  await sql`
    with both_lists as (
      select p.to_id, k.class_id, a.students as from_students, a.absent as from_absent, a.saved_at as from_at, b.students as to_students,
        b.absent as to_absent, b.saved_at as to_at, greatest(a.version, b.version) + 1 as version,
        exists (select from ${visibleSet(sql`p.event_id`, now)} v) or ((a.saved_at is not null or not ${has('p.from_school')})
          and (b.saved_at is not null or not ${has('p.to_school')})) as stays
      from (${pairs}) p
        cross join lateral (
          select distinct class_id from attendance_lists where participation_id in (p.from_id, p.to_id)) k
        left join attendance_lists a on a.participation_id = p.from_id and a.class_id = k.class_id
        left join attendance_lists b on b.participation_id = p.to_id and b.class_id = k.class_id),
    again as (
      delete from attendance_lists l using both_lists j
      where not j.stays and l.participation_id = j.to_id and l.class_id = j.class_id)
    insert into attendance_lists (participation_id, class_id, students, absent, saved_at, version)
    select to_id, class_id, from_students + coalesce(to_students, 0), from_absent + coalesce(to_absent, 0),
      greatest(from_at, to_at), version
    from both_lists where stays and from_at is not null
    on conflict (participation_id, class_id) do update set students = excluded.students, absent = excluded.absent,
      saved_at = excluded.saved_at, version = excluded.version`.execute(tx)
}

/**
 * Merges the lists of each event: the date is the remaining school's, otherwise the other's. A signed-off list now has other
 * students, so it is reopened with the reason while entries are open; once they have closed, one sign-off stays in force.
 * The list given up is stored in the merge's audit line.
 */
async function joinLists(
  tx: Tx,
  { target, source, now, officer, gone }: MergeContext,
): Promise<SettledClashes> {
  const pairs = sql`
    select a.id as from_id, b.id as to_id, a.school_id as from_school, b.school_id as to_school, a.event_id, a.exam_date_id, e.season,
      e.closes_on >= (${now}::timestamptz at time zone 'Asia/Kolkata')::date as open,
      a.signed_off_at as from_signed, b.signed_off_at as to_signed
    from participations a join participations b on b.school_id = ${target} and b.event_id = a.event_id
    join events e on e.id = a.event_id where a.school_id = ${source}`
  const reason = `Merged with ${gone}.`
  const { rows: reopened } = await sql<{ before: unknown }>`
    update sign_offs o set reopened_at = ${now}::timestamptz, reopened_by_name = ${officer}, reason = ${reason}
    from (${pairs}) p where o.reopened_at is null and (
      (p.open and o.participation_id in (p.from_id, p.to_id))
      or (not p.open and o.participation_id = p.from_id and p.to_signed is not null))
    returning jsonb_build_object('signOffId', o.id, 'listId', o.participation_id, 'season', p.season)
    as before`.execute(tx)
  const { rows: dated } = await sql<{ before: unknown }>`
    update participations b set exam_date_id = coalesce(b.exam_date_id, p.exam_date_id),
      signed_off_at = case when p.open then null else coalesce(b.signed_off_at, p.from_signed) end,
      version = b.version + 1
    from (${pairs}) p where b.id = p.to_id
    returning jsonb_build_object('listId', b.id, 'kept', b.exam_date_id, 'other', p.exam_date_id)
    as before`.execute(tx)
  await sql`update sign_offs o set participation_id = p.to_id from (${pairs}) p
    where o.participation_id = p.from_id`.execute(tx)
  await joinAttendance(tx, now, pairs)
  const { rows: given } = await sql<{ before: unknown }>`
    delete from participations a using participations b
    where a.school_id = ${source} and b.school_id = ${target} and b.event_id = a.event_id
    returning to_jsonb(a) as before`.execute(tx)
  const beforeOf = (rows: { before: unknown }[]) => rows.map(({ before }) => before)
  return { events: beforeOf(given), dates: beforeOf(dated), signed: beforeOf(reopened) }
}

/** Resolves all clashes before rows move, and returns what was changed. */
export async function settleClashes(tx: Tx, merging: MergeContext): Promise<SettledClashes> {
  const settled: SettledClashes = {}
  for (const [kind, rule] of Object.entries(rules) as [
    MergeClash,
    NonNullable<(typeof rules)[MergeClash]>,
  ][]) {
    const { rows } = await rule(merging).execute(tx)
    if (rows.length > 0) settled[kind] = rows.map(({ before }) => before)
  }
  const lists = await joinLists(tx, merging)
  for (const [kind, rows] of Object.entries(lists) as [MergeClash, unknown[]][])
    if (rows.length > 0) settled[kind] = rows
  return settled
}

interface School {
  id: number
  code: string
  name: string
}

/** The people of a school who can sign in. */
export const peopleOf = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator'])
    .where('school_id', '=', id)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute()

/**
 * Notifies the remaining school's coordinators about new people, and the new people about their school; no one if there are
 * none. `before` are the remaining school's people before the others came.
 */
export async function notifyOfMerge(
  tx: Tx,
  now: Date,
  target: School,
  source: School,
  before: Awaited<ReturnType<typeof peopleOf>>,
): Promise<void> {
  const after = await peopleOf(tx, target.id)
  const came = after.filter(({ id }) => before.every((person) => person.id !== id))
  if (came.length === 0) return
  const names = (people: typeof after) => people.map(({ name }) => name).join(', ')
  const told = before.filter(({ coordinator }) => coordinator)
  await mailPeople(tx, now, told, ({ id }) => ({
    key: `merged:${source.id}:${id}`,
    kind: 'joined',
    mail: 'staff-merged',
    values: { people: names(came), school: target.name },
  }))
  const coordinator = names(after.filter((person) => person.coordinator)) || '–'
  await mailPeople(tx, now, came, ({ id }) => ({
    key: `merged:${source.id}:${id}`,
    kind: 'joined',
    mail: 'school-merged',
    values: { gone: `${source.code} ${source.name}`, school: target.name, code: target.code, coordinator },
  }))
}
