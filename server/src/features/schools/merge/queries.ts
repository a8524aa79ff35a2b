import { classes } from '@podium/contract/classes'
import { rupeesOf } from '@podium/contract/money'
import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import {
  type MergeBlock,
  type MergeClash,
  type MergeExample,
  type MergeKind,
  type MergeSum,
  mergeKinds,
  mergeSums,
} from '@podium/contract/schools/calls-merge'
import { type RawBuilder, sql } from 'kysely'
import { charges, dueLibraryLine, notInPayment } from '#features/payments/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords } from '#platform/db/list-queries'
import { findRows } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { fingerprint } from '#platform/http/idempotency'
import { findLikelySchools } from '../applications/queries.ts'
import { schoolRecord } from '../register/queries-years.ts'
import { commonFacts } from '../rules.ts'
import type { Pair } from './rules.ts'

type Clash = (pair: Pair, now: Date) => RawBuilder<unknown>

/** Examples shown of each clash; the students in both are all needed, because one of each pair is cancelled by hand. */
const examplesOf = (kind: string) => (kind === 'twins' ? 200 : 5)

const namesOfClasses = classes.toSorted((a, b) => a.classId - b.classId).map((known) => known.className)
const classOf = (alias: string) =>
  sql`(array[${sql.join(namesOfClasses)}]::text[])[${sql.ref(`${alias}.class_id`)}]`
const childOf = (alias: string) =>
  sql`concat_ws(' ', ${sql.ref(`${alias}.name`)}, ${classOf(alias)}, ${sql.ref(`${alias}.section`)}, ${sql.ref(`${alias}.roll_no`)})`
const dayOf = (day: RawBuilder<unknown>) => sql`coalesce(to_char(${day}, 'DD-Mon-YYYY'), '')`

/** SQL: pairs of active students in the same season and class, `a` of `source` and `b` of `target`. */
const children = ({ target, source }: Pair) => sql`
  students a join students b on b.school_id = ${target} and b.season = a.season and b.class_id = a.class_id
    and b.active and a.active and a.school_id = ${source}`

/** SQL: pairs of lists of the same event `e`, `a` and `b` as above. */
const lists = ({ target, source }: Pair) => sql`
  participations a join participations b on b.school_id = ${target} and b.event_id = a.event_id and a.school_id = ${source}
  join events e on e.id = a.event_id`

const event = sql`e.season || ' ' || e.letter || case when e.level > 1 then ' L' || e.level else '' end`
const signedOn = (alias: string) =>
  dayOf(sql`${sql.ref(`${alias}.signed_off_at`)} at time zone 'Asia/Kolkata'`)

/** SQL: pairs of open lines of the same book in both library orders; `b` matches if both are unpaid and cost the same. */
export const bookLines = ({ target, source }: Pair) => sql`
  library_lines a join library_lines b on b.school_id = ${target} and b.event_id = a.event_id and b.class_id = a.class_id
    and b.kind = a.kind and b.active and not b.paid and a.active and not a.paid and a.school_id = ${source}`
export const sameTerms = sql`(a.price, a.retained) = (b.price, b.retained) and a.payment_id is null and b.payment_id is null`

const bookExamples = (pair: Pair, which: RawBuilder<unknown>) => sql`
  select e.season || ' ' || e.letter || ' ' || ${classOf('a')} || ' ' || a.kind as what, b.quantity::text as target, a.quantity::text as source
  from ${bookLines(pair)} join events e on e.id = a.event_id where ${which}`

/** SQL: whether a user was removed from a school and has not returned. */
export const hasLeftSchool = (userId: RawBuilder<unknown>, school: number) => sql`exists (
  select from school_departures d where d.user_id = ${userId} and d.school_id = ${school} and d.returned_at is null)`

