import { type AnomalyKind, anomalyKind } from '@podium/contract/results-anomalies'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import type { OfficeScope } from '#platform/scope'
import type { Treatment } from './rules-marks.ts'

export interface AnomalyPage {
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
  detail: { column: string; value: string; note: string; treatment: Treatment }
  resolved_at: Date | null
  resolved_name: string | null
  resolution: string
}

/** A page of what is odd in a version, in the order of the file, what blocks first; and how many of each kind there are. */
export async function anomaliesOf(db: Db, _scope: OfficeScope, query: AnomalyPage) {
  const kinds = await sql<{ kind: string; blocking: boolean; open: number; all: number }>`
    select kind, blocking, count(*) filter (where resolved_at is null) as open, count(*) as all
    from result_anomalies where set_id = ${query.setId}
    group by kind, blocking order by blocking desc, kind`.execute(db)
  const resolved = query.open ? sql`is null` : sql`is not null`
  const where = sql`
    where a.set_id = ${query.setId}
      ${query.kind === undefined ? sql`` : sql`and a.kind = ${query.kind}`}
      ${query.open === undefined ? sql`` : sql`and a.resolved_at ${resolved}`}`
  const counted = await sql<{
    total: number
  }>`select count(*) as total from result_anomalies a ${where}`.execute(db)
  const { rows } = await sql<Line>`
    select a.id, a.row_no, a.exam_roll_no, a.kind, a.blocking, a.detail, a.resolved_at, s.name as resolved_name,
      a.resolution
    from result_anomalies a left join staff s on s.id = a.resolved_by ${where}
    order by a.blocking desc, a.id limit ${query.pageSize}
    offset ${(Math.max(query.page, 1) - 1) * query.pageSize}`.execute(db)
  return {
    total: counted.rows[0]?.total ?? 0,
    kinds: kinds.rows.map((row) => ({ ...row, kind: anomalyKind.parse(row.kind) })),
    data: rows.map((row) => ({
      anomalyId: row.id,
      rowNo: row.row_no,
      nioRollNo: row.exam_roll_no,
      kind: anomalyKind.parse(row.kind),
      blocking: row.blocking,
      treatment: row.detail.treatment,
      column: row.detail.column,
      value: row.detail.value,
      note: row.detail.note,
      resolved: row.resolved_at !== null,
      resolvedBy: row.resolved_name ?? '',
      resolution: row.resolution,
    })),
  }
}
