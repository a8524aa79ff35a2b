import { fromRupees } from '@podium/contract/money'
import { type PaymentSubmission, type Purpose, purposeOf } from '@podium/contract/payments/calls'
import { parseSeason, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolReach } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { followSlabsIn } from '#platform/share-slabs'
import { type Cover, coverLibrary, meansLibrary } from '../library/commands.ts'
import { charges } from '../queries.ts'
import { figuresOf } from '../rules.ts'

/** What is paid for, as the one says it who pays. */
export type Submitted = Pick<
  PaymentSubmission,
  'individualRegIdList' | 'payableAmount' | 'paymentFor' | 'FYear'
>

interface Line {
  id: number
  season: string
  purpose: Purpose
  due: boolean
  covered_by: string | null
  gross: number
  retained: number
}

/**
 * Locks the school and what the submission names, and answers what is paid for. Refuses with `not_found` (unknown and
 * foreign alike) or `payments.*`.
 */
export async function coverOf(tx: Tx, scope: SchoolReach, now: Date, submission: Submitted): Promise<Cover> {
  const ids = [...new Set(submission.individualRegIdList)]
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  const { paymentFor } = submission
  const library =
    paymentFor === undefined
      ? await meansLibrary(tx, scope, ids, fromRupees(submission.payableAmount))
      : purposeOf(paymentFor) === 'library'
  return library
    ? coverLibrary(tx, scope, ids, submission.FYear)
    : coverStudents(tx, scope, now, ids, submission)
}

async function coverStudents(
  tx: Tx,
  scope: SchoolReach,
  now: Date,
  ids: number[],
  submission: Submitted,
): Promise<Cover> {
  const lines = await lockLines(tx, scope, now, ids)
  const season = seasonOf(lines, submission)
  const { purpose, paid } = linesPaid(lines, submission)
  checkLines(paid)
  return {
    purpose,
    season,
    figures: figuresOf(paid),
    listed: { students: ids },
    async keep(paymentId) {
      await sql`
        insert into payment_lines (payment_id, student_id, purpose, gross, retained)
        select ${paymentId}, s.id, c.purpose, c.gross, c.retained
        from students s cross join ${charges}
        where s.id = any(${ids}::bigint[]) and c.purpose = ${purpose}`.execute(tx)
      await sql`update students set locked = true where id = any(${ids}::bigint[]) and not locked`.execute(tx)
    },
  }
}

/**
 * Locks the students after their school (docs/decisions: the order of locks), lets what is open follow the slab of the
 * head count, and answers what each owes of each kind.
 */
async function lockLines(tx: Tx, scope: SchoolReach, now: Date, ids: number[]): Promise<Line[]> {
  const locked = await sql<{ season: string }>`
    select season from students where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  if (locked.rows.length !== ids.length) throw new Refusal('not_found')
  for (const season of new Set(locked.rows.map((row) => row.season)))
    await followSlabsIn(tx, now, { schoolId: scope.schoolId, season })
  const { rows } = await sql<Line>`
    select s.id, s.season, c.purpose, s.active and c.wanted as due, p.state as covered_by, c.gross, c.retained
    from students s cross join ${charges}
    left join payment_lines l on l.student_id = s.id and l.purpose = c.purpose and l.live
    left join payments p on p.id = l.payment_id
    where s.id = any(${ids}::bigint[])`.execute(tx)
  return rows
}

/** The lines of the kind that is paid for. Calls that do not say which mean the kind whose amount they carry. */
function linesPaid(lines: Line[], submission: Submitted): { purpose: Purpose; paid: Line[] } {
  const of = (purpose: Purpose) => lines.filter((line) => line.purpose === purpose)
  if (submission.paymentFor) {
    const purpose = purposeOf(submission.paymentFor)
    return { purpose, paid: of(purpose) }
  }
  const amount = fromRupees(submission.payableAmount)
  const fits = (paid: Line[]) =>
    paid.every((line) => line.due && line.covered_by === null) && figuresOf(paid).payable === amount
  const purpose = !fits(of('registration')) && fits(of('books')) ? 'books' : 'registration'
  return { purpose, paid: of(purpose) }
}

function seasonOf(lines: Line[], submission: Submitted): Season {
  const season = parseSeason(lines[0]?.season ?? '')
  const one = lines.every((line) => line.season === season)
  if (!season || !one || (submission.FYear !== undefined && submission.FYear !== season)) {
    throw new Refusal('payments.students_changed')
  }
  return season
}

function checkLines(paid: Line[]): void {
  if (paid.length > 0 && paid.every((line) => line.covered_by === 'pending')) {
    throw new Refusal('payments.already_sent')
  }
  if (paid.some((line) => !line.due || line.covered_by !== null)) {
    throw new Refusal('payments.students_changed')
  }
}
