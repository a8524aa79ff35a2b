import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'

/** `21-Nov-2026 02:30 PM` in India from an instant. */
export const momentText = (instant: string | Date): string => {
  const at = new Date(instant)
  return `${formatDay(istDay(at))} ${istTime(at)}`
}

/** An instant from day and time in India; no date where there is no such day. */
export const momentOf = (day: string, time: string): Date =>
  new Date(isDay(day) ? `${day}T${time}:00+05:30` : Number.NaN)

/** What was typed between these signs, once each. */
export const typedBetween = (signs: RegExp, typed: string): string[] => [
  ...new Set(
    typed
      .split(signs)
      .map((one) => one.trim())
      .filter(Boolean),
  ),
]
