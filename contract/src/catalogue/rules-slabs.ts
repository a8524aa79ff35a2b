import type { Issue } from '../envelope.ts'
import { catalogueMessages } from './messages.ts'
import { mostSlabs, type ShareRule } from './rules-fee.ts'

/** Slabs as a form holds them: '' while nothing readable stands there. */
export interface TypedSlab {
  from: number | ''
  share: number | ''
}

const whole = (typed: number | ''): typed is number => typed !== '' && Number.isInteger(typed)

function fromIssue(slabs: readonly TypedSlab[], at: number): string | undefined {
  const from = slabs[at]?.from ?? ''
  if (!whole(from) || from < 1 || from > 1_000_000) return catalogueMessages.slabFromRequired
  if (at === 0) return from === 1 ? undefined : catalogueMessages.slabFirst
  const before = slabs[at - 1]?.from ?? ''
  return whole(before) && from <= before ? catalogueMessages.slabRising : undefined
}

function shareIssue(slabs: readonly TypedSlab[], at: number): string | undefined {
  const share = slabs[at]?.share ?? ''
  if (share === '' || share < 0) return catalogueMessages.amountRequired
  if (share > 100_000) return catalogueMessages.amountHigh
  if (Math.abs(share * 100 - Math.round(share * 100)) >= 1e-6) return catalogueMessages.amountDecimals
  const before = at === 0 ? '' : (slabs[at - 1]?.share ?? '')
  return before !== '' && share < before ? catalogueMessages.slabShareFalls : undefined
}

/**
 * What is wrong with slabs: the first begins at one child, each begins above the one before and gives no less, so that
 * every number of children has exactly one share. Paths begin with `slabs`.
 */
export function slabIssues(slabs: readonly TypedSlab[]): Issue[] {
  if (slabs.length === 0) return [{ path: 'slabs', message: catalogueMessages.slabsRequired }]
  if (slabs.length > mostSlabs) return [{ path: 'slabs', message: catalogueMessages.slabsMany }]
  return slabs.flatMap((_, at) => {
    const issues: Issue[] = []
    const say = (field: string, message: string | undefined) => {
      if (message !== undefined) issues.push({ path: `slabs.${at}.${field}`, message })
    }
    say('from', fromIssue(slabs, at))
    say('share', shareIssue(slabs, at))
    return issues
  })
}

/** The same of a season's rule, by the fields of the calls. */
export function shareIssues(share: ShareRule): Issue[] {
  if (share.kind !== 'slabs') return []
  return slabIssues(share.slabs).map(({ path, message }) => ({ path: `share.${path}`, message }))
}
