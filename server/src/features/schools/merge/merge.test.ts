import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inviteColleague } from '@podium/contract/accounts/calls-invitations'
import { getUserDetailsByUid } from '@podium/contract/accounts/calls-registration'
import { bankLineDetails, bookLine } from '@podium/contract/bank/calls'
import type { ErrorCode } from '@podium/contract/errors'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { mergeCandidates, mergeJob, previewMerge } from '@podium/contract/schools/calls-merge'
import { officeSchool, officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { setSchoolStatus } from '@podium/contract/schools/calls-write'
import { officeDue } from '@podium/contract/shipping/calls-orders'
import { moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { aLinkedSchool, aRegistered, mergeOf } from '#test/accounts-factories'
import { anImport, lineWith } from '#test/bank-factories'
import { whileHeld } from '#test/database'
import { aDay, aNoticeFor, anOfficer, aSchool, aTeacher, eventOf, thisSeason } from '#test/factories'
import { anOrderedBook, aPendingPayment, aStudent, ledgerHolds } from '#test/payments-factories'
import { addRows, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, refused, type TestServer, testServer } from '#test/server'
import { aPacket, aPaidSchool } from '#test/shipping-factories'
import { aFamily, anEnteredStudent } from '#test/students-factories'
import { mergeColumns, schoolColumns } from './rules.ts'

/** A school with a row in every table that refers to schools: paid and unpaid students, orders, parcels, links, questions … */
async function aFullSchool(server: TestServer) {
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
  await changeRows('payments', { school_id: schoolId }, { utr: randomUUID().slice(0, 12) })
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

/** Rows that the calls create only after many steps. */
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
    sql`insert into school_reminders (school_id, season, step, people, sent_by, sent_at) values (${schoolId}, ${thisSeason}, 'pay',
      1, ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into school_notes (school_id, kind, body, written_by, written_at) values (${schoolId}, 'call', 'pays on Monday',
      ${staffId}, ${aDay}::timestamptz)`,
    sql`insert into outbox (key, kind, payload, created_at, due_at, done_at, school_id) values ('full:' || ${own}, 'reminder', '{}',
      ${aDay}::timestamptz, ${aDay}::timestamptz, ${aDay}::timestamptz, ${schoolId})`,
    sql`insert into acting_sessions (school_id, staff_id, user_id, reason, started_at, until) values (${schoolId}, ${staffId},
      ${userId}, 'help', ${aDay}::timestamptz, ${aDay}::timestamptz)`,
    sql`insert into teacher_questions (school_id, season, user_id, letter, class_id, chapter, question, options, answer,
      created_at) values (${schoolId}, ${thisSeason}, ${userId}, 'M', 7, 'Chapter01', 'How many?', '[]', 1, ${aDay}::timestamptz)`,
    sql`insert into files (id, school_id, kind, name, media_type, bytes, sha256, created_at) values (${own}, ${schoolId}, 'waiver',
      'a.pdf', 'application/pdf', 1, ${own}, ${aDay}::timestamptz)`,
    sql`insert into waivers (student_id, school_id, season, gross, retained, reason, evidence_file_id, state, asked_by_user,
      asked_at) values (${child}, ${schoolId}, ${thisSeason}, 100, 10, 'poor', ${own}, 'declined', ${userId}, ${aDay}::timestamptz)`,
    sql`insert into jobs (id, kind, school_id, state, created_at) values (${own}, 'x', ${schoolId}, 'done', ${aDay}::timestamptz)`,
    sql`with t as (insert into users (email, name, designation, school_id, created_at) values (${`${own}@school.example`}, 'Next', 'Teacher',
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

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('owner'))

const recordOf = (id: number) => server.ask(officeSchool, { id: String(id), FYear: thisSeason }, officer)
const rowsAt = async (school: number) => {
  const counts: Record<string, number> = {}
  for (const { table, column } of mergeColumns('moves')) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)}
      where ${sql.ref(column)} = ${school}`.execute(server.deps.db)
    counts[`${table}.${column}`] = rows[0]?.n ?? 0
  }
  return counts
}

/** The number of rows of each table, and the sum of each of its amounts. */
async function tableSums() {
  const { rows: columns } = await sql<{ t: string; c: string }>`
    select c.table_name as t, string_agg(c.column_name, ',') filter (
      where c.data_type in ('integer', 'bigint') and c.column_name ~
        '^(amount|gross|retained|payable|fee|price|quantity|reg_|book_|cb$|to_|discarded|wanted|packed|due|students)'
        and c.column_name <> 'to_school') as c
    from information_schema.columns c join information_schema.tables i using (table_schema, table_name)
    where c.table_schema = 'public' and i.table_type = 'BASE TABLE'
    group by c.table_name`.execute(server.deps.db)
  const found: Record<string, Record<string, number>> = {}
  for (const { t, c } of columns) {
    const sums = (c ?? '').split(',').filter(Boolean)
    const { rows } = await sql<Record<string, number>>`
      select count(*)::float8 as rows ${sql.raw(sums.map((name) => `, coalesce(sum("${name}"), 0)::float8 as "${name}"`).join(''))}
      from ${sql.table(t)}`.execute(server.deps.db)
    found[t] = rows[0] ?? {}
  }
  return found
}

test('every column that refers to a school has its rule in the merge, and its table refuses a merged school', async () => {
  const { rows } = await sql<{ name: string; guarded: boolean }>`
    select c.table_name || '.' || c.column_name as name, exists (
      select from pg_trigger t where t.tgrelid = c.table_name::regclass and t.tgname = 'zz_school_not_merged') as guarded
    from information_schema.columns c
    where c.table_schema = 'public' and c.data_type = 'bigint' and (c.column_name like '%school%' or exists (
      select from information_schema.key_column_usage k
      join information_schema.referential_constraints r using (constraint_schema, constraint_name)
      join information_schema.key_column_usage o on o.constraint_schema = r.unique_constraint_schema
        and o.constraint_name = r.unique_constraint_name and o.table_name = 'schools'
      where k.table_name = c.table_name and k.column_name = c.column_name))`.execute(server.deps.db)
  const names = [...rows.map(({ name }) => name), 'schools.merged_into']
  assert.deepEqual([...new Set(names)].sort(), Object.keys(schoolColumns).sort())
  // These belong to a guarded row, or are written only by the program.
  const unguarded = [
    'book_choices',
    'dispatch_stale',
    'enrolments',
    'files',
    'jobs',
    'ledger_stale',
    'next_level_invitations',
    'outbox',
    'result_marks',
    'results',
    'school_import_rows',
  ]
  const moving = rows.filter(
    ({ name }) =>
      name.endsWith('.school_id') && mergeColumns('moves').some(({ table }) => name.startsWith(`${table}.`)),
  )
  assert.deepEqual(
    moving
      .filter(({ guarded }) => !guarded)
      .map(({ name }) => name.replace('.school_id', ''))
      .sort(),
    unguarded,
  )
})

test('a merge moves everything of a school: no row is lost, and all sums stay the same', async () => {
  const keeps = await aFullSchool(server)
  const goes = await aFullSchool(server)
  const { db } = server.deps
  const moved = goes.students[0]
  const { code: keepsCode } = await findRow('schools', { id: keeps.schoolId })
  const { version } = await findRow('students', { id: moved?.id ?? 0 })
  await db
    .deleteFrom('results')
    .where('student_id', '=', moved?.id ?? 0)
    .execute()
  const move = {
    id: moved?.id ?? 0,
    version,
    schCode: keepsCode,
    section: 'Z',
    rollno: 1,
    reason: 'changed school',
  }
  await server.ask(moveStudent, move, officer)
  const { id: child } = await aStudent({ schoolId: goes.schoolId, letters: [] })
  await sql`insert into results (set_id, student_id, event_id, school_id, class_id, section, state, zone, exam_roll_no,
    student_name, present, section_marks, raw_score, final_score)
    select id, ${child}, event_id, ${goes.schoolId}, 7, 'A', '', '', 'x', 'x', true, '{1}', 1, 1 from result_sets
    where version = ${goes.schoolId}`.execute(db)
  await sql`insert into schools (code, name, name_key, address, city, state, zone, country, pin_code, created_at, active, merged_into, merged_at)
    select 'M' || ${goes.schoolId}::text, 'Earlier', 'earlier', '', '', '', '', '', '', ${aDay}::timestamptz, false, ${goes.schoolId},
    ${aDay}::timestamptz`.execute(db)
  await sql`insert into waivers (student_id, school_id, season, gross, retained, reason, evidence_file_id, state, asked_by_staff, asked_at)
    select ${child}, ${goes.schoolId}, ${thisSeason}, 1, 0, 'x', (select min(id) from files), 'declined', ${officer.id},
    ${aDay}::timestamptz`.execute(db)
  // Each table that moves must have rows, or the test would prove nothing.
  const there = await rowsAt(goes.schoolId)
  await sql`insert into student_moves (student_id, season, from_school, to_school, amount, reason, moved_by, at)
    select ${child}, ${thisSeason}, ${keeps.schoolId}, ${goes.schoolId}, 0, 'back', ${officer.id},
    ${aDay}::timestamptz`.execute(db)
  assert.deepEqual(
    Object.entries(there)
      .filter(([name, n]) => n === 0 && name !== 'student_moves.to_school')
      .map(([name]) => name),
    [],
  )
  const money = async (tokens: string[]) => {
    let balance = 0
    let retained = 0
    for (const token of tokens) {
      const query = { FYear: thisSeason }
      balance += (await server.ask(accountStatement, query, { token })).totals.balance
      retained += (await server.ask(shareLedger, query, { token })).totals.retained
    }
    return { balance, retained }
  }
  const owed = await money([keeps.teacher.token, goes.teacher.token])
  // What must be sent, recounted where marked.
  const wanted = async () => {
    await server.ask(officeDue, { FYear: thisSeason, contents: 'books' }, officer)
    const { rows } = await sql<{ wanted: number; packed: number }>`
      select sum(wanted)::int as wanted, sum(packed)::int as packed from dispatch_sums
      where school_id in (${keeps.schoolId}, ${goes.schoolId})`.execute(db)
    return rows[0]
  }
  const parcels = await wanted()
  assert.ok((parcels?.wanted ?? 0) > 0)
  const before = await tableSums()
  const query = { target: String(keeps.schoolId), source: String(goes.schoolId) }
  const preview = await server.ask(previewMerge, query, officer)
  const merged = await mergeOf(server, officer, { target: keeps.schoolId, source: goes.schoolId })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  await server.jobs.drain()

  assert.deepEqual(
    Object.values(await rowsAt(goes.schoolId)).filter((n) => n > 0),
    [],
  )
  const after = await tableSums()
  const clash = (kind: string) => preview.clashes.find((found) => found.kind === kind)?.count ?? 0
  const differing = Object.keys(before)
    .filter((table) => !/^dispatch_|ledger/.test(table))
    .filter((table) => JSON.stringify(before[table]) !== JSON.stringify(after[table]))
  // By the rules: lists of one event, withholdings and remembered columns are merged; copies of a book become one line;
  // the next step is recomputed; the merge, its audit lines, its job and the e-mail about new staff are added.
  const expected = ['import_mappings', 'library_lines', 'participations', 'result_holds', 'school_steps']
  assert.deepEqual(differing.sort(), ['audit', 'jobs', 'outbox', 'school_merges', ...expected].sort())
  const lost = (table: string) => (before[table]?.rows ?? 0) - (after[table]?.rows ?? 0)
  assert.deepEqual(
    [
      lost('participations'),
      lost('result_holds'),
      lost('import_mappings'),
      lost('library_lines'),
      lost('school_steps'),
    ],
    [clash('events'), clash('holds'), 1, 0, 1],
  )
  assert.ok(clash('events') > 0 && clash('holds') === 1 && clash('rolls') === 1)
  assert.deepEqual(await money([keeps.teacher.token]), owed)
  await ledgerHolds(server, officer, { ...keeps.teacher, schoolId: keeps.schoolId })
  for (const { kind, target, source } of preview.sums ?? []) {
    const again = await server.ask(
      previewMerge,
      { target: String(keeps.schoolId), source: String((await aSchool()).id) },
      officer,
    )
    assert.deepEqual([kind, again.sums?.find((sum) => sum.kind === kind)?.target], [kind, target + source])
  }
  assert.deepEqual(await wanted(), parcels)
})

test('two open lines of a book at each school become one, and no copy is lost', async () => {
  const [keeps, goes] = [await aTeacher(), await aTeacher()]
  const ordered: number[] = []
  for (const [teacher, quantity] of [
    [keeps, 1],
    [keeps, 20],
    [goes, 300],
    [goes, 400],
  ] as const) {
    const books = await anOrderedBook(server, teacher, { quantity })
    ordered.push(books.id)
    // As a returned payment leaves it: open again after the next one was ordered.
    await changeRows('library_lines', { id: books.id }, { active: false })
  }
  await changeRows('library_lines', { id: ordered }, { active: true })
  const merged = await mergeOf(server, officer, { target: keeps.schoolId, source: goes.schoolId })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  const lines = await findRows(
    'library_lines',
    { school_id: keeps.schoolId, active: true },
    ['quantity'],
    'id',
  )
  assert.deepEqual(valuesOf(lines, 'quantity'), [701, 20])
})

test('the preview names all students that are in both, and dates and classes as everywhere', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  for (const rollNo of [1, 2, 3, 4, 5, 6, 7]) {
    const { name } = await aStudent({ schoolId: keeps.id, rollNo, classId: 13 })
    await aStudent({ schoolId: goes.id, rollNo, classId: 13, name })
  }
  const { id: event_id } = await eventOf('E')
  const signed_off_at = '2026-11-23T20:00:00Z'
  await addRows('participations', [
    { school_id: keeps.id, event_id, signed_off_at, created_at: aDay },
    { school_id: goes.id, event_id, created_at: aDay },
  ])
  const body = await server.ask(previewMerge, { target: String(keeps.id), source: String(goes.id) }, officer)
  const examples = (of: string) => body.clashes.find(({ kind }) => kind === of)?.examples
  const twins = examples('twins') ?? []
  assert.equal(twins.length, 7)
  assert.match(twins[0]?.target ?? '', / LKG A \d$/)
  assert.equal(examples('signed')?.[0]?.target, '24-Nov-2026')
})

