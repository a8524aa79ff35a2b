import { type ClockName, clockHours, clockNames, type IncidentClock } from '@podium/contract/incidents'
import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { refuseField } from '#platform/errors'

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

/** The same, refused at its field where there is no such day or where it is still to come. */
export function pastMoment(day: string, time: string, field: string, now: Date): Date {
  const at = momentOf(day, time)
  if (Number.isNaN(at.getTime())) throw refuseField(field, sentences.incidentMoment)
  if (at > now) throw refuseField(field, sentences.incidentInFuture)
  return at
}

interface Times {
  foundDay: string
  foundTime: string
  beganDay: string
  beganTime: string
}

/** When a breach was found and, where that is known, when it began; refused where one can't be. */
export function timesOf(form: Times, now: Date): { found_at: Date; began_at: Date | null } {
  const found = pastMoment(form.foundDay, form.foundTime, 'foundDay', now)
  if (form.beganDay === '' && form.beganTime === '') return { found_at: found, began_at: null }
  if (form.beganDay === '') throw refuseField('beganDay', sentences.incidentMoment)
  if (form.beganTime === '') throw refuseField('beganTime', sentences.incidentMoment)
  const began = pastMoment(form.beganDay, form.beganTime, 'beganDay', now)
  if (began > found) throw refuseField('beganDay', sentences.incidentFoundFirst)
  return { found_at: found, began_at: began }
}

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
