import type { LateFeeNotification } from '@podium/contract/catalogue/calls-late-fees'
import { paise, rupees } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

interface Row {
  from: string
  fee: number
  subjects: string[]
  all: boolean
}

/** Late fees of the events that can still be entered, those of one day and amount together; empty unless the season is open. */
export async function lateFeesOf(db: Db, season: Season, now: Date): Promise<LateFeeNotification[]> {
  const today = istDay(now)
  const { rows } = await sql<Row>`
    with enterable as (
      select e.letter, e.late_from, e.late_fee, e.closes_on from events e join seasons s on s.label = e.season
      where s.label = ${season} and s.state = 'open' and e.level = 1 and e.closes_on >= ${today}::date
    )
    select o.late_from as "from", o.late_fee as fee, array_agg(sub.name order by sub.position) as subjects,
      count(*) = (select count(*) from enterable) as "all"
    from enterable o join subjects sub on sub.letter = o.letter
    where o.late_from <= o.closes_on
    group by o.late_from, o.late_fee order by o.late_from, o.late_fee`.execute(db)
  return rows.map(({ from, fee, subjects, all }) => ({
    from,
    fee: rupees(paise(fee)),
    subjects,
    inForce: from <= today,
    all,
  }))
}
