import type { ErrorCode } from '@podium/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { Refusal } from '../errors.ts'
import type { AlarmName } from '../http/limits.ts'
import { sourceOf } from '../http/source.ts'

/** What whoever watches over the portal wants to see, each a line of its own in the log and a count in /metrics (ASVS 5.0, V16.3). */
export const securityEvents = [
  // Somebody came in
  'signed-in',
  // A password or a code was wrong
  'sign-in-failed',
  // A limit was hit
  'limited',
  // Somebody asked for what is another's, or not for this role
  'denied',
  // Another site's page asked through somebody's browser
  'foreign-site',
  // A token came back that was replaced: one of two who bring it has stolen it
  'token-reused',
  // More of something in an hour than people do (limits.ts)
  'alarm',
] as const
export type SecurityEvent = (typeof securityEvents)[number]

const refusals: Partial<Record<ErrorCode, SecurityEvent>> = {
  'account.wrong_sign_in': 'sign-in-failed',
  'office.wrong_sign_in': 'sign-in-failed',
  'office.wrong_code': 'sign-in-failed',
  'families.wrong_code': 'sign-in-failed',
  'request.too_many': 'limited',
  'access.denied': 'denied',
  'access.other_school': 'denied',
  'request.cross_site': 'foreign-site',
  'session.reused': 'token-reused',
}

/** Counts something that is watched; the owners are told when it passes what people do. `key` is whose, where it is one's. */
export type Alarm = (name: AlarmName, key?: string) => Promise<void>

interface Watching {
  security: SecurityWatch
  alarm: Alarm
}

export interface SecurityWatch {
  /** Writes an event down and counts it. `facts` hold ids and names of rules, nothing of a person. */
  note(event: SecurityEvent, facts: Readonly<Record<string, string | number>>): void
  readonly counter: Counter<'event'>
}

export function watchSecurity(log: Logger): SecurityWatch {
  const counter = new Counter({
    name: 'podium_security_events_total',
    help: 'Security events by kind; each is a line of the log with `security`',
    labelNames: ['event'],
    registers: [],
  })
  for (const event of securityEvents) counter.inc({ event }, 0)
  return {
    note(event, facts) {
      counter.inc({ event })
      log[event === 'signed-in' ? 'info' : 'warn']({ security: event, ...facts }, 'security event')
    },
    counter,
  }
}

/** Refusals that are counted over all sources: who guesses from many addresses hits no limit of one. */
const guesses: Partial<Record<ErrorCode, AlarmName>> = {
  'families.wrong_code': 'family-guesses',
  'account.bad_link': 'family-guesses',
  'account.wrong_sign_in': 'sign-in-guesses',
  'account.wrong_otp': 'sign-in-guesses',
}

/**
 * Notes refusals that are security events. With the source address, which no other line has: without it nobody could act
 * on one.
 */
export function watchRefusals(app: FastifyInstance, { security, alarm }: Watching): void {
  app.addHook('onError', async (request, _reply, error) => {
    const thrown: unknown = error
    if (!(thrown instanceof Refusal)) return
    const guess = guesses[thrown.code]
    if (guess) await alarm(guess)
    const event = refusals[thrown.code]
    if (event === undefined) return
    security.note(event, {
      refusal: thrown.code,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      caller: request.caller,
      who: request.who,
      source: sourceOf(request.ip),
      request: request.id,
      ...thrown.facts,
    })
  })
}