/** SQL for each kind of clash: a row for each case, with what it concerns and its state at both schools. */
const clashes: Record<MergeClash, Clash> = {
  removed: ({ target, source }) => sql`
    select '' as what, '' as target, u.name as source from users u
    where u.school_id = ${source} and ${hasLeftSchool(sql`u.id`, target)}`,
  twins: (pair) => sql`
    select a.season as what, ${childOf('b')} as target, ${childOf('a')} as source
    from ${children(pair)} and b.name_key = a.name_key`,
  rolls: (pair) => sql`
    select a.season as what, ${childOf('b')} as target, ${childOf('a')} as source
    from ${children(pair)} and b.section = a.section and b.roll_no = a.roll_no`,
  events: (pair) => sql`select ${event} as what, '' as target, '' as source from ${lists(pair)}`,
  dates: (pair) => sql`
    select ${event} as what, ${dayOf(sql`db.held_on`)} as target, ${dayOf(sql`da.held_on`)} as source from ${lists(pair)}
    join exam_dates da on da.id = a.exam_date_id join exam_dates db on db.id = b.exam_date_id
    where a.exam_date_id <> b.exam_date_id`,
  signed: (pair) => sql`
    select ${event} as what, ${signedOn('b')} as target, ${signedOn('a')} as source from ${lists(pair)}
    where coalesce(a.signed_off_at, b.signed_off_at) is not null`,
  families: ({ target, source }) => sql`
    select a.season as what, '…' || right(b.parent_mobile, 4) as target, '…' || right(a.parent_mobile, 4) as source
    from family_links a join family_links b on b.school_id = ${target} and b.season = a.season
      and b.parent_mobile = a.parent_mobile and b.revoked_at is null
    where a.school_id = ${source} and a.parent_mobile <> '' and a.revoked_at is null`,
  library: (pair) => bookExamples(pair, sameTerms),
  contacts: ({ target, source }) => sql`
    select a.season as what, b.name as target, a.name as source from contacts a join contacts b on b.school_id = ${target}
      and b.season = a.season and b.email = a.email and lower(b.name) = lower(a.name) and b.active
    where a.school_id = ${source} and a.active`,
  invitations: ({ target, source }) => sql`
    select a.email as what, b.name as target, a.name as source
    from school_invitations a join school_invitations b on b.school_id = ${target} and b.email = a.email
      and b.accepted_at is null and b.withdrawn_at is null
    where a.school_id = ${source} and a.accepted_at is null and a.withdrawn_at is null`,
  questions: ({ target, source }) => sql`
    select a.season || ' ' || a.letter as what, left(b.question, 80) as target, left(a.question, 80) as source
    from teacher_questions a join teacher_questions b on b.school_id = ${target} and b.season = a.season
      and b.letter = a.letter and b.class_id = a.class_id and lower(b.question) = lower(a.question) and b.state <> 'declined'
    where a.school_id = ${source} and a.state <> 'declined'`,
  holds: ({ target, source }) => sql`
    select ${event} as what, b.reason as target, a.reason as source from result_holds a
    join result_holds b on b.school_id = ${target} and b.event_id = a.event_id join events e on e.id = a.event_id
    where a.school_id = ${source}`,
  imports: ({ target, source }) => sql`
    select a.season as what, b.file_name as target, a.file_name as source from student_imports a
    join student_imports b on b.school_id = ${target} and b.season = a.season and b.sha256 = a.sha256
      and (b.source <> 'file' or b.confirmed_at is null)
    where a.school_id = ${source} and (a.source <> 'file' or a.confirmed_at is null)`,
  mappings: ({ target, source }) => sql`
    select '' as what, '' as target, '' as source from import_mappings a
    join import_mappings b on b.school_id = ${target} and b.headings = a.headings where a.school_id = ${source}`,
  coordinators: ({ target, source }) => sql`
    select '' as what, b.name as target, a.name as source from users a
    join users b on b.school_id = ${target} and b.coordinator and b.disabled_at is null
    where a.school_id = ${source} and a.coordinator`,
  offers: ({ source }) => sql`
    select '' as what, '' as target, t.name as source from coordinator_offers a join users t on t.id = a.to_user
    where a.school_id = ${source} and a.state = 'open'`,
  moves: ({ target, source }) => sql`
    select m.season as what, '' as target, s.name as source from student_moves m join students s on s.id = m.student_id
    where (m.from_school, m.to_school) in ((${target}::bigint, ${source}::bigint), (${source}::bigint, ${target}::bigint))`,
  ranks: ({ target, source }) => sql`
    select ${event} || ', ' || ${classOf('a')} as what, b.n::text as target, a.n::text as source from (
        select event_id, class_id, count(*) as n from results where school_id = ${source} group by 1, 2) a
      join (select event_id, class_id, count(*) as n from results where school_id = ${target} group by 1, 2) b
        on (b.event_id, b.class_id) = (a.event_id, a.class_id)
      join events e on e.id = a.event_id`,
}

