import { foldName } from '@podium/contract/names'
import type { erasedKinds } from '@podium/contract/privacy/calls'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files/files'
import { erasedName } from './rules.ts'

interface ChildRecord {
  id: number
  school_id: number
  name: string
  parent_name: string
  parent_email: string
  parent_mobile: string
  family_link_id: string | null
  exam_roll_no: string | null
  import_id: string | null
  locked: boolean
}

type Run = (kind: (typeof erasedKinds)[number], statement: RawBuilder<unknown>) => Promise<void>

/**
 * Erases one child from all records: identifying data is removed, what accounts and statistics need stays anonymous. Other
 * children's rows are not touched. Refuses while a payment is being verified, unless the child was erased before
 * (`evenLocked`): then it stays in that payment without a name. Returns how many rows of each kind were changed or deleted.
 */
export async function eraseChild(
  tx: Tx,
  files: FileStore,
  now: Date,
  ids: number[],
  { evenLocked = false } = {},
): Promise<Record<string, number>> {
  const { rows: known } = await sql<ChildRecord>`
    select id, school_id, name, parent_name, parent_email, parent_mobile, family_link_id, exam_roll_no, import_id, locked
    from students where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  if (!evenLocked && known.some(({ locked }) => locked)) throw new Refusal('privacy.money_under_way')
  const counts: Record<string, number> = {}
  const run: Run = async (kind, statement) => {
    const done = await (statement as ReturnType<typeof sql>).execute(tx)
    const n = Number(done.numAffectedRows ?? 0)
    if (n > 0) counts[kind] = (counts[kind] ?? 0) + n
  }
  // The activity log still contains the family's earlier addresses.
  const addresses = await addressesOf(tx, known)
  const schools = await schoolsOf(tx, known, ids)
  await restartPrinting(tx, schools)
  await eraseEvidence(tx, files, now, ids, run)
  await eraseSheets(known, ids, schools, run)
  await eraseResults(known, ids, run)
  await eraseWords(known, ids, schools, run)
  await run(
    'students',
    sql`
      update students set name = ${erasedName}, name_key = '', parent_name = '', parent_email = '', parent_mobile = '',
        family_link_id = null, carried_from = null, import_id = null, active = active and (paid or locked),
        -- The school must not restore a row without a child.
        cancelled = cancelled or not (active and (paid or locked)),
        erased_at = ${now}, updated_at = ${now}, version = version + 1
      where id = any(${ids}::bigint[])`,
  )
  await eraseFamily(known, addresses, now, run)
  return counts
}

/** The family's e-mail addresses, including earlier ones. */
async function addressesOf(tx: Tx, known: readonly ChildRecord[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct lower(m[1]) as address
    from audit a, regexp_matches(a.change::text, '([[:alnum:]._%+-]+@[[:alnum:].-]+)', 'g') m
    where a.subject_kind = 'student'
    and a.subject_id = any(${known.map(({ id }) => String(id))}::text[])`.execute(tx)
  const now = known.map(({ parent_email: email }) => email.toLowerCase())
  return [...new Set([...now, ...rows.map(({ address }) => address)])].filter(Boolean)
}

