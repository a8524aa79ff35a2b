import { amountFields, type ShareRule } from '@podium/contract/catalogue/rules-fee'
import { className } from '@podium/contract/classes'
import { istDay, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { RemainingStudent } from '@podium/contract/students/calls-import'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import type { StudentFields } from '@podium/contract/students/schemas'
import { sql } from 'kysely'
import { catalogueForSchool, loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import { audit, insertAudit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { idempotent } from '#platform/http/idempotency'
import type { JobState } from '#platform/jobs/jobs'
import { updateSlabShares } from '#platform/paid-students'
import { type Outcome, type SaveRefusal, saveStudents } from '../entry/commands-save.ts'
import { type SaveTarget, snapshot, type Writer } from '../entry/commands-write.ts'
import { readPrices, type StoredPrices, storedPrices } from '../entry/rules.ts'
import { lockImport } from './commands.ts'
import { isReferredTo, isRestorable, removable } from './queries.ts'
import type { ValidRow } from './rules-classify.ts'

interface StudentChange {
  id: number
  version: number
  before: StudentFields
  prices: StoredPrices | null
}

interface UndoContext {
  importId: string
  season: Season
  catalogue: SeasonCatalogue
}

/**
 * Restores students changed by an import to their previous state and prices, unless they changed again since. Returns how
 * many.
 */
async function setBack(tx: Tx, by: Writer, { importId, season, catalogue }: UndoContext): Promise<number> {
  const { rows } = await sql<StudentChange>`
    select st.id, st.version, c.before, c.prices from student_import_changes c join students st on st.id = c.student_id
    where c.import_id = ${importId} and st.school_id = ${by.scope.schoolId} and ${isRestorable}
      and not exists (
        select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(by.now)}::date)
    order by st.id for update of st`.execute(tx)
  const outcomes = await saveStudents(
    tx,
    by,
    { season, catalogue, undoes: importId },
    rows.map(({ id, version, before: fields, prices }) => ({
      ...{ id, version, fields },
      stood: prices ? readPrices(prices) : undefined,
    })),
  )
  const back = outcomes.flatMap((outcome) => ('saved' in outcome ? outcome.saved.id : []))
  await markAsImported(tx, back)
  await sql`
    delete from student_import_changes
    where import_id = ${importId} and student_id = any(${back}::bigint[])`.execute(tx)
  return back.length
}

/**
 * Undoes an import. Students it added are removed, with family links no one else uses, if they are active, unpaid, never sent
 * for payment, unchanged, without a waiver, consent or request, and only in open events and lists not signed off; students it changed are restored. The activity
 * log keeps both. Returns how many, and who stays and why; repeating it undoes what has become possible since, with the same
 * Idempotency-Key nothing.
 */
export async function undoImport(
  db: Db,
  keys: Keys,
  call: Parameters<typeof idempotent>[1] & { scope: SchoolScope },
  importId: string,
) {
  const { scope, now } = call
  const undo = async (tx: Tx) => {
    // Before its students, as a sign-off does, which locks lists and students the other way round.
    await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
    await lockImport(tx, scope, importId)
    const { rows } = await sql<{ season: Season; state: JobState | null; open: boolean }>`
      select i.season, (select j.state from jobs j where j.id = i.job_id) as state, s.state = 'open' as open
      from student_imports i join seasons s on s.label = i.season
      where i.id = ${importId} and i.school_id = ${scope.schoolId}`.execute(tx)
    const { season, state, open } = orNotFound(rows[0])
    if (state === 'waiting' || state === 'running') throw new Refusal('enrolment.import_running')
    if (!open) throw new Refusal('enrolment.season_closed')
    const listed = orNotFound(await loadCatalogue(tx, season, now))
    const catalogue = await catalogueForSchool(tx, listed, scope, season)
    const removed = await remove(tx, scope, now, importId)
    const restored = await setBack(tx, { scope, keys, now }, { importId, season, catalogue })
    const stayed = await findStaying(tx, scope, importId)
    if (removed + restored === 0 && stayed.length > 0) throw new Refusal('enrolment.undo_nothing')
    await sql`update student_imports set undone_at = ${now}::timestamptz where id = ${importId}`.execute(tx)
    if (removed + restored > 0) {
      const subject = { kind: 'import', id: importId, season }
      await audit(tx, now, scope, 'import.undone', subject, { removed, restored, stayed: stayed.length })
    }
    return { season, answer: { importId, removed, restored, stayed } }
  }
  const undone = await db.transaction().execute((tx) => idempotent(tx, call, () => undo(tx)))
  await updateSlabShares(db, now, { schoolId: scope.schoolId, season: undone.season })
  return undone.answer
}

/** Deletes in order of references. Locks the rows first, so that no payment intervenes. */
async function remove(tx: Tx, scope: SchoolScope, now: Date, importId: string): Promise<number> {
  const locked = await sql<{ id: number }>`
    select st.id from students st
    where st.import_id = ${importId} and st.school_id = ${scope.schoolId} and st.active
    order by st.id for update`.execute(tx)
  const all = locked.rows.map(({ id }) => id)
  // Locked, so that none of their lists is signed off meanwhile.
  await sql`
    select from participations p
    where p.school_id = ${scope.schoolId} and p.event_id in (select n.event_id from enrolments n where n.student_id = any(${all}::bigint[]))
    order by p.id for share`.execute(tx)
  const { rows } = await sql<{ id: number; link: string | null }>`
    with gone as (
      select st.* from students st
      where st.id = any(${all}::bigint[]) and ${removable}
        and not exists (
          select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(now)}::date)
        and not ${inSignedList}
    ), noted as (
      ${insertAudit(now, scope)}, gone.school_id, gone.season,
        'student.import_undone', 'student', gone.id::text, jsonb_build_object('import', ${importId}::text, 'from', ${snapshot('gone')})
      from gone
    )
    select id, family_link_id as link from gone`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await sql`delete from book_choices where student_id = any(${ids}::bigint[])`.execute(tx)
  await sql`delete from enrolments where student_id = any(${ids}::bigint[])`.execute(tx)
  await sql`delete from students where id = any(${ids}::bigint[])`.execute(tx)
  const links = [...new Set(rows.flatMap(({ link }) => link ?? []))]
  await sql`
    delete from family_links l
    where l.id = any(${links}::text[]) and not exists (select from students st
    where st.family_link_id = l.id)`.execute(tx)
  return ids.length
}

/** SQL: student `st` is in a list that the school has signed off. */
const inSignedList = sql`exists (
  select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = n.school_id
  where n.student_id = st.id and p.signed_off_at is not null)`

async function findStaying(tx: Tx, scope: SchoolScope, importId: string): Promise<RemainingStudent[]> {
  const { rows } = await sql<Omit<RemainingStudent, 'className'> & { classId: number }>`
    select st.id, st.name as "studentName", st.class_id as "classId", st.section, st.roll_no as "rollNo",
      case when st.paid then 'paid' when st.locked then 'locked'
        when exists (select from payment_lines l where l.student_id = st.id) then 'sent'
        when st.version is distinct from st.import_version or c.version is distinct from st.version and st.version > 1 then 'changed' when ${isReferredTo} then 'asked' when ${inSignedList} then 'signed' else 'closed' end as reason
    from students st left join student_import_changes c on c.student_id = st.id and c.import_id = ${importId}
    where (st.import_id = ${importId} or c.import_id is not null) and st.school_id = ${scope.schoolId} and st.active
    order by st.class_id, st.section, st.roll_no`.execute(tx)
  return rows.map(({ classId, ...row }) => ({ ...row, className: className(classId) }))
}

/**
 * Saves one batch of an import. Rows are skipped and reported if their price changed, a subject is no longer offered, the roll
 * no was taken, or the student changed meanwhile. Refuses the whole batch if the season or a subject of a new student has
 * closed meanwhile.
 */
export async function importRows(
  tx: Tx,
  by: Writer,
  into: SaveTarget & { importId: string },
  rows: readonly ValidRow[],
): Promise<{ imported: number; changed: number; refused: ImportRowError[] }> {
  const { season, importId, catalogue } = into
  const outcomes = await saveStudents(
    tx,
    by,
    into,
    rows.map((good) => ({
      ...{ id: good.change?.id ?? 0, version: good.change?.version ?? 0, fields: good.fields },
      ...{
        shown: shownOf(good, catalogue.share),
        carriedFrom: good.carriedFrom,
        familyMobile: good.familyMobile,
      },
    })),
  )
  const pairs = rows.flatMap((good, index) => {
    const outcome = outcomes[index]
    return outcome ? [{ good, outcome }] : []
  })
  const closedLetters = pairs.flatMap(({ good, outcome }) =>
    !good.change && 'refused' in outcome && outcome.refused === 'guard' ? outcome.letters : [],
  )
  if (closedLetters.length > 0) throw new Refusal(await refusalOf(tx, by.scope, season, closedLetters))
  const carried = await carriedAlready(tx, season, rows)
  const refused = pairs.flatMap(({ good, outcome }) =>
    'refused' in outcome ? refusedRow(good, outcome, carried) : [],
  )
  const changed = await noteChanges(tx, importId, pairs)
  return { imported: rows.length - changed - refused.length, changed, refused }
}

/** The price shown for a row. With slabs the share depends on the current head count, so it is not compared. */
function shownOf({ fee }: ValidRow, { kind }: ShareRule) {
  const { school_Expenses, ...shown } = amountFields(fee)
  return kind === 'slabs' ? shown : { ...shown, school_Expenses }
}

/** Why a whole batch was refused. */
async function refusalOf(tx: Tx, scope: SchoolScope, season: Season, letters: readonly string[]) {
  const signed = await signedOff(tx, scope.schoolId, season)
  return letters.some((letter) => signed.has(letter)) ? 'enrolment.signed_off' : 'enrolment.closed'
}

async function carriedAlready(
  tx: Tx,
  season: Season,
  rows: readonly ValidRow[],
): Promise<ReadonlySet<unknown>> {
  const sources = rows.flatMap(({ carriedFrom }) => carriedFrom ?? [])
  if (sources.length === 0) return new Set()
  const { rows: found } = await sql<{ source: number }>`
    select carried_from as source from students
    where season = ${season} and active and carried_from = any(${sources}::bigint[])`.execute(tx)
  return new Set(found.map(({ source }) => source))
}

function refusedRow(
  { row, fields, change, carriedFrom }: ValidRow,
  outcome: SaveRefusal,
  carried: ReadonlySet<unknown>,
): ImportRowError {
  const at = (field: string, value: string, message: string): ImportRowError => ({
    ...{
      row,
      studentName: fields.studentName,
      column: 0,
      columnName: '',
      heading: '',
      field,
      value,
      message,
    },
    suggestions: [],
  })
  if (outcome.refused === 'choice') {
    const [issue] = outcome.issues
    return at(issue?.path ?? '', '', issue?.message ?? '')
  }
  if (outcome.refused === 'amounts')
    return at('', '', carriedFrom === undefined ? sentences.amountsSinceCheck : sentences.amountsSinceList)
  if (outcome.refused === 'guard') return at('', '', sentences.changedMeanwhile)
  if (carried.has(carriedFrom)) return at('', '', sentences.carriedMeanwhile)
  const sinceShown = carriedFrom === undefined ? sentences.rollSinceCheck : sentences.rollSinceList
  return at('rollno', String(fields.rollno), change ? sentences.rollOfAnother : sinceShown)
}

/** Stores the previous state of changed students for undo; returns how many. */
async function noteChanges(
  tx: Tx,
  importId: string,
  pairs: readonly { good: ValidRow; outcome: Outcome }[],
): Promise<number> {
  const done = pairs.flatMap(({ good: { change }, outcome }) => {
    if (!change || !('saved' in outcome)) return []
    const { saved, stood } = outcome
    return {
      id: saved.id,
      version: saved.version,
      before: change.before,
      prices: stood ? storedPrices(stood) : null,
    }
  })
  if (done.length === 0) return 0
  await markAsImported(
    tx,
    done.map(({ id }) => id),
  )
  await sql`
    insert into student_import_changes (import_id, student_id, before, version, prices)
    select ${importId}, c.id, c.before, c.version, nullif(c.prices, 'null')
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as c (id bigint, before jsonb, version int, prices jsonb)
    on conflict (import_id, student_id) do update set version = excluded.version`.execute(tx)
  return done.length
}

/** Marks the current versions as written by an import, not by hand. */
async function markAsImported(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await sql`update students set import_version = version where id = any(${ids}::bigint[])`.execute(tx)
}
