import { className } from '@podium/contract/classes'
import { istDay, parseSeason, seasonAt } from '@podium/contract/season'
import { said, sentences } from '@podium/contract/sentences'
import { amountFields } from '@podium/contract/students/rules-fee'
import { placeText } from '@podium/contract/students/rules-place'
import { checkChoice } from '@podium/contract/students/rules-row'
import type { StudentEntry } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import { cachedCatalogue, forSchool, loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { listsOpen, signedOffLists } from '#features/students/sign-off/queries'
import { actorOf } from '#platform/audit'
import { type Proof, proven, Unproven } from '#platform/auth/gate'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { once } from '#platform/http/idempotency'
import { followSlabs } from '#platform/share-slabs'
import type { Draft } from './commands-save.ts'
import { insertStudent, type SavedStudent, updateStudent } from './commands-save.ts'
import {
  type Attempt,
  explainRefusal,
  isTakenRoll,
  keptPrices,
  seasonDoors,
  studentRow,
  takenRoll,
} from './queries.ts'
import { amountsDiffer, type EarlierPrices, withEarlierPrices } from './rules.ts'

interface Save {
  scope: SchoolScope
  keys: Keys
  now: Date
  entry: StudentEntry
  /** Of the request, so that a repeated one saves nothing twice */
  idempotencyKey: string | undefined
  /** Of the session; a student is saved only where it is alive */
  proof: Proof
}

/** That a subject has closed decides the statement that writes, by the season's own rows. */
const decidedInSql = () => undefined

function draftOf({ entry, now }: Save, catalogue: SeasonCatalogue, kept?: EarlierPrices): Draft {
  const offer = withEarlierPrices(catalogue.offerTo(entry.classId), entry.classId, kept)
  const { priced } = checkChoice(entry.classId, entry, { offerTo: () => offer, closed: decidedInSql })
  const season = parseSeason(entry.FYear ?? '') ?? seasonAt(now)
  return {
    season,
    id: entry.id,
    version: entry.version ?? 0,
    fields: entry,
    priced,
    offer,
    share: catalogue.share,
  }
}

/** What stands against a draft before the database is asked. */
function objection({ entry }: Save, { priced }: Draft): Refusal | undefined {
  if (priced.issues.length > 0) {
    const [first, second] = priced.issues
    const message = first && !second ? { message: first.message } : {}
    return new Refusal('input.invalid', { issues: priced.issues, ...message })
  }
  if (amountsDiffer(entry, priced.fee))
    return new Refusal('enrolment.amounts_changed', { fields: amountFields(priced.fee) })
  return undefined
}

/**
 * Enters a student, or changes one of this version. Amounts are computed here by the price list; those a client sends
 * are compared and else ignored. What a student is enrolled in keeps the price at which it was saved. A first try goes by the kept catalogue and is believed only as far as the guard of its
 * statement confirms it; anything against it is said by the fresh one.
 */
export async function saveStudent(db: Db, save: Save) {
  const { scope, keys, now, entry, idempotencyKey, proof } = save
  if (entry.id !== 0 && entry.version === undefined) throw refuseField('version', sentences.sayVersion)
  const season = parseSeason(entry.FYear ?? '') ?? seasonAt(now)
  const write = async (draft: Draft): Promise<SavedStudent | undefined> => {
    const run = (on: Db | Tx) =>
      (draft.id === 0 ? insertStudent : updateStudent)(on, { scope, keys, now, draft, alive: proof.alive })
    if (idempotencyKey === undefined) return run(db)
    const caller = `account:${scope.userId}`
    return db.transaction().execute((tx) =>
      once(tx, now, caller, idempotencyKey, entry, async () => {
        const saved = await run(tx)
        if (!saved) throw new GuardFailed()
        return saved
      }),
    )
  }
  const kept = entry.id === 0 ? undefined : (await keptPrices(db, scope.schoolId, [entry.id])).get(entry.id)
  for (const fresh of [false, true]) {
    const catalogue = await (fresh ? cachedCatalogue(db, season, now, 0) : cachedCatalogue(db, season, now))
    if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
    const school = await forSchool(db, catalogue, scope, season, entry.id === 0 ? 1 : 0)
    const draft = draftOf(save, school, kept)
    const refusal = objection(save, draft)
    if (refusal && fresh) throw refusal
    if (refusal) continue
    const saved = await guarded(db, scope, draft, () => write(draft))
    if (saved) {
      proof.confirm(true)
      if (catalogue.share.kind === 'slabs') await followSlabs(db, now, { schoolId: scope.schoolId, season })
      return answer(db, now, draft, saved)
    }
    if (proof !== proven) throw new Unproven()
  }
  const letters = draftLetters(save, await loadCatalogue(db, season, now))
  throw await explainRefusal(db, scope, now, {
    want: entry.id === 0 ? 'add' : 'change',
    id: entry.id,
    version: entry.version,
    season,
    letters,
  })
}

/** Rolls back the transaction of an idempotency key whose write the guard held back. */
class GuardFailed extends Error {}

async function guarded(
  db: Db,
  scope: SchoolScope,
  { season, fields }: Draft,
  write: () => Promise<SavedStudent | undefined>,
) {
  try {
    return await write()
  } catch (thrown) {
    if (thrown instanceof GuardFailed) return undefined
    if (!isTakenRoll(thrown)) throw thrown
    const place = { season, classId: fields.classId, section: fields.section, rollNo: fields.rollno }
    throw await takenRoll(db, scope, place)
  }
}

function draftLetters(save: Save, catalogue: SeasonCatalogue | undefined): string[] {
  return catalogue ? draftOf(save, catalogue).priced.registration.map((line) => line.letter) : []
}

async function answer(db: Db, now: Date, draft: Draft, saved: SavedStudent) {
  const doors = await seasonDoors(db, draft.season, now)
  return {
    data: studentRow(saved, doors),
    likely: saved.likely.map(({ classId, ...other }) => ({ ...other, className: className(classId) })),
  }
}

interface Which {
  studentId: number
  /** Of the row that was shown; any where absent */
  version?: number | undefined
}

/** Deletes a student that is active, unpaid, not under verification, of open events and of lists that are not signed off. The row is kept, and shown as deleted. */
export async function deleteStudent(db: Db, scope: SchoolScope, now: Date, which: Which) {
  return setActive(db, scope, now, which, false)
}

/** Takes a deletion back, under the same guards. Enrolments, books and their prices are as they were when deleted. */
export async function restoreStudent(db: Db, scope: SchoolScope, now: Date, which: Which) {
  return setActive(db, scope, now, which, true)
}

async function setActive(db: Db, scope: SchoolScope, now: Date, which: Which, active: boolean) {
  try {
    const done = await flip(
      db,
      scope,
      now,
      which,
      active,
      sql`
      from seasons s
      where st.id = ${which.studentId} and st.school_id = ${scope.schoolId} and st.active = ${!active}
        and not st.paid and not st.locked and not st.cancelled
        and s.label = st.season and s.state = 'open'
        and not exists (
          select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(now)}::date)`,
    )
    if (done) {
      const { season, ...answer } = done
      await followSlabs(db, now, { schoolId: scope.schoolId, season })
      return answer
    }
  } catch (thrown) {
    if (!isTakenRoll(thrown)) throw thrown
    throw await takenMeanwhile(db, scope, which.studentId)
  }
  const attempt: Attempt = {
    want: active ? 'restore' : 'delete',
    id: which.studentId,
    version: which.version,
  }
  throw await explainRefusal(db, scope, now, attempt)
}

/** One statement: the change and its audit line, or neither. */
async function flip(
  db: Db,
  scope: SchoolScope,
  now: Date,
  which: Which,
  active: boolean,
  guard: RawBuilder<unknown>,
) {
  const actor = actorOf(scope)
  const events = sql`select n.event_id from enrolments n where n.student_id = ${which.studentId}`
  const { rows } = await sql<{ studentId: number; version: number; season: string }>`
    with ${signedOffLists(scope, events)}, changed as (
      update students st set active = ${active}, updated_at = ${now}::timestamptz, version = st.version + 1
      ${guard} and ${listsOpen} and (${which.version ?? null}::int is null or st.version = ${which.version ?? null})
      returning st.id, st.school_id, st.season, st.name, st.class_id, st.section, st.roll_no, st.version
    ), noted as (
      insert into audit (at, actor_kind, actor_id, actor_name, acting_for, school_id, season, action, subject_kind, subject_id, change)
      select ${now}::timestamptz, ${actor.actor_kind}, ${actor.actor_id}::bigint, ${actor.actor_name}, ${actor.acting_for}, c.school_id, c.season,
        ${active ? 'student.restored' : 'student.deleted'}, 'student', c.id::text,
        jsonb_build_object('from', jsonb_build_object('active', ${!active}::boolean), 'to', jsonb_build_object('active', ${active}::boolean),
          'name', c.name, 'classId', c.class_id, 'section', c.section, 'rollNo', c.roll_no)
      from changed c
    )
    select id as "studentId", version, season from changed`.execute(db)
  return rows[0]
}

/** A student can't come back to a roll no that somebody else has by now, nor beside the same child carried over again. */
async function takenMeanwhile(db: Db, scope: SchoolScope, id: number): Promise<Refusal> {
  const { rows } = await sql<{
    name: string
    classId: number
    section: string
    rollNo: number
    again: boolean
  }>`
    select other.name, st.class_id as "classId", st.section, st.roll_no as "rollNo",
      coalesce(other.carried_from = st.carried_from, false) as again
    from students st left join students other on other.school_id = st.school_id and other.season = st.season and other.active
      and (other.carried_from = st.carried_from
        or (other.class_id = st.class_id and other.section = st.section and other.roll_no = st.roll_no))
    where st.id = ${id} and st.school_id = ${scope.schoolId}
    order by again desc`.execute(db)
  const row = rows[0]
  if (!row) return new Refusal('not_found')
  if (row.again)
    return new Refusal('enrolment.duplicate', {
      message: said('carriedAgain', { name: row.name }),
    })
  const name = row.name ?? sentences.anotherStudent
  const message = said('rollTakenByNow', { roll: row.rollNo, place: placeText(row), name })
  return new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}
