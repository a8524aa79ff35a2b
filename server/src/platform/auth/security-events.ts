import type { ErrorCode } from '@podium/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { Refusal } from '../errors.ts'
import type { AlarmName } from '../http/limits.ts'
import { sourceOf } from '../http/source.ts'

/**
 * The security events worth monitoring, each a line of its own in the log and a count in /metrics (ASVS 5.0, V16.3).
 */
const securityEvents = [
  // A sign-in succeeded
  'signed-in',
  // A password or a code was wrong
  'sign-in-failed',
  // A limit was hit
  'limited',
  // A request for someone else's data, or not allowed for this role
  'denied',
  // Another site's page made a request from a user's browser
  'foreign-site',
  // A replaced token was used again: one of the two users has stolen it
  'token-reused',
  // More of something in an hour than people normally do (limits.ts)
  'alarm',
] as const
type SecurityEvent = (typeof securityEvents)[number]

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

/**
 * Counts a monitored event; the owners are notified when it exceeds normal use. `key` names whose it is, for alarms per
 * person.
 */
export type Alarm = (name: AlarmName, key?: string) => Promise<void>

interface WatchDeps {
  security: SecurityWatch
  alarm: Alarm
}

export interface SecurityWatch {
  /** Logs an event and counts it. `facts` hold ids and rule names, no personal data. */
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

/** Refusals counted across all sources: an attacker using many addresses hits no limit of a single one. */
const guesses: Partial<Record<ErrorCode, AlarmName>> = {
  'families.wrong_code': 'family-guesses',
  'account.bad_link': 'family-guesses',
  'account.wrong_sign_in': 'sign-in-guesses',
  'account.wrong_otp': 'sign-in-guesses',
}

/**
 * Logs refusals that are security events, with the source address. No other log line has it, but without it nobody
 * could respond to one.
 */
export function watchRefusals(app: FastifyInstance, { security, alarm }: WatchDeps): void {
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
