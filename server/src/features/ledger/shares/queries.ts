import type { LedgerRow, SeasonFigures } from '@podium/contract/ledger/calls-statement'
import { paise, rupees } from '@podium/contract/money'
import { type Purpose, paymentForOf, purposes } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { SchoolReach } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** One subject of one kind of fee; amounts in paise. */
export interface LedgerLine {
  purpose: Purpose
  letter: string
  subject: string
  /** Late fees, of which nothing is kept */
  late: boolean
  heads: number
  paid: number
  share_from: number
  share_to: number
  gross: number
  retained: number
}

/** What was paid for stays charged when the child is cancelled: a credit stands against it in the account. */
const stillCharged = (purpose: Purpose) => sql`exists (
  select from payment_lines l where l.student_id = s.id and l.purpose = ${purpose} and l.live)`

/**
 * Every single thing that is charged, as `purpose, event_id, season, heads, paid, fee, retained, late` for one head each:
 * entries, their late fees, books and copies of the school. A new kind of fee is one more of these.
 */
const charged = (scope: SchoolReach): RawBuilder<unknown> => sql`(
  select 'registration' as purpose, e.event_id, s.season, 1 as heads, s.paid, e.fee - e.late_fee as fee, e.retained, false as late
  from enrolments e join students s on s.id = e.student_id
  where s.school_id = ${scope.schoolId} and (s.active or ${stillCharged('registration')})
  union all
  select 'registration', e.event_id, s.season, 1, s.paid, e.late_fee, 0, true
  from enrolments e join students s on s.id = e.student_id
  where s.school_id = ${scope.schoolId} and e.late_fee > 0 and (s.active or ${stillCharged('registration')})
  union all
  select 'books', b.event_id, s.season, 1, exists (
    select from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = s.id and l.purpose = 'books' and l.live and p.state = 'verified'), b.price, b.retained, false
  from book_choices b join students s on s.id = b.student_id
  where s.school_id = ${scope.schoolId} and (s.active or ${stillCharged('books')})
  union all
  select 'library', l.event_id, l.season, l.quantity, l.paid, l.price, l.retained, false
  from library_lines l where l.school_id = ${scope.schoolId} and l.active)`

/** What the school collects, keeps and owes in a season by kind of fee and subject, in the catalogue's order. */
export async function ledgerLines(db: Db, scope: SchoolReach, season: Season): Promise<LedgerLine[]> {
  const { rows } = await sql<LedgerLine>`
    select c.purpose, sub.letter, sub.name as subject, c.late, sum(c.heads) as heads,
      coalesce(sum(c.heads) filter (where c.paid), 0) as paid, min(c.retained) as share_from,
      max(c.retained) as share_to, sum(c.heads * c.fee) as gross, sum(c.heads * c.retained) as retained
    from ${charged(scope)} c join events ev on ev.id = c.event_id join subjects sub on sub.letter = ev.letter
    where c.season = ${season}
    group by c.purpose, c.late, sub.letter, sub.name, sub.position
    order by array_position(${purposes as readonly string[]}::text[], c.purpose), c.late, sub.position`.execute(
    db,
  )
  return rows
}

interface SeasonLine {
  season: string
  gross: number
  retained: number
}

/** The same season by season, the newest first. */
async function seasonLines(db: Db, scope: SchoolReach): Promise<SeasonLine[]> {
  const { rows } = await sql<SeasonLine>`
    select c.season, sum(c.heads * c.fee) as gross, sum(c.heads * c.retained) as retained
    from ${charged(scope)} c group by c.season order by c.season desc`.execute(db)
  return rows
}

const figuresOf = ({ gross, retained }: { gross: number; retained: number }) => ({
  gross: rupees(paise(gross)),
  retained: rupees(paise(retained)),
  payable: rupees(paise(gross - retained)),
})

/** The ledger as the call answers it, in rupees. */
export async function ledgerAnswer(db: Db, scope: SchoolReach, season: Season) {
  const lines = await ledgerLines(db, scope, season)
  const data: LedgerRow[] = lines.map((line) => ({
    paymentFor: paymentForOf(line.purpose),
    eventLetter: line.letter,
    subjectName: line.subject,
    late: line.late,
    heads: line.heads,
    paidHeads: line.paid,
    shareFrom: rupees(paise(line.share_from)),
    shareTo: rupees(paise(line.share_to)),
    ...figuresOf(line),
  }))
  const sum = (of: (line: LedgerLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const totals = figuresOf({ gross: sum((line) => line.gross), retained: sum((line) => line.retained) })
  const seasons: SeasonFigures[] = (await seasonLines(db, scope)).map((line) => ({
    season: line.season,
    ...figuresOf(line),
  }))
  return { data, totals, seasons }
}
