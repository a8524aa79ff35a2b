import { paise, rupees } from '@podium/contract/money'
import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { type MergeKind, type MergeSum, mergeKinds, mergeSums } from '@podium/contract/schools/calls-merge'
import { type RawBuilder, sql } from 'kysely'
import { dueLibraryLine } from '#features/payments/library/queries'
import { charges, uncovered } from '#features/payments/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { seenMark } from '#platform/seen'
import { findLikelySchools } from '../applications/queries.ts'
import { searchWords } from '../register/queries.ts'
import { schoolRecord } from '../register/queries-record.ts'
import { samenessOf } from '../rules.ts'
import { blocksOf, clashesOf } from './queries-clashes.ts'
import type { Pair } from './rules.ts'

/** The tables whose rows are counted for each kind, with the column that names the school. */
const counted: Record<MergeKind, RawBuilder<unknown>> = {
  people: sql`users`,
  contacts: sql`contacts`,
  links: sql`school_links`,
  students: sql`students`,
  enrolments: sql`enrolments`,
  books: sql`book_choices`,
  library: sql`library_lines`,
  families: sql`family_links`,
  events: sql`participations`,
  payments: sql`payments`,
  credits: sql`school_credits`,
  refunds: sql`refunds`,
  bankLines: sql`(select guess_school_id as school_id from bank_lines)`,
  waivers: sql`waivers`,
  packets: sql`packets`,
  results: sql`results`,
  questions: sql`teacher_questions`,
  imports: sql`student_imports`,
  visits: sql`school_visits`,
  nudges: sql`school_nudges`,
  notices: sql`notices`,
  files: sql`files`,
  history: sql`audit`,
}

