import { sentences } from '@podium/contract/sentences'
import { refuseField } from '#platform/errors'
import { momentOf } from './rules.ts'

/** An instant from day and time in India, refused at its field where there is no such day or where it is still to come. */
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