test('two students with the same roll no both stay; the one that moves gets the next free number and a history line', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  const there = await aStudent({ schoolId: keeps.id, rollNo: 4 })
  await aStudent({ schoolId: keeps.id, rollNo: 9 })
  const comes = await aStudent({ schoolId: goes.id, rollNo: 4, name: there.name })
  const body = await server.ask(previewMerge, { target: String(keeps.id), source: String(goes.id) }, officer)
  assert.deepEqual(
    valuesOf(
      body.clashes.filter(({ kind }) => kind === 'twins' || kind === 'rolls'),
      'kind',
      'count',
    ),
    [
      ['twins', 1],
      ['rolls', 1],
    ],
  )
  assert.equal((await mergeOf(server, officer, { target: keeps.id, source: goes.id })).status, 200)
  const rows = await findRows(
    'students',
    { id: [there.id, comes.id] },
    ['id', 'roll_no', 'school_id', 'active'],
    'id',
  )
  assert.deepEqual(rows, [
    { id: there.id, roll_no: 4, school_id: keeps.id, active: true },
    { id: comes.id, roll_no: 10, school_id: keeps.id, active: true },
  ])
  const { data } = await server.ask(officeSchoolHistory, { id: String(keeps.id) }, officer)
  assert.deepEqual(
    data.find(({ subjectId, subjectKind }) => subjectKind === 'student' && subjectId === String(comes.id))
      ?.changes[0],
    { field: 'rollNo', from: '4', to: '10' },
  )
})

