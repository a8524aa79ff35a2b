// What a run has shown, in lines, and whether it is what is wanted.
import type { checkMails, Found } from './check.ts'
import type { Call, Load } from './load.ts'

export interface Phase {
  name: 'kill of an instance' | 'fail-over' | 'database away' | 'migration' | 'rolling restart'
  /** In ms */
  from: number
  until: number
}

interface Shown {
  minutes: number
  kills: number
  phases: readonly Phase[]
  load: Pick<Load, 'calls' | 'refusals' | 'writes'>
  writes: readonly Found[]
  invariants: ReadonlyArray<readonly [what: string, times: number]>
  mails: Awaited<ReturnType<typeof checkMails>>
}

/** A call belongs to the first of these that it overlaps. */
const names = ['fail-over', 'database away', 'migration', 'rolling restart', 'kill of an instance'] as const

/** While there is no database, callers are told so. */
const toBeExpected = new Set<string>(['fail-over', 'database away'])

function phaseOf(call: Call, phases: readonly Phase[]): Phase['name'] | 'nothing' {
  const met = phases.filter(({ from, until }) => call.until >= from && call.from <= until)
  return names.find((name) => met.some((phase) => phase.name === name)) ?? 'nothing'
}

/** The longest time, in seconds, in which no write was acknowledged, of those that touch one of the phases. */
function longestPause(load: Shown['load'], phases: readonly Phase[]): number {
  const times = load.writes.flatMap(({ acknowledged }) => acknowledged ?? []).sort((a, b) => a - b)
  let longest = 0
  for (const [index, time] of times.entries()) {
    const before = times[index - 1] ?? time
    if (phases.some(({ from, until }) => time >= from && before <= until))
      longest = Math.max(longest, time - before)
  }
  return longest / 1000
}

/** Prints; true when nothing was lost, doubled or refused that should not have been. */
export function report(shown: Shown): boolean {
  const { phases, load, mails } = shown
  const line = (what: string, ...values: Array<string | number>) =>
    console.log(`${what.padEnd(62)}${values.map((value) => String(value).padStart(12)).join('')}`)
  console.log(
    `\n${shown.minutes.toFixed(1)} minutes, ${shown.kills} kills of an instance, ${load.calls.length} calls`,
  )
  line('writes', 'sent', 'acknowledged', 'lost', 'doubled', 'unanswered')
  for (const { kind, sent, acknowledged, lost, doubled, unanswered } of shown.writes)
    line(kind, sent, acknowledged, lost, doubled, unanswered)
  line('mails', 'written', 'given up', 'lost', 'doubled', 'unknown')
  line('', mails.written, mails.givenUp, mails.lost, mails.doubled, mails.unknown)
  line('during', 'calls', '5xx', 'no answer', 'pause, s', 'times')
  const outcomes = [...names, 'nothing' as const].map((name) => {
    const calls = load.calls.filter((call) => phaseOf(call, phases) === name)
    const own = phases.filter((phase) => phase.name === name)
    const failed = calls.filter(({ status }) => status >= 500).length
    const pause = name === 'nothing' ? 0 : longestPause(load, own)
    line(
      name,
      calls.length,
      failed,
      calls.filter(({ status }) => status === 0).length,
      pause.toFixed(1),
      own.length,
    )
    return { name, failed, pause }
  })
  const failed = load.calls.filter(({ status }) => status >= 500)
  const answers = Object.groupBy(failed, ({ status, code }) => `${status} ${code || 'of the balancer'}`)
  for (const [answer, calls = []] of Object.entries(answers)) {
    const where = Object.entries(Object.groupBy(calls, (call) => phaseOf(call, phases)))
    console.log(`  ${answer}: ${where.map(([name, some]) => `${some?.length} at ${name}`).join(', ')}`)
  }
  for (const [what, times] of shown.invariants) line(what, times)
  for (const [what, times] of load.refusals) line(`refused: ${what}`, times)
  const longest = Math.max(...load.calls.map(({ from, until }) => until - from)) / 1000
  line('longest call, s', longest.toFixed(1))

  const faults = [
    ...shown.writes.flatMap(({ kind, lost, doubled }) =>
      lost + doubled > 0 ? [`${kind}: lost or doubled`] : [],
    ),
    ...shown.invariants.flatMap(([what, times]) => (times === 0 ? [] : [what])),
    ...(mails.lost + mails.givenUp + mails.unknown > 0 ? ['mails'] : []),
    ...outcomes.flatMap(({ name, failed }) =>
      failed > 0 && !toBeExpected.has(name) ? [`5xx at ${name}`] : [],
    ),
    ...outcomes.flatMap(({ name, pause }) =>
      pause >= 30 ? [`${name}: ${pause.toFixed(1)} s without a write`] : [],
    ),
    ...(load.refusals.size > 0 ? ['the load itself was refused'] : []),
  ]
  console.log(faults.length === 0 ? '\nas wanted' : `\nNOT as wanted: ${faults.join('; ')}`)
  return faults.length === 0
}
