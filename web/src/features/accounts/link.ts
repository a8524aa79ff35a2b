import { getUserDetailsByUid } from '@podium/contract/accounts/calls-registration'
import { readDraft, writeDraft } from '#shell/session.ts'
import { useAnswer } from './use-answer.ts'

/** The school behind the link of the address; nothing is asked without one. */
export function useLinkedSchool(id: string | undefined) {
  const asked = useAnswer(getUserDetailsByUid, { GUID: id ?? '' }, id !== undefined)
  return { school: id === undefined ? undefined : asked.data?.data[0], asked }
}

const proofMs = 25 * 60_000

/** Remembers in this tab that the access code of a link was proved; the proof itself is a cookie no script can read. */
export function rememberProof(id: string, now = Date.now()): void {
  writeDraft('link', { id, at: now })
}

export function forgetProof(): void {
  writeDraft('link', undefined)
}

/** Whether the access code of this link was proved a little while ago, before a reload or a provider's page. */
export function isProved(id: string, now = Date.now()): boolean {
  const kept = readDraft('link')
  if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('at' in kept)) return false
  return kept.id === id && typeof kept.at === 'number' && now - kept.at < proofMs
}
