import type { Issue } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import type { FamilyFields } from '@podium/contract/families/schemas'

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * What a name shows to somebody without the access code: its first letter, with its vowel sign in Indian scripts, and
 * always three dots. A mother recognises her child by it; neither the length nor the last letter tells the name of a
 * stranger's (docs/security.md, T16).
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

/** The columns of a child that a family may write. */
export interface Written {
  name: string
  parent_name: string
  parent_mobile: string
  parent_email: string
}

/** What a save changes: the columns as they will be, those that differ, and the audit's from and to. */
export interface Changes {
  to: Written
  changed: (keyof Written)[]
  audited: { from: Record<string, string>; to: Record<string, string> }
}

const columns = [
  ['name', 'name'],
  ['parent_name', 'parentName'],
  ['parent_mobile', 'parentMobile'],
  ['parent_email', 'parentEmail'],
] as const

/** Compares what stands there with what was typed; parents that are left out stay as they are. */
export function changesOf(now: Written, typed: FamilyFields): Changes {
  const to: Written = {
    name: typed.studentName,
    parent_name: typed.parents ?? now.parent_name,
    parent_mobile: typed.mobileNo,
    parent_email: typed.email,
  }
  const changes: Changes = { to, changed: [], audited: { from: {}, to: {} } }
  for (const [column, key] of columns) {
    if (now[column] === to[column]) continue
    changes.changed.push(column)
    changes.audited.from[key] = now[column]
    changes.audited.to[key] = to[column]
  }
  return changes
}

/** Why these changes may not be saved, with the field that it is about; undefined when they may. */
export function refusalOf(
  standing: Standing,
  { changed }: Changes,
): { code: Reason; issues: Issue[] } | undefined {
  const can = allowances(standing)
  if (can.edit !== true) return { code: can.edit, issues: [] }
  if (can.rename === true || !changed.includes('name')) return undefined
  return { code: can.rename, issues: [{ path: 'studentName', message: sentenceOf(can.rename) }] }
}
