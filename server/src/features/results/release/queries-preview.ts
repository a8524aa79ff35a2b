import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import type { resultHolds, resultsSummary } from '@podium/contract/results/calls-office'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { notFound, orNotFound } from '#platform/errors'
import { resultColumns, resultRow, type StoredResult, tableOrder } from '../queries.ts'
import { fromRank, setChanges, setFigures } from '../ranking/queries.ts'
import { markUnit } from '../rules.ts'

export interface Preview {
  setId: number
  schCode: string | undefined
  classId: number | undefined
  action: '2' | '3' | '5' | undefined
  page: number
  pageSize: number
}

const narrowed = {
  2: { where: sql`r.medal <> ''`, count: 'medals' },
  3: { where: sql`r.prize <> ''`, count: 'prizes' },
  5: { where: sql`r.award <> ''`, count: 'awards' },
} as const

type Place = RawBuilder<{ student_id: number }>

/** The results of one school, as the school sees them. */
async function ofSchool(db: Db, { setId, schCode, classId, action }: Preview, eventId: number) {
  const from = sql`
    from results r join schools h on h.id = r.school_id
    where h.code = ${schCode} and r.set_id = ${setId} and r.event_id = ${eventId}
      ${classId === undefined ? sql`` : sql`and r.class_id = ${classId}`}
      ${action === undefined ? sql`` : sql`and ${narrowed[action].where}`}`
  const { rows } = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db)
  const ids: Place = sql`select r.student_id ${from} order by ${tableOrder}`
  return { total: rows[0]?.total ?? 0, ids, order: tableOrder, skip: undefined }
}

/** The results of all schools by olympiad rank; their number comes from the version's figures. */
async function ofAll(db: Db, { setId, classId, action, page, pageSize }: Preview) {
  const figures = (await setFigures(db, setId)).filter(
    (line) => classId === undefined || line.classId === classId,
  )
  const order = sql.raw('r.olympiad_rank nulls last, r.class_id, r.exam_roll_no')
  if (action === undefined) {
    const skip = (Math.max(page, 1) - 1) * pageSize
    const total = figures.reduce((sum, { present, absent }) => sum + present + absent, 0)
    return { total, order, ...(await fromRank(db, { setId, figures, skip, pageSize })) }
  }
  const { where, count } = narrowed[action]
  const total = figures.reduce((sum, line) => sum + line[count], 0)
  const ids: Place = sql`
    select r.student_id from results r where r.set_id = ${setId} and ${where}
      ${classId === undefined ? sql`` : sql`and r.class_id = ${classId}`} order by ${order}`
  return { total, ids, order, skip: undefined }
}

/** A page of a version's results: of one school in its own order, or of all by olympiad rank. */
export async function previewOf(db: Db, _scope: OfficeScope, preview: Preview) {
  const { setId, page, pageSize } = preview
  const set = orNotFound(await firstRow(db, 'result_sets', { id: setId }, ['event_id', 'rules']))
  const rules = set.rules as { nextLevel?: { level?: number } | null }
  const { total, ids, order, skip } = await (preview.schCode === undefined
    ? ofAll(db, preview)
    : ofSchool(db, preview, set.event_id))
  const { rows } = await sql<StoredResult & { school_code: string; school_name: string }>`
    select ${resultColumns}, h.code as school_code, h.name as school_name
    from (${ids} limit ${pageSize} offset ${skip ?? (Math.max(page, 1) - 1) * pageSize}) p
      join results r on r.set_id = ${setId} and r.student_id = p.student_id join schools h on h.id = r.school_id
    order by ${order}`.execute(db)
  return {
    total,
    data: rows.map((row) => ({
      ...resultRow(row, rules.nextLevel?.level ?? null),
      schCode: row.school_code,
      schName: row.school_name,
    })),
  }
}

const batch = 5000

/** Yields all results that match the preview's filters, in order, in batches, because there may be a million. */
export async function* everyResult(db: Db, scope: OfficeScope, which: Omit<Preview, 'page' | 'pageSize'>) {
  for (let page = 1; ; page++) {
    const { data } = await previewOf(db, scope, { ...which, page, pageSize: batch })
    yield* data
    if (data.length < batch) return
  }
}

/** The figures of a computed version, and how many results differ from the version schools saw before. */
export async function summaryOf(db: Db, _scope: OfficeScope, setId: number) {
  await db.selectFrom('result_sets').select('id').where('id', '=', setId).executeTakeFirstOrThrow(notFound)
  const classes = await setFigures(db, setId)
  return {
    classes: classes.map(({ amount, highest, medals: _, ...line }) => ({
      ...line,
      className: className(line.classId),
      prizeAmount: rupeesOf(amount),
      highest: highest / markUnit,
    })),
    rows: await rowFigures(db, setId),
    withheld: await withheldFigures(db, setId),
    changes: await setChanges(db, setId),
  }
}

type Summary = AnswerOf<typeof resultsSummary>

/**
 * How many rows of a version's file are not used as they were; one row may have several problems. What was typed for a row, or
 * for a missing student, begins each of their resolutions (corrections/commands.ts).
 */
async function rowFigures(db: Db, setId: number) {
  const { rows } = await sql<Summary['rows']>`
    select count(distinct row_no) filter (where row_no > 0 and treatment = 'left_out') as excluded,
      count(distinct row_no) filter (where row_no > 0 and treatment = 'as_absent') as "asAbsent",
      count(distinct resolution) filter (where treatment = 'corrected') as corrected,
      count(*) filter (where kind = 'missing' and treatment <> 'corrected') as missing
    from (
      select row_no, kind, resolution, detail->>'treatment' as treatment from result_anomalies where set_id = ${setId}) a`.execute(
    db,
  )
  return orNotFound(rows[0])
}

/** The figures of a version's withheld schools. */
async function withheldFigures(db: Db, setId: number) {
  const { rows } = await sql<Summary['withheld']>`
    select count(distinct r.school_id) as schools, count(*) as results, count(*) filter (where not r.present) as absent,
      count(*) filter (where r.medal <> '') as medals, count(*) filter (where r.prize <> '') as prizes,
      coalesce(sum(r.prize_amount), 0) as "prizeAmount", count(*) filter (where r.award <> '') as awards
    from result_sets s join result_holds h on h.event_id = s.event_id
      join results r on r.school_id = h.school_id and r.event_id = h.event_id and r.set_id = s.id
    where s.id = ${setId}`.execute(db)
  const withheld = orNotFound(rows[0])
  return { ...withheld, prizeAmount: rupeesOf(withheld.prizeAmount) }
}

/** The schools with withheld results in an event. */
export async function holdsOf(db: Db, _scope: OfficeScope, eventId: number) {
  const { rows } = await sql<AnswerOf<typeof resultHolds>['data'][number]>`
    select o.code as "schCode", o.name as "schName", h.reason, coalesce(a.name, '') as "withheldBy",
      ${instant('h.held_at')} as "withheldAt"
    from result_holds h join schools o on o.id = h.school_id left join staff a on a.id = h.held_by
    where h.event_id = ${eventId} order by h.held_at desc`.execute(db)
  return rows
}
