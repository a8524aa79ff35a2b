import { className } from '@podium/contract/classes'
import { parseSeason, seasonAt } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { amountFields } from '@podium/contract/students/rules-fee'
import { checkChoice } from '@podium/contract/students/rules-row'
import type { StudentEntry } from '@podium/contract/students/schemas'
import { keptCatalogue, readCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { forSchool } from '#features/catalogue/queries-heads'
import { type Proof, proven, Unproven } from '#platform/auth/gate'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { once } from '#platform/http/idempotency'
import { followSlabs } from '#platform/share-slabs'
import { insertStudent, type SavedStudent, updateStudent } from './commands-save.ts'
import type { Draft } from './commands-save-guard.ts'
import { seasonDoors, studentRow } from './queries.ts'
import { isTakenRoll, takenRoll, whyNot } from './queries-refusal.ts'
import { keptPrices } from './queries-stored-prices.ts'
import { amountsDiffer } from './rules.ts'
import { type KeptPrices, withKept } from './rules-stored-prices.ts'

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
const saidByTheGuard = () => undefined

function draftOf({ entry, now }: Save, catalogue: SeasonCatalogue, kept?: KeptPrices): Draft {
  const offer = withKept(catalogue.offerTo(entry.classId), entry.classId, kept)
  const { priced } = checkChoice(entry.classId, entry, { offerTo: () => offer, closed: saidByTheGuard })
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
        if (!saved) throw new HeldBack()
        return saved
      }),
    )
  }
  const kept = entry.id === 0 ? undefined : (await keptPrices(db, scope.schoolId, [entry.id])).get(entry.id)
  for (const fresh of [false, true]) {
    const catalogue = await (fresh ? keptCatalogue(db, season, now, 0) : keptCatalogue(db, season, now))
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
  const letters = draftLetters(save, await readCatalogue(db, season, now))
  throw await whyNot(db, scope, now, {
    want: entry.id === 0 ? 'add' : 'change',
    id: entry.id,
    version: entry.version,
    season,
    letters,
  })
}

/** Rolls back the transaction of an idempotency key whose write the guard held back. */
class HeldBack extends Error {}

async function guarded(
  db: Db,
  scope: SchoolScope,
  { season, fields }: Draft,
  write: () => Promise<SavedStudent | undefined>,
) {
  try {
    return await write()
  } catch (thrown) {
    if (thrown instanceof HeldBack) return undefined
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
