import type { ListEntry, ListKind } from '@podium/contract/catalogue/calls-lists'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { abroad } from './rules.ts'

const nothing = sql`'' as code, '' as zone, 0 as "stateId", '' as state, '' as day, false as fixed`

/** How each list is read: its columns beside id, version, name and active, who uses it, and its order. */
const reads: Record<ListKind, RawBuilder<unknown>> = {
  designations: sql`
    select l.id, l.version, l.name, l.active, ${nothing},
      (select count(*)::int from contacts c where c.designation_id = l.id) as used
    from designations l order by l.position, l.id`,
  titles: sql`
    select l.id, l.version, l.name, l.active, ${nothing},
      (select count(*)::int from contacts c where c.title_id = l.id) as used
    from titles l order by l.position, l.id`,
  zones: sql`
    select l.id, l.version, l.name, l.active, '' as code, '' as zone, 0 as "stateId", '' as state, '' as day,
      l.name = ${abroad} as fixed, (select count(*)::int from states s where s.zone = l.name) as used
    from zones l order by l.position, l.id`,
  states: sql`
    select l.id, l.version, l.name, l.active, l.code, l.zone, 0 as "stateId", '' as state, '' as day, false as fixed,
      coalesce(h.schools, 0) as used
    from states l left join (
      select state, count(*)::int as schools from schools where country = 'India' group by state) h on h.state = l.name
    order by l.name`,
  districts: sql`
    select l.id, l.version, l.name, l.active, '' as code, '' as zone, l.state_id as "stateId", s.name as state,
      '' as day, false as fixed, coalesce(h.schools, 0) as used
    from districts l join states s on s.id = l.state_id left join (
      select state, district, count(*)::int as schools from schools where country = 'India' group by state, district) h
      on h.state = s.name and h.district = l.name
    order by s.name, l.name`,
  holidays: sql`
    select l.id, l.version, l.name, l.active, '' as code, '' as zone, 0 as "stateId", '' as state, l.held_on::text as day,
      false as fixed, 0 as used
    from holidays l order by l.held_on desc`,
}

/** The entries of a list in its order. */
export async function officeList(db: Db | Tx, _scope: OfficeScope, kind: ListKind): Promise<ListEntry[]> {
  return (await sql<ListEntry>`${reads[kind]}`.execute(db)).rows
}