const enteredIn = (school: number) =>
  sql`exists (select from enrolments n where n.event_id = r.event_id and n.school_id = ${school})`
const resultsIn = (school: number) =>
  sql`exists (select from results x where x.event_id = r.event_id and x.set_id = r.id and x.school_id = ${school})`

const blocks: Record<MergeBlock, Clash> = {
  pending: ({ target, source }) => sql`
    select a.season || ' ' || a.purpose as what, b.reference as target, a.reference as source
    from payments a join payments b on b.school_id = ${target} and b.season = a.season and b.purpose = a.purpose
      and b.state = 'pending'
    where a.school_id = ${source} and a.state = 'pending'`,
  library_prices: (pair) => bookExamples(pair, sql`not (${sameTerms})`),
  jobs: ({ target, source }) => sql`
    select j.kind as what, '' as target, '' as source from jobs j
    where j.school_id in (${target}, ${source}) and j.state in ('waiting', 'running')`,
  marks: ({ target, source }) => sql`
    select ${event} as what, '' as target, '' as source from result_sets r join events e on e.id = r.event_id
    where r.state in ('importing', 'computing') and (${enteredIn(target)} or ${enteredIn(source)})`,
  unreleased: ({ target, source }, now) => sql`
    select ${event} as what, '' as target, '' as source from result_sets r join events e on e.id = r.event_id
    where r.state in ('computed', 'approved') and (r.release_at is null or r.release_at > ${now})
      and ${resultsIn(target)} and ${resultsIn(source)}`,
  off: ({ target }) => sql`
    select '' as what, o.inactive_reason as target, '' as source from schools o where o.id = ${target} and not o.active`,
}

interface FoundClashes<Kind extends string> {
  kind: Kind
  count: number
  examples: MergeExample[]
}

async function findExamples<Kind extends string>(
  db: Db | Tx,
  kinds: Record<Kind, Clash>,
  pair: Pair,
  now: Date,
) {
  const all: FoundClashes<Kind>[] = []
  for (const kind of Object.keys(kinds) as Kind[]) {
    const { rows } = await sql<MergeExample & { n: number }>`
      select count(*) over () as n, x.what, x.target, x.source from (${kinds[kind](pair, now)}) x
      order by x.what, x.source limit ${examplesOf(kind)}`.execute(db)
    const examples = rows.map(({ what, target, source }) => ({ what, target, source }))
    if (rows[0]) all.push({ kind, count: Number(rows[0].n), examples })
  }
  return all
}

/** Clashes resolved by the rules of commands-settle.ts. */
const clashesOf = (db: Db | Tx, pair: Pair, now: Date) => findExamples(db, clashes, pair, now)

/** Clashes that must be resolved by hand before the merge. */
export const blocksOf = (db: Db | Tx, pair: Pair, now: Date) => findExamples(db, blocks, pair, now)

/** The tables counted for each kind, with their school column. */
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
  actingSessions: sql`acting_sessions`,
  reminders: sql`school_reminders`,
  notes: sql`school_notes`,
  notices: sql`notices`,
  files: sql`files`,
  history: sql`audit`,
}