test('the code, link and history of a merged school lead to the school it was merged into', async () => {
  const keeps = await aSchool()
  const { school: goes, id: linkId, code } = await aLinkedSchool(server)
  const teacher = await aTeacher({ schoolId: goes.id })
  await mergeOf(server, officer, { target: keeps.id, source: goes.id }, { take: ['schName', 'udiseCode'] })
  const body = await server.ask(getUserDetailsByUid, { GUID: linkId })
  assert.deepEqual(valuesOf(body.data, 'id', 'schName'), [[keeps.id, goes.name]])
  const { emailId } = await aRegistered(server, { schId: keeps.id }, { id: linkId, code })
  const joined = await findRows('users', { email: [emailId, teacher.email] }, ['school_id'])
  assert.deepEqual(joined, [{ school_id: keeps.id }, { school_id: keeps.id }])
  const found = await server.ask(officeSchools, { FYear: thisSeason, search: goes.code }, officer)
  assert.deepEqual(valuesOf(found.data, 'id'), [keeps.id])
  const merged = await recordOf(goes.id)
  assert.deepEqual([merged.school.active, merged.school.mergedInto?.id], [false, keeps.id])
  assert.deepEqual(valuesOf((await recordOf(keeps.id)).school.merged, 'schCode'), [goes.code])
  await anImport(server, officer.token, [{ narration: `NEFT ${goes.code} MERGED`, amount: 12 }])
  const { id: line } = await server.deps.db
    .selectFrom('bank_lines')
    .select('id')
    .where('narration', 'like', `%${goes.code} MERGED%`)
    .executeTakeFirstOrThrow()
  const { line: shown } = await server.ask(bankLineDetails, { id: String(line) }, officer)
  assert.ok(
    shown.schools.some(({ schoolId }) => schoolId === keeps.id),
    JSON.stringify(shown.schools),
  )
})

