import type { LetterPlan } from '@podium/contract/schools/calls-letters'
import { lettersOfPiece } from '@podium/contract/schools/calls-letters'
import { type RawBuilder, sql } from 'kysely'
import { type RegisterQuery, schoolsFound } from '#features/schools/register/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { lettersKind } from './rules.ts'

/** Which schools get a letter: those that are named, else those of a file, else all that the filters leave. */
export interface LetterChoice extends Omit<RegisterQuery, 'sort'> {
  ids: string
  file: string
}

const named = (ids: string) => ids.split(',').map(Number)

/** `from schools o … where …` of the schools that are meant, switched off or not. */
async function meant(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  choice: LetterChoice,
): Promise<RawBuilder<unknown>> {
  const { ids, file, ...filters } = choice
  if (ids !== '')
    return sql`from schools o where o.merged_into is null and o.id = any(${named(ids)}::bigint[])`
  if (file !== '')
    return sql`from schools o where o.merged_into is null and o.id in (
      select r.school_id from school_import_rows r where r.import_id = ${file} and r.state = 'created')`
  return schoolsFound(db, scope, now, filters)
}

/** The link in force of the school `o`, as `currentLink` finds it. */
export const linkInForce = sql`
  left join lateral (
    select l.id, l.access_code_sealed, l.created_at from school_links l
    where l.school_id = o.id and l.revoked_at is null
    order by l.came_from is not null, l.created_at desc, l.id limit 1) k on true`

/** The same for thousands of schools at once. */
const linksInForce = sql`
  left join (
    select distinct on (l.school_id) l.school_id, l.id, l.access_code_sealed from school_links l where l.revoked_at is null
    order by l.school_id, l.came_from is not null, l.created_at desc, l.id) k on k.school_id = o.id`

/** How many letters there would be, and for how many a link or a code has to be made. */
export async function lettersPlan(
  db: Db,
  scope: OfficeScope,
  now: Date,
  choice: LetterChoice,
): Promise<LetterPlan> {
  const fileName = choice.file === '' || choice.ids !== '' ? '' : await nameOf(db, choice.file)
  const { rows } = await sql<Record<'schools' | 'off' | 'kept' | 'without' | 'unreadable', number>>`
    select count(*) filter (where o.active)::int as schools, count(*) filter (where not o.active)::int as off,
      count(*) filter (where o.active and k.access_code_sealed <> '')::int as kept,
      count(*) filter (where o.active and k.id is null)::int as without,
      count(*) filter (where o.active and k.access_code_sealed = '')::int as unreadable
    from (select o.id, o.active ${await meant(db, scope, now, choice)}) o
      ${choice.ids === '' ? linksInForce : linkInForce}`.execute(db)
  const counts = orNotFound(rows[0])
  return { ...counts, pieces: Math.ceil(counts.schools / lettersOfPiece), fileName }
}

async function nameOf(db: Db, file: string): Promise<string> {
  const row = await db
    .selectFrom('school_imports')
    .select('file_name')
    .where('id', '=', file)
    .executeTakeFirst()
  return orNotFound(row).file_name
}

/** The schools that get a letter, in the order in which the post sorts them: state, district, pin code. */
export async function letterSchools(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  choice: LetterChoice,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from (
      select o.id, o.country, o.state, o.district, o.pin_code, o.name_key, o.active
      ${await meant(db, scope, now, choice)}) o
    where o.active
    order by o.country <> 'India', o.country, o.state, o.district, o.pin_code, o.name_key, o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest print jobs with who asked for them. */
export async function letterJobs(db: Db, _scope: OfficeScope): Promise<{ id: string; by: string }[]> {
  return db
    .selectFrom('jobs as j')
    .leftJoin('staff as s', 's.id', 'j.created_by')
    .select((row) => ['j.id', row.fn.coalesce('s.name', sql<string>`''`).as('by')])
    .where('j.kind', '=', lettersKind)
    .orderBy('j.created_at', 'desc')
    .limit(10)
    .execute()
}
