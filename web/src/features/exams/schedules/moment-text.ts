import { formatDay, istDay, istTime } from '@podium/contract/season'

/** An instant as text for a list to choose from: day and time in India. */
export function momentText(instant: string): string {
  const at = new Date(instant)
  return `${formatDay(istDay(at))}, ${istTime(at)}`
}
