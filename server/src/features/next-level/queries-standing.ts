import { sql } from 'kysely'

/** The statements' own words for where an invitation `i` stands. */
export const pending = sql`(case when i.wanted then i.told <> 'invited' else i.told = 'invited' end)`

export const standing = sql`case
  when i.wanted and i.told <> 'invited' then 'toInvite'
  when i.wanted and i.answer = '' then 'waiting'
  when i.wanted then i.answer
  when i.told = 'invited' then 'toWithdraw'
  when i.told = 'withdrawn' then 'withdrawn'
  else 'left' end`