async function countsOf(db: Db | Tx, { stays, leaves }: Pair) {
  const counts = mergeKinds.map(
    (kind) => sql`
      select ${kind}::text as kind, count(*) filter (where t.school_id = ${stays}) as stays,
        count(*) filter (where t.school_id = ${leaves}) as leaves
      from ${counted[kind]} t where t.school_id in (${stays}, ${leaves})`,
  )
  const { rows } = await sql<{ kind: MergeKind; stays: number; leaves: number }>`
    ${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.map((row) => ({ kind: row.kind, stays: Number(row.stays), leaves: Number(row.leaves) }))
}

/** Sums of a school over all seasons, in paise: what the merge must leave as they are when both are added up. */
export async function sumsOf(db: Db | Tx, id: number): Promise<Record<MergeSum, number>> {
  const { rows } = await sql<Record<MergeSum, number>>`
    with head as (
      select sum(s.reg_amount + s.book_amount) as gross, sum(s.reg_retained + s.book_retained) as retained
      from students s where s.school_id = ${id} and s.active),
    shelf as (
      select sum(l.quantity * l.price) as gross, sum(l.quantity * l.retained) as retained
      from library_lines l where l.school_id = ${id} and l.active)
    select coalesce(head.gross, 0) + coalesce(shelf.gross, 0) as charged,
      coalesce(head.retained, 0) + coalesce(shelf.retained, 0) as share,
      coalesce((select sum(p.payable) from payments p where p.school_id = ${id} and p.state = 'verified'), 0) as received,
      coalesce((select sum(p.payable) from payments p where p.school_id = ${id} and p.state = 'pending'), 0) as pending,
      coalesce((select sum(c.gross - c.retained) from students s cross join ${charges}
        where s.school_id = ${id} and s.active and c.wanted and ${uncovered}), 0)
      + coalesce((select sum(l.quantity * (l.price - l.retained)) from library_lines l
        where l.school_id = ${id} and ${dueLibraryLine}), 0) as due,
      coalesce((select sum(c.amount) from school_credits c where c.school_id = ${id}), 0) as credit
    from head, shelf`.execute(db)
  const row = found(rows[0])
  return Object.fromEntries(mergeSums.map((kind) => [kind, Number(row[kind])])) as Record<MergeSum, number>
}

/** Two schools that are there, are two, and are both still schools of their own. */
export async function refuseNoPair(db: Db | Tx, { stays, leaves }: Pair): Promise<void> {
  const rows = await db
    .selectFrom('schools')
    .select(['id', 'merged_into'])
    .where('id', 'in', [stays, leaves])
    .execute()
  found(rows.find(({ id }) => id === stays))
  found(rows.find(({ id }) => id === leaves))
  if (stays === leaves) throw new Refusal('schools.merge_same')
  if (rows.some(({ merged_into }) => merged_into !== null)) throw new Refusal('schools.merged')
}

/** What is read, sent or looked at all the time: it moves, and nobody decides by it. */
const passing: readonly MergeKind[] = ['history', 'visits', 'nudges', 'notices', 'files', 'bankLines']

/** The children, money and clashes of both that a merge is decided by. */
export async function mergedUpon(db: Db | Tx, pair: Pair, now: Date) {
  const moves = (await countsOf(db, pair)).filter(({ kind }) => !passing.includes(kind))
  const sums = [await sumsOf(db, pair.stays), await sumsOf(db, pair.leaves)]
  const clashes = await clashesOf(db, pair, now)
  return { moves, sums, clashes: clashes.map(({ kind, count }) => [kind, count]) }
}

/** Two schools side by side: their details, what would move, what clashes, what stands in the way. */
export async function mergePreview(db: Db, scope: OfficeScope, now: Date, pair: Pair) {
  await refuseNoPair(db, pair)
  const stays = await schoolRecord(db, scope, pair.stays)
  const leaves = await schoolRecord(db, scope, pair.leaves)
  const { rows: seasons } = await sql<{ season: string }>`
    select distinct season from students where school_id in (${pair.stays}, ${pair.leaves}) order by season desc`.execute(
    db,
  )
  const money = mayDo(scope.role, 'payments.read')
  const one = money ? await sumsOf(db, pair.stays) : undefined
  const other = money ? await sumsOf(db, pair.leaves) : undefined
  const inRupees = (amount: number) => rupees(paise(amount))
  return {
    stays,
    leaves,
    seasons: seasons.map(({ season }) => season),
    moves: await countsOf(db, pair),
    sums:
      one && other
        ? mergeSums.map((kind) => ({ kind, stays: inRupees(one[kind]), leaves: inRupees(other[kind]) }))
        : null,
    clashes: await clashesOf(db, pair, now),
    blocks: await blocksOf(db, pair, now),
    seen: seenMark(await mergedUpon(db, pair, now)),
  }
}

async function searched(db: Db, id: number, typed: string): Promise<LikelySchool[]> {
  const words = searchWords(typed)
  if (words.length === 0) return []
  const has = sql.join(
    words.map((word) => sql`s.search_key like ${`%${word}%`}`),
    sql` and `,
  )
  return (await described(db, sql`s.id <> ${id} and s.merged_into is null and ${has}`)).slice(0, 20)
}

async function described(db: Db, where: RawBuilder<unknown>): Promise<LikelySchool[]> {
  const { rows } = await sql<Omit<LikelySchool, 'same'>>`
    select s.id as "schId", s.code as "schCode", s.name as "schName", s.address, s.city, s.district, s.state,
      s.pin_code as "pinCode", s.phone, s.udise_code as "udiseCode", s.affiliation_no as "affiliationNo",
      (select count(*) from users u where u.school_id = s.id) as "staffCount"
    from schools s where ${where} order by s.name_key, s.id limit 20`.execute(db)
  return rows.map((school) => ({ ...school, same: [] }))
}

/** Schools that may be this one: those that look like it, or what a search finds, with what they have in common. */
export async function mergeCandidatesOf(db: Db, _scope: OfficeScope, id: number, typed: string) {
  const [school] = await described(db, sql`s.id = ${id}`)
  const own = found(school)
  const candidates = typed === '' ? await findLikelySchools(db, own) : await searched(db, id, typed)
  const data = candidates
    .filter(({ schId }) => schId !== id)
    .map((one) => ({
      ...one,
      same: samenessOf({ ...own, name: own.schName }, { ...one, name: one.schName }),
    }))
  return { school: own, data }
}
