import { type ClockName, clockHours, clockNames, type IncidentClock } from '@podium/contract/incidents'
import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'

const minute = 60_000

/** A report as it is kept. */
export interface KeptReport {
  clock: string
  outcome: string
  at: Date
  note: string
  by: string
}

/**
 * The clocks of a breach (CERT-In's directions of 28-Apr-2022: 6 hours; DPDP Rules 2025, rule 7: 72 hours), in minutes
 * from now, or from its report where that was noted.
 */
export function clocksOf(foundAt: Date, reports: readonly KeptReport[], now: Date): IncidentClock[] {
  return clockNames.map((name) => {
    const report = reports.find(({ clock }) => clock === name)
    const due = dueOf(foundAt, name)
    const left = Math.floor((due.getTime() - (report?.at ?? now).getTime()) / minute)
    return {
      name,
      dueAt: due.toISOString(),
      left,
      late: left < 0 && report?.outcome !== 'needless',
      outcome: report?.outcome ?? '',
      at: report?.at.toISOString() ?? null,
      note: report?.note ?? '',
      by: report?.by ?? '',
    }
  })
}

export const dueOf = (foundAt: Date, name: ClockName): Date =>
  new Date(foundAt.getTime() + clockHours[name] * 60 * minute)

/** `21-Nov-2026 02:30 PM` in India from an instant; empty for none. */
export function momentText(instant: string | Date | null): string {
  if (instant === null || instant === '') return ''
  const at = new Date(instant)
  return `${formatDay(istDay(at))} ${istTime(at)}`
}

/** An instant from day and time in India; no date where there is no such day. */
export const momentOf = (day: string, time: string): Date =>
  new Date(isDay(day) ? `${day}T${time}:00+05:30` : Number.NaN)

/** What was typed between commas, spaces and lines, once each. */
export const codesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((code) => code.toUpperCase()),
  ),
]

/** What was typed on lines, once each. */
export const linesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\n,;]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

export const wordFields = ['what', 'consequences', 'measures', 'safety', 'contact'] as const

/** Whether those affected would read the whole of what the law asks for. */
export const wordsWhole = (words: Partial<Record<string, string>> | undefined): boolean =>
  wordFields.every((field) => (words?.[field] ?? '') !== '')