async function countsOf(db: Db | Tx, { target, source }: Pair) {
  const counts = mergeKinds.map(
    (kind) => sql`
      select ${kind}::text as kind, count(*) filter (where t.school_id = ${target}) as target,
        count(*) filter (where t.school_id = ${source}) as source
      from ${counted[kind]} t where t.school_id in (${target}, ${source})`,
  )
  const { rows } = await sql<{ kind: MergeKind; target: number; source: number }>`
    ${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.map((row) => ({ kind: row.kind, target: Number(row.target), source: Number(row.source) }))
}

/** A school's totals over all seasons, in paise. A merge must not change the sum of both schools. */
async function sumsOf(db: Db | Tx, id: number): Promise<Record<MergeSum, number>> {
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
        where s.school_id = ${id} and s.active and c.wanted and ${notInPayment}), 0)
      + coalesce((select sum(l.quantity * (l.price - l.retained)) from library_lines l
        where l.school_id = ${id} and ${dueLibraryLine}), 0) as due,
      coalesce((select sum(c.amount) from school_credits c where c.school_id = ${id}), 0) as credit
    from head, shelf`.execute(db)
  const row = orNotFound(rows[0])
  return Object.fromEntries(mergeSums.map((kind) => [kind, Number(row[kind])])) as Record<MergeSum, number>
}

/** Refuses unless these are two different existing schools that have not been merged. */
export async function refuseUnmergeablePair(db: Db | Tx, { target, source }: Pair): Promise<void> {
  const rows = await findRows(db, 'schools', { id: [target, source] }, ['id', 'merged_into'])
  orNotFound(rows.find(({ id }) => id === target))
  orNotFound(rows.find(({ id }) => id === source))
  if (target === source) throw new Refusal('schools.merge_same')
  if (rows.some(({ merged_into }) => merged_into !== null)) throw new Refusal('schools.merged')
}

/** Kinds that change all the time and do not affect the decision to merge. */
const passing: readonly MergeKind[] = [
  'history',
  'actingSessions',
  'reminders',
  'notes',
  'notices',
  'files',
  'bankLines',
]

/** The students, money and clashes that the decision to merge is based on. */
export async function mergeBasis(db: Db | Tx, pair: Pair, now: Date) {
  const moves = (await countsOf(db, pair)).filter(({ kind }) => !passing.includes(kind))
  const sums = [await sumsOf(db, pair.target), await sumsOf(db, pair.source)]
  const clashes = await clashesOf(db, pair, now)
  return { moves, sums, clashes: clashes.map(({ kind, count }) => [kind, count]) }
}

/** Preview of a merge: both schools' details, what would move, clashes, and obstacles. */
export async function mergePreview(db: Db, scope: OfficeScope, now: Date, pair: Pair) {
  await refuseUnmergeablePair(db, pair)
  const target = await schoolRecord(db, scope, pair.target)
  const source = await schoolRecord(db, scope, pair.source)
  const { rows: seasons } = await sql<{ season: string }>`
    select distinct season from students where school_id in (${pair.target}, ${pair.source})
    order by season desc`.execute(db)
  const money = mayDo(scope.role, 'payments.read')
  const targetSums = money ? await sumsOf(db, pair.target) : undefined
  const sourceSums = money ? await sumsOf(db, pair.source) : undefined
  return {
    target,
    source,
    seasons: seasons.map(({ season }) => season),
    moves: await countsOf(db, pair),
    sums:
      targetSums && sourceSums
        ? mergeSums.map((kind) => ({
            kind,
            target: rupeesOf(targetSums[kind]),
            source: rupeesOf(sourceSums[kind]),
          }))
        : null,
    clashes: await clashesOf(db, pair, now),
    blocks: await blocksOf(db, pair, now),
    seen: fingerprint(await mergeBasis(db, pair, now)),
  }
}

async function searched(db: Db, id: number, typed: string): Promise<LikelySchool[]> {
  const has = hasWords(typed, sql`s.search_key`)
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

/** Possible duplicates of a school: similar ones or search results, with what they have in common. */
export async function mergeCandidatesOf(db: Db, _scope: OfficeScope, id: number, typed: string) {
  const school = orNotFound((await described(db, sql`s.id = ${id}`))[0])
  const candidates = typed === '' ? await findLikelySchools(db, school) : await searched(db, id, typed)
  const data = candidates
    .filter(({ schId }) => schId !== id)
    .map((candidate) => ({
      ...candidate,
      same: commonFacts({ ...school, name: school.schName }, { ...candidate, name: candidate.schName }),
    }))
  return { school, data }
}
