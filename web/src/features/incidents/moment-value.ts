import { istDay } from '@podium/contract/season'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Day and time in India as fields take them: `2026-11-21` and `14:30`; empty for nothing. */
export function momentValue(instant: string | null | Date): { day: string; time: string } {
  if (instant === null) return { day: '', time: '' }
  const at = new Date(instant)
  return { day: istDay(at), time: clock.format(at) }
}