test('a bank line of a school that is being merged can be booked at the same moment: neither waits for the other', async () => {
  const { school: goes } = await aPendingPayment(server)
  const keeps = await aSchool()
  await anImport(server, officer.token, [{ narration: `NEFT ${goes.code} TOGETHER`, amount: 12 }])
  const { id, version } = await lineWith(server, officer.token, `${goes.code} TOGETHER`)
  const credits = [{ schoolId: goes.id, amount: 12 }]
  const answers = await whileHeld<{ status: number }>(
    sql`select from schools where id = ${goes.id} for update`,
    [
      () => mergeOf(server, officer, { target: keeps.id, source: goes.id }),
      () => server.call(bookLine, { body: { id, version, parts: [], credits } }, officer),
    ],
  )
  assert.deepEqual(valuesOf(answers, 'status'), [200, 409])
})

test('schools are not merged if a student was entered after the preview', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  const pair = { target: keeps.id, source: goes.id }
  const query = { target: String(keeps.id), source: String(goes.id) }
  const { seen } = await server.ask(previewMerge, query, officer)
  await aStudent({ schoolId: goes.id })
  await refused('changed_meanwhile', mergeOf(server, officer, pair, { seen }))
  assert.equal((await mergeOf(server, officer, pair)).status, 200)
})

