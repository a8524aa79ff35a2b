import type { AnswerOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type { ImportField, ImportRowState, schoolImportRows } from '@podium/contract/schools/calls-import'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { pageOf } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { notFound } from '#platform/errors'
import { readJob } from '#platform/jobs/jobs'
import { type Details, type Fault, layoutKey, type Places } from './rules.ts'

/** A column of the file: its heading and the first values below. */
export type Heading = { heading: string; samples: string[] }

export async function placesOf(db: Db): Promise<Places> {
  const states = await db.selectFrom('states').select('name').where('active', '=', true).execute()
  const countries = await db.selectFrom('countries').select('name').execute()
  const byName = (rows: { name: string }[]) => new Map(rows.map(({ name }) => [foldName(name), name]))
  return { states: byName(states), countries: byName(countries) }
}

/** The row of an import, or not_found. */
export async function importRow(db: Db | Tx, id: string) {
  return db
    .selectFrom('school_imports')
    .select(['id', 'file_name', 'file_id', 'headings', 'fields', 'state', 'job_id', 'remembered'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** The column mapping of the last file with these headings; undefined if there was none. */
export async function rememberedFields(
  db: Db | Tx,
  headings: readonly string[],
): Promise<('' | ImportField)[] | undefined> {
  const row = await firstRow(db, 'school_layouts', { headings: layoutKey(headings) }, ['fields'])
  return row?.fields as ('' | ImportField)[] | undefined
}

/** An import's progress, column mapping and row counts. */
export async function importOf(db: Db, _scope: OfficeScope, id: string) {
  const row = await importRow(db, id)
  const job = await readJob(db, row.job_id)
  const { rows } = await sql<{ state: ImportRowState; n: number; same: number; different: number }>`
    select state, count(*)::int as n, (count(*) filter (where decision = 'same'))::int as same,
      (count(*) filter (where decision = 'different'))::int as different
    from school_import_rows where import_id = ${id} group by state`.execute(db)
  const likely = rows.find((row) => row.state === 'likely')
  const count = (state: ImportRowState) => rows.find((row) => row.state === state)?.n ?? 0
  const fields = row.fields as ('' | ImportField)[]
  const failed = job?.state === 'failed' || job?.state === 'cancelled'
  return {
    fileName: row.file_name,
    state: failed ? ('failed' as const) : (row.state as 'checking' | 'checked' | 'importing' | 'done'),
    error: failed ? (job.error ?? '') : '',
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    remembered: row.remembered,
    columns: (row.headings as Heading[]).map(({ heading, samples }, index) => ({
      heading,
      samples,
      field: fields[index] ?? ('' as const),
    })),
    counts: {
      new: count('new'),
      likely: count('likely'),
      known: count('known'),
      faulty: count('faulty'),
      created: count('created'),
      same: likely?.same ?? 0,
      different: likely?.different ?? 0,
    },
  }
}

export async function importsOf(db: Db, _scope: OfficeScope) {
  const rows = await db
    .selectFrom('school_imports as i')
    .innerJoin('staff as s', 's.id', 'i.created_by')
    .leftJoin('jobs as j', (join) =>
      join.onRef('j.id', '=', 'i.job_id').on('j.state', 'in', ['failed', 'cancelled']),
    )
    .select(['i.id', 'i.file_name as fileName', 's.name as by', 'i.created_at as at'])
    .select((row) => row.fn.coalesce('j.state', 'i.state').as('state'))
    .orderBy('i.created_at', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

export const pageSize = 50

/** Rows with this status, in file order. */
export async function importRowsOf(
  db: Db,
  _scope: OfficeScope,
  { id, state, page }: { id: string; state: ImportRowState; page: number },
) {
  await importRow(db, id)
  const { rows } = await sql<AnswerOf<typeof schoolImportRows>['data'][number] & { total: number }>`
    select r.row_no as row, coalesce(r.details ->> 'schName', '') as "schName",
      concat_ws(', ', nullif(r.details ->> 'city', ''), nullif(r.details ->> 'pinCode', '')) as place, r.faults,
      case when o.id is not null then jsonb_build_object('id', o.id, 'schCode', o.code, 'schName', o.name,
        'place', o.city || ' ' || o.pin_code) end as school,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'row', a.value -> 'row', 'schCode', coalesce(s.code, ''),
          'schName', coalesce(s.name, t.details ->> 'schName'),
          'place', coalesce(s.city || ' ' || s.pin_code, concat_ws(' ', t.details ->> 'city', t.details ->> 'pinCode')))
          order by a.ordinality)
        from jsonb_array_elements(r.alike) with ordinality a
        left join schools s on s.id = (a.value ->> 'school')::bigint
        left join school_import_rows t on t.import_id = r.import_id and t.row_no = (a.value ->> 'row')::int), '[]') as alike,
      r.decision, count(*) over ()::int as total
    from school_import_rows r left join schools o on o.id = r.school_id
    where r.import_id = ${id} and r.state = ${state}
    order by r.row_no ${pageOf(page, pageSize)}`.execute(db)
  return { data: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0, pageSize }
}

export interface Match {
  n: number
  id: number
  known: boolean
}

/**
 * The existing school for each of these rows: `known` by code, UDISE code, or name and PIN code; otherwise a possible match
 * by affiliation number, or by name with the same town, district, phone or e-mail address. The name alone is not enough,
 * because schools of a chain share it. A merged school counts as the remaining one.
 */
export async function matchesOf(
  db: Db | Tx,
  rows: readonly { n: number; form: Details }[],
): Promise<Map<number, Match>> {
  const questions = rows.map(({ n, form }) => ({
    n,
    code: form.schCode,
    udise: form.udiseCode,
    name_key: foldName(form.schName),
    pin: form.pinCode,
    affiliation: form.affiliationNo,
    city: form.city,
    district: form.district,
    state: form.state,
    phone: form.mobile,
    email: form.schEmail,
  }))
  const { rows: found } = await sql<Match>`
    select r.n, o.id, o.known
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as r (
      n int, code text, udise text, name_key text, pin text, affiliation text, city text, district text, state text,
      phone text, email text)
    cross join lateral (
      select coalesce(x.merged_into, x.id) as id, x.known from (
        select s.id, s.merged_into, true as known from schools s where r.code <> '' and s.code = r.code
        union all
        select s.id, s.merged_into, true from schools s where s.udise_code <> '' and s.udise_code = r.udise
        union all
        select s.id, s.merged_into, s.pin_code = r.pin from schools s where s.name_key = r.name_key
          and (s.pin_code = r.pin
            or s.state = r.state and (lower(s.city) = lower(r.city) or lower(s.district) = lower(r.district))
            or s.phone = r.phone or lower(s.email) = lower(nullif(r.email, '')))
        union all
        select s.id, s.merged_into, false from schools s where s.affiliation_no <> '' and s.affiliation_no = r.affiliation) x
      order by x.known desc, x.id limit 1) o`.execute(db)
  return new Map(found.map((match) => [match.n, match]))
}

interface PlacedSchool {
  schName: string
  city: string
  state: string
  pinCode: string
}

/** The schools in a file's towns and PIN codes. */
export async function schoolsNear(db: Db, importId: string) {
  const { rows } = await sql<PlacedSchool & { id: number }>`
    with places as materialized (
      select details ->> 'pinCode' as pin, lower(details ->> 'city') as city from school_import_rows
      where import_id = ${importId} and state in ('new', 'likely'))
    select id, name as "schName", city, state, pin_code as "pinCode" from schools
    where merged_into is null
      and (pin_code in (select pin from places) or lower(city) in (select city from places))`.execute(db)
  return rows
}

/** The valid rows of a file, in order. */
export async function readableRows(db: Db, importId: string) {
  const { rows } = await sql<{ n: number; rowState: ImportRowState; school: number | null } & PlacedSchool>`
    select row_no as n, state as "rowState", school_id as school, details ->> 'schName' as "schName",
      details ->> 'city' as city, details ->> 'state' as state, details ->> 'pinCode' as "pinCode"
    from school_import_rows where import_id = ${importId} and state <> 'faulty' order by row_no`.execute(db)
  return rows
}

/** The invalid rows with their cells, for the file of errors. */
export async function faultyRows(db: Db, id: string) {
  const { rows } = await sql<{ row: number; cells: string[]; faults: Fault[] }>`
    select row_no as row, cells, faults from school_import_rows where import_id = ${id} and state = 'faulty'
    order by row_no`.execute(db)
  return rows
}
