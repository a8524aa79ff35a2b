import { sql } from 'kysely'
import { booksPaid } from '#platform/paid-students'
import { awardRights, boxedAwards } from '../awards/queries.ts'

/** The rule for spare papers of a season of `p`: its own, or that of the newest season before it. */
const spareRule = sql`
  left join lateral (
    select r.percent, r.minimum from dispatch_spares r where r.season <= p.season order by r.season desc limit 1) r on true`

const books = sql`
  select s.school_id, s.season, 'books' as contents, b.event_id, b.class_id, b.kind, count(*)::int as wanted, 0 as spare
  from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active
    join book_choices b on b.student_id = s.id
  where ${booksPaid('s')}
  group by s.school_id, s.season, b.event_id, b.class_id, b.kind
  union all
  select l.school_id, l.season, 'books', l.event_id, l.class_id, l.kind, sum(l.quantity)::int, 0
  from places p join library_lines l on l.school_id = p.school_id and l.season = p.season and l.active and l.paid
  group by l.school_id, l.season, l.event_id, l.class_id, l.kind`

const papers = sql`
  select n.school_id, n.season, 'papers', n.event_id, n.class_id, 'paper', n.children + n.spare, n.spare
  from (
    select s.school_id, s.season, n.event_id, n.class_id, count(*)::int as children,
      greatest(ceil(count(*) * coalesce(r.percent, 0) / 100.0), coalesce(r.minimum, 0))::int as spare
    from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active and s.paid
      join enrolments n on n.student_id = s.id join events e on e.id = n.event_id and e.mode = 'Offline'
      ${spareRule}
    group by s.school_id, s.season, n.event_id, n.class_id, r.percent, r.minimum) n`

const packed = sql`
  select k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind, sum(l.quantity)::int as packed
  from places p join packets k on k.school_id = p.school_id and k.season = p.season and k.counts
    join packet_lines l on l.packet_id = k.id
  where k.contents in ('books', 'papers')
  group by k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind`

/**
 * Of awards, medals are alike: as many go out as there are winners more than medals in parcels. Everything else is one
 * child's: what is in no parcel goes out, what is in one and nobody's any more is extra.
 */
const awards = sql`
  select school_id, season, 'awards' as contents, event_id, class_id, kind, wanted, wanted - due as packed, due, 0 as spare,
    boxed - (wanted - due) as extra
  from (
    select m.*, case when kind in ('gold', 'silver', 'bronze') then greatest(wanted - boxed, 0) else fresh end as due
    from (
      select school_id, season, event_id, class_id, kind, count(r.version)::int as wanted, count(b.at)::int as boxed,
        (count(*) filter (where b.at is null))::int as fresh
      from (${awardRights}) r
        full join (select b.*, 1 as at from (${boxedAwards}) b) b
          using (school_id, season, event_id, class_id, kind, student_id, says)
      group by school_id, season, event_id, class_id, kind) m) d`

/**
 * What schools of `places` (school_id, season) must get and have got, a row for each line: paid books of children, paid
 * copies of libraries, papers with their spares, awards.
 */
export const needsOfPlaces = sql`
  select school_id, season, contents, event_id, class_id, kind, wanted, packed, greatest(wanted - packed, 0) as due, spare,
    0 as extra
  from (
    select school_id, season, contents, event_id, class_id, kind, sum(wanted)::int as wanted, sum(packed)::int as packed,
      sum(spare)::int as spare
    from (select *, 0 as packed from (${books} union all ${papers}) w
      union all select school_id, season, contents, event_id, class_id, kind, 0, 0, packed from (${packed}) k) sides
    group by school_id, season, contents, event_id, class_id, kind) whole
  union all ${awards}`
