import { istDay, seasonAt, seasonBefore } from '@podium/contract/season'
import './later.ts'

/** The seasons of the demo world on the day on which the tests run, and that day in India. */
export const thisSeason = seasonAt(new Date())
export const lastSeason = seasonBefore(thisSeason)
export const today = istDay(new Date())
