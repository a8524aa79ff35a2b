import type { InvitationRow } from '@podium/contract/results/calls-next-level-list'
import type { RoundStage } from '@podium/contract/results/calls-next-level-office'
import type { EligibilityRule } from '@podium/contract/results/schemas'

/** Where a list stands; null before it was made. What schools know already needs no approval. */
export function stageOf(
  round: { approved: boolean; sending: boolean; pending: number; told: number } | null,
): RoundStage {
  if (!round) return 'none'
  if (round.sending) return 'sending'
  if (round.pending === 0 && round.told > 0) return 'sent'
  return round.approved ? 'approved' : 'draft'
}

interface Ranked {
  olympiad_rank: number | null
  zonal_rank: number | null
  state_rank: number | null
  class_rank: number | null
  /** Of the maximum marks, as it is shown */
  percent: number
  /** For each clause by how much rank, percent and pool were met (0 or more) or missed */
  reason: { next?: [rank: number, percent: number, pool: number][] }
}

/** The first clause that a result meets, with what there was beside what was needed; null where it meets none. */
export function clauseMet(row: Ranked, rule: EligibilityRule | null): InvitationRow['because'] {
  for (const [index, clause] of (rule?.clauses ?? []).entries()) {
    const margins = row.reason.next?.[index]
    const rank = row[`${clause.by}_rank`]
    if (!margins || rank === null || margins.some((by) => by < 0)) continue
    return {
      by: clause.by,
      rank,
      upToRank: clause.upToRank,
      percent: row.percent,
      neededPercent: clause.percent,
    }
  }
  return null
}

/** Children as a mail names them: by class, section and exam roll number, never by name; so many lines at most. */
export function childrenLines(
  children: readonly { className: string; section: string; roll: string }[],
  more: (n: number) => string,
  longest = 60,
): string {
  const lines = children.slice(0, longest).map(({ className, section, roll }) => {
    const room = section === '' || section === '-' ? className : `${className} ${section}`
    return `    ${room}, ${roll}`
  })
  const left = children.length - lines.length
  return [...lines, ...(left > 0 ? [`    ${more(left)}`] : [])].join('\n')
}