test('staff of a merged school have to sign in again, and nothing can be written for that school', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  const teacher = await aTeacher({ schoolId: goes.id })
  await mergeOf(server, officer, { target: keeps.id, source: goes.id })
  assert.equal((await server.call(accountStatement, { query: { FYear: thisSeason } }, teacher)).status, 401)
  await assert.rejects(aTeacher({ schoolId: goes.id }), { code: 'PD001' })
  const change = { id: goes.id, version: 2, active: true, reason: 'again' }
  await server.refuses('schools.merged', setSchoolStatus, change, officer)
  await refused(
    'schools.merged',
    mergeOf(
      server,
      officer,
      { target: goes.id, source: keeps.id },
      { targetVersion: 2, sourceVersion: 2, typed: keeps.code },
    ),
  )
})

test('a person removed from a school does not return through a merge; its coordinator learns who joins', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  const hema = await aTeacher({ schoolId: keeps.id, coordinator: true })
  const joel = await aTeacher({ schoolId: goes.id, coordinator: true, name: 'Joel Namunawala' })
  const tara = await aTeacher({ schoolId: goes.id, name: 'Tara Kalpanik' })
  const back = await aTeacher({ schoolId: goes.id, name: 'Kiran Udaharan' })
  const left = { school_id: keeps.id, removed_by_staff: officer.id, removed_at: aDay }
  await addRows('school_departures', [
    { ...left, user_id: joel.id },
    { ...left, user_id: back.id, returned_at: aDay },
  ])
  const emailId = `${randomUUID()}@school.example`
  await server.ask(inviteColleague, { name: 'Joel again', emailId }, joel)
  const query = { target: String(keeps.id), source: String(goes.id) }
  const preview = await server.ask(previewMerge, query, officer)
  assert.deepEqual(preview.clashes.find(({ kind }) => kind === 'removed')?.examples, [
    { what: '', target: '', source: 'Joel Namunawala' },
  ])
  assert.equal((await mergeOf(server, officer, { target: keeps.id, source: goes.id })).status, 200)
  const people = await findRows(
    'users',
    { id: [hema.id, joel.id, tara.id, back.id] },
    ['id', 'school_id', 'coordinator'],
    'id',
  )
  assert.deepEqual(people, [
    { id: hema.id, school_id: keeps.id, coordinator: true },
    { id: joel.id, school_id: null, coordinator: false },
    { id: tara.id, school_id: keeps.id, coordinator: false },
    { id: back.id, school_id: keeps.id, coordinator: false },
  ])
  const open = await findRows('school_invitations', { school_id: keeps.id, withdrawn_at: null }, ['id'])
  assert.deepEqual(open, [])
  const [mail] = await mailsTo(server, hema.email)
  assert.match(mail?.text ?? '', /Tara Kalpanik, Kiran Udaharan/)
  assert.doesNotMatch(mail?.text ?? '', /Joel/)
  const [told] = await mailsTo(server, tara.email)
  assert.ok(told, 'the people of the school that was given up are told where their students are')
  for (const text of [goes.code, keeps.code, hema.name]) assert.ok(told.text.includes(text), text)
})

