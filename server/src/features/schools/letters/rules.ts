import {
  type LetterCodes,
  type LetterLanguages,
  letterCodes,
  letterHours,
  letterLanguages,
} from '@podium/contract/schools/calls-letters'

/** Whom a letter is for. */
export interface LetterSchool {
  code: string
  name: string
  address: string
  city: string
  district: string
  state: string
  country: string
  pin_code: string
}

/** Kind of the job, and of the files that it leaves. */
export const lettersKind = 'schools.letters'

/** A PDF of letters that is ready, sealed where it lies; without a file when all its schools were left out. */
export interface Piece {
  name: string
  fileId: string
  schools: number
  bytes: number
}

/** How far a print job is; kept in its output. */
export interface LettersDone {
  pieces: Piece[]
  made: number
  renewed: number
  left: number
}

interface LettersJob {
  input: Record<string, unknown>
  output: Record<string, unknown> | null
}

export function lettersDone({ output }: Pick<LettersJob, 'output'>): LettersDone {
  const done = output as Partial<LettersDone> | null
  return { pieces: [], made: 0, renewed: 0, left: 0, ...done }
}

export const languagesOf = ({ input }: Pick<LettersJob, 'input'>): LetterLanguages =>
  letterLanguages.find((one) => one === input.language) ?? 'en'

export const codesOf = ({ input }: Pick<LettersJob, 'input'>): LetterCodes =>
  letterCodes.find((one) => one === input.codes) ?? 'keep'

/** Until when the files of a job can be fetched. */
export const keptUntil = (startedAt: Date) => new Date(startedAt.getTime() + letterHours * 3_600_000)

/** What becomes of a school's link: `keep` it, `make` its first one, or `renew` it, which ends the old one. */
export function linkStep(
  link: { readable: boolean; createdAt: Date } | undefined,
  codes: LetterCodes,
  startedAt: Date,
): 'keep' | 'make' | 'renew' {
  if (!link) return 'make'
  // A code that is younger than the job was made by it, before it was interrupted, or by somebody after it.
  if (link.readable && (codes === 'keep' || link.createdAt > startedAt)) return 'keep'
  return 'renew'
}

/** The name of a piece: its place in the post's order, and between which places it lies. */
export function pieceName(at: number, from: string, to: string): string {
  const places = from === to ? from : `${from} to ${to}`
  return `Letters ${String(at).padStart(3, '0')} ${places}.pdf`
}
