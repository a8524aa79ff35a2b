import type { ErrorCode } from '@podium/contract/errors'

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * What a name shows to somebody without the access code: its first letter, with its vowel sign in Indian scripts, and
 * always three dots. A mother recognises her child by it; neither the length nor the last letter tells the name of a
 * stranger's (threats.md, T16).
 */
export function maskName(name: string): string {
  const [first] = letters.segment(name.trim())
  return `${first?.segment ?? ''}•••`
}

/** What decides whether a family may change a child's details. */
export interface Standing {
  paid: boolean
  locked: boolean
  /** `preparing`, `open`, `closed` */
  seasonState: string
}

type Reason = Extract<ErrorCode, 'families.season_closed' | 'families.name_on_ticket' | 'enrolment.locked'>

/**
 * What a family may change: parents, mobile and e-mail until the season is closed, because results are sent there; the
 * name only until the child is paid for, because from then on it stands on ticket, answer sheet and certificate. The
 * reason why not is the code of an error.
 */
export function allowances({ paid, locked, seasonState }: Standing): {
  edit: true | Reason
  rename: true | Reason
} {
  if (seasonState === 'closed') return { edit: 'families.season_closed', rename: 'families.season_closed' }
  if (paid) return { edit: true, rename: 'families.name_on_ticket' }
  return { edit: true, rename: locked ? 'enrolment.locked' : true }
}
