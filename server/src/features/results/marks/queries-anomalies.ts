import { className } from '@podium/contract/classes'
import { type AnomalyKind, anomalyKind } from '@podium/contract/results/calls-corrections'
import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { pageOf } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { notFound } from '#platform/errors'
import { markUnit, reopenable } from '../rules.ts'
import type { Treatment } from './rules.ts'

interface AnomalyPage {
  setId: number
  kind: AnomalyKind | undefined
  open: boolean | undefined
  page: number
  pageSize: number
}

interface Line {
  id: number
  row_no: number
  exam_roll_no: string
  kind: string
  blocking: boolean
  detail: {
    column: string
    value: string
    note: string
    treatment: Treatment
    row?: number
    marks?: number[]
  }
  resolved_at: Date | null
  resolved_name: string | null
  resolution: string
  reopened: {
    resolution: string
    by: string
    at: string
    reason: string
    reopenedBy: string
    reopenedAt: string
  }[]
}

type AnomalyFilter = Pick<AnomalyPage, 'setId' | 'kind' | 'open'>

const chosen = ({ setId, kind, open }: AnomalyFilter) => sql`
    where a.set_id = ${setId}
      ${kind === undefined ? sql`` : sql`and a.kind = ${kind}`}
      ${open === undefined ? sql`` : open ? sql`and a.resolved_at is null` : sql`and a.resolved_at is not null`}`

const lineColumns = sql`
    a.id, a.row_no, a.exam_roll_no, a.kind, a.blocking, a.detail, a.resolved_at, s.name as resolved_name, a.resolution,
    a.reopened`

function anomaly(row: Line) {
  return {
    anomalyId: row.id,
    rowNo: row.row_no,
    nioRollNo: row.exam_roll_no,
    kind: anomalyKind.parse(row.kind),
    blocking: row.blocking,
    treatment: row.detail.treatment,
    column: row.detail.column,
    value: row.detail.value,
    // The row number is not part of the finding, so that it stays accepted if the file has a line less.
    note: row.detail.note.replace('{row}', String(row.detail.row)),
    marks: (row.detail.marks ?? []).map((mark) => mark / markUnit),
    resolved: row.resolved_at !== null,
    resolvedBy: row.resolved_name ?? '',
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolution: row.resolution,
    reopened: row.reopened,
  }
}
export type Anomaly = ReturnType<typeof anomaly>

/** A page of a version's anomalies in file order, blocking ones first, and the count of each kind. */
export async function anomaliesOf(db: Db, scope: OfficeScope, query: AnomalyPage) {
  const set = await firstRow(db, 'result_sets', { id: query.setId }, ['state'])
  const kinds = await sql<{ kind: string; blocking: boolean; open: number; all: number }>`
    select kind, blocking, count(*) filter (where resolved_at is null) as open, count(*) as all
    from result_anomalies where set_id = ${query.setId}
    group by kind, blocking order by blocking desc, kind`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*) as total from result_anomalies a ${chosen(query)}`.execute(db)
  const { rows } = await sql<Line>`
    select ${lineColumns} from result_anomalies a left join staff s on s.id = a.resolved_by ${chosen(query)}
    order by a.blocking desc, a.id ${pageOf(query.page, query.pageSize)}`.execute(db)
  return {
    total: counted.rows[0]?.total ?? 0,
    reopen: mayDo(scope.role, 'results.import') ? reopenable(set?.state ?? '') : 'access.denied',
    kinds: kinds.rows.map((row) => ({ ...row, kind: anomalyKind.parse(row.kind) })),
    data: rows.map(anomaly),
  }
}

const batch = 5_000

/** The number of lines in the file of anomalies. */
export async function countAnomalies(tx: Tx, _scope: OfficeScope, which: AnomalyFilter): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*)::int as lines from result_anomalies a ${chosen(which)}`.execute(tx)
  return rows[0]?.lines ?? 0
}

/** Yields all anomalies of a version in batches, because there may be one for every row. */
export async function* everyAnomaly(
  db: Db,
  _scope: OfficeScope,
  which: AnomalyFilter,
): AsyncGenerator<Anomaly, void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Line>`
      select ${lineColumns} from result_anomalies a left join staff s on s.id = a.resolved_by ${chosen(which)}
        and a.id > ${after}
      order by a.id limit ${batch}`.execute(db)
    for (const row of rows) yield anomaly(row)
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.id
  }
}

interface Candidate {
  roll: string
  name: string
  class_id: number
  code: string
  school: string
}

/** An event with the data for naming a marks file. */
export async function marksEvent(db: Db, _scope: OfficeScope, eventId: number) {
  const row = await db
    .selectFrom('events')
    .innerJoin('subjects', 'subjects.letter', 'events.letter')
    .select(['subjects.name', 'season', 'level', 'sections'])
    .where('events.id', '=', eventId)
    .executeTakeFirstOrThrow(notFound)
  return { ...row, sections: sectionsOf(row.sections) }
}

/** The number of students in the marks file. */
export async function countCandidates(tx: Tx, _scope: OfficeScope, eventId: number): Promise<number> {
  const { rows } = await sql<{ students: number }>`
    select count(*)::int as students from enrolments e join students s on s.id = e.student_id
    where e.event_id = ${eventId} and s.active and s.paid and s.exam_roll_no is not null`.execute(tx)
  return rows[0]?.students ?? 0
}

/** Yields the paid students of an event by roll number in batches, because there may be a million. */
export async function* candidatesOf(db: Db, _scope: OfficeScope, eventId: number) {
  for (let after = ''; ; ) {
    const { rows } = await sql<Candidate>`
      select s.exam_roll_no as roll, s.name, s.class_id, h.code, h.name as school
      from enrolments e join students s on s.id = e.student_id join schools h on h.id = s.school_id
      where e.event_id = ${eventId} and s.active and s.paid and s.exam_roll_no > ${after}
      order by s.exam_roll_no limit ${batch}`.execute(db)
    for (const { class_id, ...row } of rows) yield { ...row, className: className(class_id) }
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.roll
  }
}

/** A version with the data for naming its files. */
export async function marksOfSet(db: Db, _scope: OfficeScope, setId: number) {
  return db
    .selectFrom('result_sets')
    .innerJoin('events', 'events.id', 'result_sets.event_id')
    .innerJoin('subjects', 'subjects.letter', 'events.letter')
    .select(['subjects.name', 'events.season', 'events.level', 'result_sets.version'])
    .where('result_sets.id', '=', setId)
    .executeTakeFirstOrThrow(notFound)
}