test('an unsafe merge is refused and leaves both schools as they were', async () => {
  const [keeps, goes] = [await aSchool(), await aSchool()]
  const pair = { target: keeps.id, source: goes.id }
  const refuses = (code: ErrorCode, more: object, which = pair) =>
    refused(code, mergeOf(server, officer, which, more))
  await refuses('input.invalid', { typed: keeps.code })
  await refuses('changed_meanwhile', { sourceVersion: 7 })
  const itself = { targetVersion: 1, sourceVersion: 1, typed: keeps.code }
  await refuses('schools.merge_same', itself, { target: keeps.id, source: keeps.id })
  await changeRows('schools', { id: goes.id }, { country: 'Nepal', state: 'Bagmati' })
  await refuses('input.invalid', { take: ['state'] })
  const [first, second] = [await aPendingPayment(server), await aPendingPayment(server)]
  const both = { target: first.school.id, source: second.school.id }
  await refuses('schools.merge_blocked', {}, both)
  assert.equal(
    (await server.ask(previewMerge, { target: String(both.target), source: String(both.source) }, officer))
      .blocks[0]?.kind,
    'pending',
  )
  const rows = await findRows('schools', { id: [keeps.id, goes.id, both.source] }, ['version'])
  assert.deepEqual(valuesOf(rows, 'version'), [1, 1, 1])
})

test('a similar school is suggested, and a large one is merged by a job that can be restarted', async () => {
  const keeps = await aSchool()
  const goes = await aSchool({ name: keeps.name })
  const body = await server.ask(mergeCandidates, { id: String(keeps.id) }, officer)
  assert.deepEqual(body.data.find(({ schId }) => schId === goes.id)?.same.includes('name'), true)
  await sql`insert into students (school_id, season, class_id, section, roll_no, name, name_key, created_at, updated_at)
    select ${goes.id}, ${thisSeason}, 5, 'A', n, 'Child ' || n, 'child ' || n, ${aDay}::timestamptz, ${aDay}::timestamptz
    from generate_series(1, 2001) as n`.execute(server.deps.db)
  const { body: asked } = await mergeOf(server, officer, { target: keeps.id, source: goes.id })
  const jobId = String(asked.jobId)
  assert.notEqual(jobId, '')
  await server.jobs.drain()
  assert.equal((await server.ask(mergeJob, { jobId }, officer)).state, 'done')
  await changeRows('jobs', { id: jobId }, { state: 'waiting' })
  await server.jobs.drain()
  assert.equal((await server.ask(mergeJob, { jobId }, officer)).state, 'done')
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from students where school_id = ${keeps.id}`.execute(server.deps.db)
  assert.equal(rows[0]?.n, 2001)
})
