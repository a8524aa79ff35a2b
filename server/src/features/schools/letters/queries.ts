import {
  type LetterCodes,
  type LetterLanguages,
  type LetterPlan,
  letterCodes,
  letterHours,
  letterLanguages,
  lettersPerPdf,
} from '@podium/contract/schools/calls-mailings'
import { type RawBuilder, sql } from 'kysely'
import { type RegisterQuery, schoolsFound } from '#features/schools/register/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'

/** The addressee of a letter. */
export interface LetterSchool {
  code: string
  name: string
  address: string
  city: string
  district: string
  state: string
  country: string
  pin_code: string
}

/** Kind of the job and of its files. */
export const lettersKind = 'schools.letters'

/** A finished PDF of letters, stored encrypted; without a file if all its schools were left out. */
export interface Piece {
  name: string
  fileId: string
  schools: number
  bytes: number
}

/** Progress of a print job, stored in its output. */
export interface LetterProgress {
  pieces: Piece[]
  made: number
  renewed: number
  left: number
}

interface LettersJob {
  input: Record<string, unknown>
  output: Record<string, unknown> | null
}

export function letterProgress({ output }: Pick<LettersJob, 'output'>): LetterProgress {
  const done = output as Partial<LetterProgress> | null
  return { pieces: [], made: 0, renewed: 0, left: 0, ...done }
}

export const languagesOf = ({ input }: Pick<LettersJob, 'input'>): LetterLanguages =>
  letterLanguages.find((letterLanguage) => letterLanguage === input.language) ?? 'en'

export const codesOf = ({ input }: Pick<LettersJob, 'input'>): LetterCodes =>
  letterCodes.find((letterCode) => letterCode === input.codes) ?? 'keep'

/** When the files of a job expire. */
export const availableUntil = (startedAt: Date) => new Date(startedAt.getTime() + letterHours * 3_600_000)

/** What to do with a school's link: `keep` it, `make` the first one, or `renew` it, which revokes the old one. */
export function linkStep(
  link: { readable: boolean; createdAt: Date } | undefined,
  codes: LetterCodes,
  startedAt: Date,
): 'keep' | 'make' | 'renew' {
  if (!link) return 'make'
  // A code newer than the job was created by the job before an interruption, or by someone else since.
  if (link.readable && (codes === 'keep' || link.createdAt > startedAt)) return 'keep'
  return 'renew'
}

/** The file name of one part: its position in postal order, and the places it covers. */
export function pieceName(index: number, from: string, to: string): string {
  const places = from === to ? from : `${from} to ${to}`
  return `Letters ${String(index).padStart(3, '0')} ${places}.pdf`
}

/** The schools that get a letter: the given ids, otherwise those of an import, otherwise all that match the filters. */
export interface LetterChoice extends Omit<RegisterQuery, 'sort'> {
  ids: string
  file: string
}

const named = (ids: string) => ids.split(',').map(Number)

/** SQL: `from schools o … where …` for the chosen schools, active or not. */
async function chosenSchools(
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

/** SQL: the active link of school `o`, as in `currentLink`. */
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

/** How many letters there would be, and how many need a new link or code. */
export async function lettersPlan(
  db: Db,
  scope: OfficeScope,
  now: Date,
  choice: LetterChoice,
): Promise<LetterPlan> {
  const fileName = choice.file === '' || choice.ids !== '' ? '' : await nameOf(db, choice.file)
  const { rows } = await sql<Record<'schools' | 'off' | 'printable' | 'without' | 'unreadable', number>>`
    select count(*) filter (where o.active)::int as schools, count(*) filter (where not o.active)::int as off,
      count(*) filter (where o.active and k.access_code_sealed <> '')::int as printable,
      count(*) filter (where o.active and k.id is null)::int as without,
      count(*) filter (where o.active and k.access_code_sealed = '')::int as unreadable
    from (select o.id, o.active ${await chosenSchools(db, scope, now, choice)}) o
      ${choice.ids === '' ? linksInForce : linkInForce}`.execute(db)
  const counts = orNotFound(rows[0])
  return { ...counts, pieces: Math.ceil(counts.schools / lettersPerPdf), fileName }
}

async function nameOf(db: Db, file: string): Promise<string> {
  const row = await firstRow(db, 'school_imports', { id: file }, ['file_name'])
  return orNotFound(row).file_name
}

/** The schools that get a letter, in postal order: state, district, PIN code. */
export async function letterSchools(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  choice: LetterChoice,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from (
      select o.id, o.country, o.state, o.district, o.pin_code, o.name_key, o.active
      ${await chosenSchools(db, scope, now, choice)}) o
    where o.active
    order by o.country <> 'India', o.country, o.state, o.district, o.pin_code, o.name_key, o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest print jobs, with their requesters. */
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
