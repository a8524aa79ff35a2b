import { createHash } from 'node:crypto'
import { amountFields } from '@podium/contract/catalogue/rules-fee'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Issue } from '@podium/contract/envelope'
import { rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { CarryOptions, confirmCarryOver } from '@podium/contract/students/calls-carry-over'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { newId } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import type { JobState } from '#platform/jobs/jobs'
import { startSaving } from '../import/commands.ts'
import { readImport } from '../import/queries.ts'
import { totalFee } from '../import/rules.ts'
import type { GoodRow } from '../import/rules-classify.ts'
import { type CarryPlan, planFor } from './queries.ts'

type Wanted = Omit<BodyOf<typeof confirmCarryOver>, 'options' | 'FYear'> & {
  FYear: Season
  options: CarryOptions
}

/**
 * Enters the chosen ones of a previewed list as an import, whose job saves them. What was seen is compared with what
 * would be entered by now. The same request said again, at once or later, is answered with how far the first one is.
 */
export async function confirmCarry(db: Db, scope: SchoolScope, now: Date, wanted: Wanted) {
  const sha256 = contentOf(wanted)
  return db.transaction().execute(async (tx) => {
    // One at a time for a school: the second one finds what the first has planned.
    await sql`select from schools where id = ${scope.schoolId} for no key update`.execute(tx)
    const before = await findPlanned(tx, scope, wanted.FYear, sha256)
    if (before) {
      if (before.state === 'failed' || before.state === 'cancelled')
        await startSaving(tx, scope, now, { ...before, season: wanted.FYear })
      return readImport(tx, scope, before.importId)
    }
    const plan = await planFor(tx, scope, now, wanted.FYear, wanted.options)
    const good = goodRows(plan, wanted)
    const importId = await keep(tx, scope, now, wanted.FYear, { plan, good, sha256 })
    await startSaving(tx, scope, now, { importId, season: wanted.FYear, goodCount: good.length, done: 0 })
    return readImport(tx, scope, importId)
  })
}

function contentOf({ FYear, options, take, digest }: Wanted): string {
  const content = ['carry-over', FYear, options, [...new Set(take)].toSorted((a, b) => a - b), digest]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

interface Planned {
  importId: string
  goodCount: number
  done: number
  state: JobState | null
}

/** The import of these very contents that is planned or done, and not taken back. */
export async function findPlanned(tx: Tx, scope: SchoolScope, season: Season, sha256: string) {
  const { rows } = await sql<Planned>`
    select i.id as "importId", i.good_count as "goodCount", i.done, j.state
    from student_imports i left join jobs j on j.id = i.job_id
    where i.school_id = ${scope.schoolId} and i.season = ${season} and i.sha256 = ${sha256}
      and i.undone_at is null and i.job_id is not null`.execute(tx)
  return rows[0]
}

/** The chosen rows as they will be saved, or why not: another list, other amounts, somebody who can't be entered. */
function goodRows({ rows, digest }: CarryPlan, wanted: Wanted): GoodRow[] {
  const unknown = new Set(wanted.take)
  const good: GoodRow[] = []
  const issues: Issue[] = []
  for (const [at, { last, fields, priced, issues: own }] of rows.entries()) {
    if (!unknown.delete(last.id)) continue
    if (fields && priced) {
      const { id: carriedFrom, familyMobile } = last
      const family = familyMobile === null ? {} : { familyMobile }
      good.push({ row: at + 1, fields, fee: priced.fee, carriedFrom, ...family })
    } else issues.push({ path: `take.${last.id}`, message: own[0]?.message ?? notToBeEntered })
  }
  for (const id of unknown) issues.push({ path: `take.${id}`, message: notToBeEntered })
  const total = totalFee(good)
  const differs =
    rupees(total.regAmount) !== wanted.regAmount || rupees(total.bookAmount) !== wanted.bookAmount
  if (issues.length > 0)
    throw digest === wanted.digest
      ? new Refusal('input.invalid', { issues })
      : new Refusal('changed_meanwhile')
  if (differs) throw new Refusal('enrolment.amounts_changed', { fields: amountFields(total) })
  if (digest !== wanted.digest) throw new Refusal('changed_meanwhile')
  if (good.length === 0) throw new Refusal('enrolment.import_empty', { message: nobody })
  return good
}

const notToBeEntered = sentences.notToBeEntered
const nobody = sentences.nobodyToEnter

interface Kept {
  plan: CarryPlan
  good: readonly GoodRow[]
  sha256: string
}

async function keep(tx: Tx, scope: SchoolScope, now: Date, season: Season, { plan, good, sha256 }: Kept) {
  const { rows } = await sql<{ id: string }>`
    insert into student_imports (id, school_id, season, file_name, source, sha256, row_count, good_count, good_rows, preview, created_by, created_at)
    values (${newId()}, ${scope.schoolId}, ${season}, ${plan.from}, 'carry-over', ${sha256}, ${plan.rows.length}, ${good.length},
      ${JSON.stringify(good)}::jsonb, '{}', ${scope.userId}, ${now}::timestamptz)
    on conflict (school_id, season, sha256) where source <> 'file' or confirmed_at is null do update
      set good_count = excluded.good_count, good_rows = excluded.good_rows, created_by = excluded.created_by,
        created_at = excluded.created_at, job_id = null, confirmed_at = null, undone_at = null, done = 0, imported = 0, refused = '[]'
    returning id`.execute(tx)
  const importId = rows[0]?.id ?? ''
  const change = { carriedFrom: plan.from, students: plan.rows.length, good: good.length }
  await audit(tx, now, scope, 'import.carried_over', { kind: 'import', id: importId, season }, change)
  return importId
}