/** The child's current and former schools, and schools merged into them, whose old audit lines are separate. */
async function schoolsOf(tx: Tx, known: readonly ChildRecord[], ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with been as (
      select unnest(${known.map(({ school_id: id }) => id)}::bigint[]) as id
      union select from_school from student_moves where student_id = any(${ids}::bigint[])
      union select to_school from student_moves where student_id = any(${ids}::bigint[]))
    select id from been union select s.id from schools s join been on been.id = s.merged_into`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Starts jobs again that are making a file with students' names: they may have read this child's. Before the files are deleted,
 * so that a job that ends meanwhile has stored its file.
 */
async function restartPrinting(tx: Tx, schools: number[]): Promise<void> {
  await sql`
    update jobs set state = 'waiting', claimed_until = null, output = null
    where state in ('waiting', 'running') and kind in ('exams.papers', 'students.print', 'results.certificates')
      and coalesce(school_id = any(${schools}::bigint[]), true)`.execute(tx)
}

/** Erases the family page, unless siblings use it, and e-mails to addresses that no one else uses. */
async function eraseFamily(
  known: readonly ChildRecord[],
  addresses: readonly string[],
  now: Date,
  run: Run,
): Promise<void> {
  const links = known.flatMap(({ family_link_id: id }) => (id === null ? [] : [id]))
  const alone = sql`(select l.id from family_links l where l.id = any(${links}::text[])
    and not exists (select from students s where s.family_link_id = l.id))`
  await run('sessions', sql`delete from sessions where family_link_id in ${alone}`)
  await run(
    'family_links',
    sql`
      update family_links set parent_mobile = '', access_code_hash = '', access_code_sealed = '',
        revoked_at = coalesce(revoked_at, ${now}::timestamptz)
      where id in ${alone}`,
  )
  const nobodys = sql`(select a from unnest(${addresses}::text[]) a
    where not exists (select from students s where lower(s.parent_email) = a)
      and not exists (select from users u where lower(u.email) = a)
      and not exists (select from staff f where lower(f.email) = a))`
  const children = known.map(({ id }) => String(id))
  await run(
    'outbox',
    sql`
      delete from outbox where payload->'to'->>'address' in ${nobodys}
        or split_part(key, ':', 1) in ('family-contact', 'family-link') and split_part(key, ':', 2) = any(${children}::text[])`,
  )
  await run('tickets', sql`delete from tickets where email in ${nobodys}`)
}

/** Deletes the content of spreadsheets and answers that named the child; only their row counts remain. */
async function eraseSheets(
  known: readonly ChildRecord[],
  ids: number[],
  schools: number[],
  run: Run,
): Promise<void> {
  const names = known.map(({ name }) => JSON.stringify(name))
  const importIds = known.flatMap(({ import_id: id }) => (id === null ? [] : [id]))
  await run(
    'student_imports',
    sql`
      update student_imports set sheet = null, settings = '{}', good_rows = '[]', preview = '{}', refused = '[]'
      where school_id = any(${schools}::bigint[]) and (sheet is not null or good_rows <> '[]' or preview <> '{}' or refused <> '[]')
        and (id = any(${importIds}::text[])
          or id in (select import_id from student_import_changes where student_id = any(${ids}::bigint[]))
          or exists (select from unnest(${names}::text[]) n
            where position(n in coalesce(sheet::text, '') || good_rows::text || preview::text || refused::text) > 0))`,
  )
  // Without its answer, a repeated request is refused, and the child is not entered again.
  await run(
    'idempotency_keys',
    sql`
      update idempotency_keys set answer = null
      where exists (select from unnest(${namesOf(known)}::text[]) n where position(n in answer::text) > 0)`,
  )
  await run(
    'student_import_changes',
    sql`delete from student_import_changes where student_id = any(${ids}::bigint[])`,
  )
  // These can be generated again; the office's papers and certificates cover many schools and belong to none
  await run(
    'files',
    sql`
      delete from files where kind = 'exams.papers'
        or kind in ('print', 'results.certificates') and coalesce(school_id = any(${schools}::bigint[]), true)`,
  )
}

/** Keeps scores and ranks, which others' ranks depend on; removes whose they were, the certificate, and invitations. */
async function eraseResults(known: readonly ChildRecord[], ids: number[], run: Run): Promise<void> {
  const rolls = known.flatMap(({ exam_roll_no: no }) => (no === null ? [] : [no]))
  await run('certificates', sql`delete from certificates where student_id = any(${ids}::bigint[])`)
  await run(
    'results',
    sql`
      update results set student_name = ${erasedName}, exam_roll_no = '', coupon_link = '', link_secret = gen_random_uuid()
      where student_id = any(${ids}::bigint[])`,
  )
  await run(
    'next_level_invitations',
    sql`
      update next_level_invitations set reason = '', answer_note = '', found_by = '', wanted = false,
        notice = case notice when 'invited' then 'withdrawn' else notice end
      where student_id = any(${ids}::bigint[])`,
  )
  await run(
    'result_anomalies',
    sql`update result_anomalies set detail = '{}', resolution = '', reopened = '[]', exam_roll_no = '' where exam_roll_no = any(${rolls}::text[])`,
  )
}

/** Keeps a waiver in the accounts, but deletes its evidence (a letter about a family). */
async function eraseEvidence(tx: Tx, files: FileStore, now: Date, ids: number[], run: Run): Promise<void> {
  const { rows } = await sql<{ id: number; file: string; school: number }>`
    select id, evidence_file_id as file, school_id as school from waivers
    where student_id = any(${ids}::bigint[])`.execute(tx)
  for (const { id, file, school } of rows) {
    const stub = await storeFile(tx, files, now, {
      schoolId: school,
      kind: 'waiver-evidence',
      name: 'erased.txt',
      mediaType: 'text/plain; charset=utf-8',
      bytes: Buffer.from('The evidence was erased with the data of the child.\n'),
    })
    await run(
      'waivers',
      sql`update waivers set evidence_file_id = ${stub}, reason = '', decision = '' where id = ${id}`,
    )
    await run('files', sql`delete from files where id = ${file}`)
  }
}

/** Erases texts about the child: in the activity log, in notes, and in the data requests themselves. */
async function eraseWords(
  known: readonly ChildRecord[],
  ids: number[],
  schools: number[],
  run: Run,
): Promise<void> {
  await run(
    'audit',
    sql`
      update audit set change = '{}'
      where subject_kind in ('student', 'waiver') and change <> '{}'
        and (subject_kind = 'student' and subject_id = any(${ids.map(String)}::text[])
          or subject_kind = 'waiver' and subject_id in (select id::text from waivers where student_id = any(${ids}::bigint[])))`,
  )
  await run(
    'audit',
    sql`
      update audit set change = change - 'reason'
      where subject_kind = 'next_level' and change ? 'reason' and exists (
        select from jsonb_array_elements_text(change->'students') one where one::bigint = any(${ids}::bigint[]))`,
  )
  // In lines about a list or payment with several students, only this name is removed.
  for (const name of namesOf(known)) {
    const field = sql`${name}::text || ': '`
    const without = sql`
      replace(replace(replace(change::text, ${field}, chr(1)), ${name}, '"•••"'), chr(1), ${field})::jsonb`
    await run(
      'audit',
      sql`
        update audit set change = ${without}
        where school_id = any(${schools}::bigint[]) and position(${name} in change::text) > 0
          and subject_kind <> all(${othersKinds}::text[]) and change <> ${without}`,
    )
  }
  await eraseSearches(known, run)
  await run(
    'student_moves',
    sql`update student_moves set reason = '' where student_id = any(${ids}::bigint[])`,
  )
  await run(
    'school_credits',
    sql`update school_credits set note = '' where student_id = any(${ids}::bigint[])`,
  )
  await run(
    'data_requests',
    sql`update data_requests set message = '', contact = '', check_note = '' where student_id = any(${ids}::bigint[])`,
  )
}

/** Exports whose lines contain what was searched for, which may be a student */
const searchedExports = ['students.exported', 'waiver.exported', 'next_level.exported', 'changes.exported']

/**
 * Removes the child from what the log says was searched for: if all words of a search occur in the child's name and contacts,
 * or all of the name in the search.
 */
async function eraseSearches(known: readonly ChildRecord[], run: Run): Promise<void> {
  const children = known.map((child) => ({
    name: child.name.toLowerCase(),
    texts: [child.name, foldName(child.name), child.parent_name, child.parent_email, child.parent_mobile]
      .join(' ')
      .toLowerCase(),
  }))
  const typed = sql`lower(trim(change #>> '{filters,search}'))`
  const isAllIn = (words: RawBuilder<unknown>, text: RawBuilder<unknown>) => sql`not exists (
    select from regexp_split_to_table(${words}, '\\s+') word where position(word in ${text}) = 0)`
  await run(
    'audit',
    sql`
      update audit set change = jsonb_set(change, '{filters,search}', '"•••"')
      where action = any(${searchedExports}::text[]) and coalesce(${typed}, '') not in ('', '•••')
        and exists (
          select from jsonb_to_recordset(${JSON.stringify(children)}::jsonb) as c (name text, texts text)
          where ${isAllIn(typed, sql`c.texts`)} or c.name <> '' and ${isAllIn(sql`c.name`, typed)})`,
  )
}

/**
 * Lines about these records are not searched: a parent may also be a teacher and keeps the name there. Lines about another
 * student belong to that student, who may be a sibling or have the same name; the erased student's own are empty by now.
 */
const othersKinds = ['student', 'waiver', 'user', 'school', 'invitation', 'contact', 'application', 'staff']

/** Name and contact details as they appear in JSON. */
function namesOf(known: readonly ChildRecord[]): string[] {
  const all = known.flatMap((item) => [item.name, item.parent_name, item.parent_email, item.parent_mobile])
  return [...new Set(all)].filter(Boolean).map((text) => JSON.stringify(text))
}
