import { randomUUID } from 'node:crypto'
import { mergeSchools, previewMerge } from '@podium/contract/schools/calls-merge'
import { sql } from 'kysely'
import { aDay, anOfficer, eventOf, thisSeason } from './factories.ts'
import { aFamily } from './families-factories.ts'
import { anOrderedBook } from './library-factories.ts'
import { aNoticeFor } from './notices-factories.ts'
import type { TestServer } from './server.ts'
import { aPacket, aPaidSchool } from './shipping-factories.ts'
import { anEnteredStudent } from './students-factories.ts'

/** A school with a row in everything that a school can have: paid and owing children, orders, parcels, links, questions … */
export async function aFullSchool(server: TestServer) {
  const { db } = server.deps
  const { teacher, schoolId, students } = await aPaidSchool(server, 2)
  const owing = await anEnteredStudent(server, teacher, { rollno: 7, section: 'C' })
  const family = await aFamily(server, [{ section: 'D' }], teacher)
  await anOrderedBook(server, teacher)
  await aPacket({ schoolId })
  const noticeId = await aNoticeFor({ schoolId })
  const officer = await anOfficer('owner')
  const { id: eventId } = await eventOf('E')
  const child = students[0]?.id ?? 0
  await rareRows(server, { schoolId, userId: teacher.id, staffId: officer.id, eventId, child, noticeId })
  await db
    .updateTable('payments')
    .set({ utr: randomUUID().slice(0, 12) })
    .where('school_id', '=', schoolId)
    .execute()
  return { teacher, schoolId, students, owing, family, officer }
}

interface Ids {
  schoolId: number
  userId: number
  staffId: number
  eventId: number
  child: number
  noticeId: number
}

