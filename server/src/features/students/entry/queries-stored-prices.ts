import type { BookKind } from '@podium/contract/classes'
import { paise } from '@podium/contract/money'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { KeptPrices } from './rules-stored-prices.ts'

interface Line {
  studentId: number
  eventId: number
  classId: number
  kind: BookKind | null
  price: number
  retained: number
  late: number
  earlierRule: boolean
}

/** At which prices students of a school are enrolled, by student. */
export async function keptPrices(
  db: Db | Tx,
  schoolId: number,
  ids: readonly number[],
): Promise<Map<number, KeptPrices>> {
  const { rows } = await sql<Line>`
    select n.student_id as "studentId", n.event_id as "eventId", n.class_id as "classId", null as kind, n.fee as price,
      n.retained, n.late_fee as late, n.created_at < coalesce(s.share_since, '-infinity') as "earlierRule"
    from enrolments n join events e on e.id = n.event_id join seasons s on s.label = e.season
    where n.student_id = any(${ids}::bigint[]) and n.school_id = ${schoolId}
    union all
    select student_id, event_id, class_id, kind, price, retained, 0, false
    from book_choices where student_id = any(${ids}::bigint[]) and school_id = ${schoolId}`.execute(db)
  const kept = new Map<
    number,
    { classId: number; fees: Map<number, KeptFee>; books: Map<number, Partial<Record<BookKind, Priced>>> }
  >()
  for (const { studentId, eventId, classId, kind, ...line } of rows) {
    const own = kept.get(studentId) ?? { classId, fees: new Map(), books: new Map() }
    kept.set(studentId, own)
    const priced = { price: paise(line.price), retained: paise(line.retained) }
    if (kind === null) {
      own.fees.set(eventId, { ...priced, late: paise(line.late), earlierRule: line.earlierRule })
    } else own.books.set(eventId, { ...own.books.get(eventId), [kind]: priced })
  }
  return kept
}

type KeptFee = KeptPrices['fees'] extends ReadonlyMap<number, infer One> ? One : never
type Priced = Omit<KeptFee, 'late' | 'earlierRule'>
