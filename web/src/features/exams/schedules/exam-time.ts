import { istDay, istTime } from '@podium/contract/season'

/** `10/12/2026 10:00 AM`: dd/MM/yyyy hh:mm a in the +0530 zone, as the specification writes exam hours (section 9). */
export function examTime(instant: string): string {
  const at = new Date(instant)
  const [year, month, day] = istDay(at).split('-')
  return `${day}/${month}/${year} ${istTime(at)}`
}