/** Rows of what the calls make only after a long way. */
async function rareRows(server: TestServer, ids: Ids): Promise<void> {
  const { db } = server.deps
  const { schoolId, userId, staffId, eventId, child, noticeId } = ids
  const own = randomUUID()
  const statements = [
    sql`insert into contacts (school_id, season, designation_id, title_id, name, email, mobile, created_at)
      select ${schoolId}, ${thisSeason}, (select min(id) from designations), (select min(id) from titles), 'Nandini Misaal',
      'nandini@school.example', '9000000021', ${aDay}::timestamptz`,
    sql`insert into applications (user_id, school_name, name_key, address, city, state, district, country, pin_code, phone,
      state_of_review, school_id, submitted_at) values (${userId}, 'Udaharan', 'udaharan', '1 Road', 'Kalpanagar', 'Karnataka',
      '', 'India', '560001', '9000000000', 'approved', ${schoolId}, ${aDay}::timestamptz)`,
    sql`with s as (insert into bank_statements (account_no, file_name, file_sha256, first_day, last_day, lines, fresh, amount,
      outgoing, imported_by, imported_at) values ('1', 'a.csv', ${own}, '2026-11-01', '2026-11-01', 1, 1, 100, 0, ${staffId},
      ${aDay}::timestamptz) returning id)
      insert into bank_lines (account_no, statement_id, row_no, day, amount, utr, narration, line_key, ordinal, guess,
      guess_school_id) select '1', id, 1, '2026-11-01', 100, '', 'NEFT', ${own}, 1, 'likely', ${schoolId} from s`,
    sql`insert into import_mappings (school_id, headings, columns, used_at) values (${schoolId}, 'same', '[]', ${aDay}::timestamptz)`,
    sql`insert into student_imports (id, school_id, season, file_name, sha256, row_count, good_count, good_rows, preview,
      created_by, created_at) values (${own}, ${schoolId}, ${thisSeason}, 'list.xlsx', 'same', 0, 0, '[]', '{}', ${userId},
      ${aDay}::timestamptz)`,
    sql`insert into notice_reads (notice_id, user_id, school_id, revision, read_at) values (${noticeId}, ${userId}, ${schoolId},
      1, ${aDay}::timestamptz)`,
    sql`insert into refunds (school_id, season, amount, pay_to, reason, proposed_by, proposed_at) values (${schoolId},
      ${thisSeason}, 500, 'a@b', 'too much', ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into result_holds (event_id, school_id, reason, held_by, held_at) values (${eventId}, ${schoolId},
      ${`because of ${schoolId}`}, ${staffId}, ${aDay}::timestamptz)`,
    sql`with s as (insert into result_sets (event_id, version, state, imported_at) values (${eventId}, ${schoolId}, 'released',
      ${aDay}::timestamptz) returning id), m as (insert into result_marks (set_id, student_id, school_id, class_id, row_no,
      present, section_marks, raw_score, final_score) select id, ${child}, ${schoolId}, 7, 1, true, '{1}', 1, 1 from s)
      insert into results (set_id, student_id, event_id, school_id, class_id, section, state, zone, exam_roll_no, student_name,
      present, section_marks, raw_score, final_score) select id, ${child}, ${eventId}, ${schoolId}, 7, 'A', 'Karnataka', 'South',
      ${own}, 'Somebody', true, '{1}', 1, 1 from s`,
    sql`insert into next_level_rounds (event_id, season, level, set_id, answer_by, made_at)
      select event_id, ${thisSeason}, 2, id, '2027-02-10', ${aDay}::timestamptz from result_sets
      where event_id = ${eventId} and version = ${schoolId} on conflict do nothing`,
    sql`insert into next_level_invitations (event_id, student_id, school_id, class_id, found_by, wanted, decided_at)
      values (${eventId}, ${child}, ${schoolId}, 7, '', true, ${aDay}::timestamptz)`,
    sql`insert into school_credits (school_id, season, kind, amount, student_id, created_by, created_at) values (${schoolId},
      ${thisSeason}, 'cancelled', 700, ${child}, ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into school_invitations (school_id, email, name, token_hash, invited_by_staff, invited_at, expires_at, sent_at)
      values (${schoolId}, 'new@school.example', 'New', ${own}, ${staffId}, ${aDay}::timestamptz, ${aDay}::timestamptz,
      ${aDay}::timestamptz)`,
    sql`insert into school_links (id, school_id, access_code_hash, created_at) values (${own}, ${schoolId}, '', ${aDay}::timestamptz)`,
    sql`insert into school_nudges (school_id, season, step, people, sent_by, sent_at) values (${schoolId}, ${thisSeason}, 'pay',
      1, ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into school_notes (school_id, kind, body, written_by, written_at) values (${schoolId}, 'call', 'pays on Monday',
      ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into outbox (key, kind, payload, created_at, due_at, done_at, school_id) values ('full:' || ${own}, 'nudge', '{}',
      ${aDay}::timestamptz, ${aDay}::timestamptz, ${aDay}::timestamptz, ${schoolId})`,
    sql`insert into school_visits (school_id, staff_id, user_id, reason, started_at, until) values (${schoolId}, ${staffId},
      ${userId}, 'help', ${aDay}::timestamptz, ${aDay}::timestamptz)`,
    sql`insert into teacher_questions (school_id, season, user_id, letter, class_id, chapter, question, options, answer,
      created_at) values (${schoolId}, ${thisSeason}, ${userId}, 'M', 7, 'Chapter01', 'How many?', '[]', 1, ${aDay}::timestamptz)`,
    sql`insert into files (id, school_id, kind, name, media_type, bytes, sha256, created_at) values (${own}, ${schoolId}, 'waiver',
      'a.pdf', 'application/pdf', 1, ${own}, ${aDay}::timestamptz)`,
    sql`insert into waivers (student_id, school_id, season, gross, retained, reason, evidence_file_id, state, asked_by_user,
      asked_at) values (${child}, ${schoolId}, ${thisSeason}, 100, 10, 'poor', ${own}, 'declined', ${userId}, ${aDay}::timestamptz)`,
    sql`insert into jobs (id, kind, school_id, state, created_at) values (${own}, 'x', ${schoolId}, 'done', ${aDay}::timestamptz)`,
    sql`with t as (insert into users (email, name, designation, school_id, created_at) values (${own}, 'Next', 'Teacher',
      ${schoolId}, ${aDay}::timestamptz) returning id), o as (insert into coordinator_offers (school_id, from_user, to_user,
      offered_at, expires_at) select ${schoolId}, ${userId}, id, ${aDay}::timestamptz, ${aDay}::timestamptz from t)
      insert into school_departures (school_id, user_id, removed_by_staff, removed_at) select ${schoolId}, id, ${staffId},
      ${aDay}::timestamptz from t`,
    sql`with c as (insert into consents (student_id, school_id, notice_version, notice_sha256, language, method, state, at)
      values (${child}, ${schoolId}, '1', '', 'en', 'otp-parent', 'given', ${aDay}::timestamptz))
      insert into data_requests (student_id, school_id, kind, asked_through, asked_at, due_on, state)
      values (${child}, ${schoolId}, 'export', 'office', ${aDay}::timestamptz, '2026-12-21', 'declined')`,
    sql`with i as (insert into school_imports (id, file_name, file_id, headings, fields, state, job_id, created_by, created_at)
      values (${own}, 'a.csv', ${own}, '[]', '[]', 'done', '', ${staffId}, ${aDay}::timestamptz) returning id)
      insert into school_import_rows (import_id, row_no, state, cells, details, school_id)
      select id, 2, 'created', '[]', '{}', ${schoolId} from i`,
    sql`insert into school_steps (season, school_id, step, students, due) values (${thisSeason}, ${schoolId}, 'pay', 1, 1)`,
  ]
  for (const statement of statements) await statement.execute(db)
}

/** A merge as the office asks for it: with the versions that it sees, the code typed. */
export async function mergeOf(
  server: TestServer,
  officer: { token: string },
  pair: { stays: number; leaves: number },
  more: object = {},
) {
  const query = { stays: String(pair.stays), leaves: String(pair.leaves) }
  const { body } = await server.call(previewMerge, { query }, officer)
  const asked = {
    ...pair,
    staysVersion: body.stays?.version,
    leavesVersion: body.leaves?.version,
    seen: body.seen ?? 'nothing was shown',
    take: [],
    typed: body.leaves?.schCode,
    ...more,
  }
  return server.send(mergeSchools, { body: asked }, officer)
}
