import type { ErrorCode } from '@podium/contract/errors'
import type { Incident, IncidentClock, IncidentCounts } from '@podium/contract/incidents'
import { mayDo } from '#platform/policy'
import type { OfficeScope } from '#platform/scope'
import { wordsWhole } from './rules.ts'

interface Standing extends IncidentCounts {
  open: boolean
  /** '', 'asked', 'running', 'done', 'failed' */
  sending: string
  askedById: number | null
  tooNew: boolean
  words: { en?: Partial<Record<string, string>>; hi?: Partial<Record<string, string>> }
  clocks: readonly IncidentClock[]
}

type May = true | ErrorCode

function maySend(scope: OfficeScope, { sending, askedById, tooNew, words, waiting }: Standing) {
  const running: May = sending === 'running' ? 'incident.sending' : true
  const whole: May = wordsWhole(words.en) && wordsWhole(words.hi) ? true : 'incident.words_missing'
  const somebody: May = waiting > 0 ? true : 'incident.nobody_to_tell'
  const ask = [running, askedById === null ? true : 'incident.asked', somebody, whole] as const
  const approve = [
    running,
    askedById === null ? 'incident.not_asked' : true,
    askedById === scope.staffId ? 'incident.second_person' : true,
    tooNew ? 'second.too_new' : true,
  ] as const
  return { ask: first(ask), approve: first(approve) }
}

const first = (reasons: readonly May[]): May => reasons.find((reason) => reason !== true) ?? true

/** What may be refused to whoever would close it. */
export function mayClose({ clocks, waiting, unreachable, sending }: Standing): May {
  if (sending === 'running') return 'incident.sending'
  if (clocks.some(({ outcome }) => outcome === '')) return 'incident.reports_open'
  return waiting + unreachable > 0 ? 'incident.people_waiting' : true
}

/** What somebody may do with a breach now, told before a button is pressed; the commands decide. */
export function allowances(scope: OfficeScope, standing: Standing): Incident['can'] {
  const { open, sending } = standing
  const write = (rest: May): May => (mayDo(scope.role, 'incidents.write') ? rest : 'access.denied')
  const decide = (rest: May): May => (mayDo(scope.role, 'incidents.decide') ? rest : 'access.denied')
  const whileOpen = (rest: May): May => (open ? rest : 'incident.closed')
  const { ask, approve } = maySend(scope, standing)
  return {
    change: write(whileOpen(sending === 'running' ? 'incident.sending' : true)),
    askSend: write(whileOpen(ask)),
    approveSend: decide(whileOpen(approve)),
    close: decide(whileOpen(mayClose(standing))),
    reopen: decide(open ? 'incident.open' : true),
  }
}
