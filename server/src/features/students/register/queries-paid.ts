import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

/** What a live payment has paid, or says it has, for a child: less what the school keeps, in paise. */
export interface PaidLine {
  paymentId: number
  schoolId: number
  purpose: string
  state: 'pending' | 'verified'
  amount: number
}

/** The live lines of a child, by whichever school. */
export async function paidFor(db: Db | Tx, id: number): Promise<PaidLine[]> {
  const { rows } = await sql<PaidLine>`
    select p.id as "paymentId", p.school_id as "schoolId", l.purpose, p.state, l.gross - l.retained as amount
    from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = ${id} and l.live order by p.id`.execute(db)
  return rows
}

/** Whether marks or results of the child were computed or imported. */
export async function hasResults(db: Db | Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from results where student_id = ${id}) as has`.execute(db)
  return rows[0]?.has ?? false
}

/** The school of a code, which leads on where it was merged; undefined where there is none. */
export async function schoolOfCode(db: Db | Tx, code: string) {
  const { rows } = await sql<{ id: number; code: string; name: string; city: string; active: boolean }>`
    select t.id, t.code, t.name, t.city, t.active from schools s join schools t on t.id = coalesce(s.merged_into, s.id)
    where s.code = ${code.trim().toUpperCase()}`.execute(db)
  return rows[0]
}
