import type { FamilyReleased, FamilyResult } from '@podium/contract/results/calls-family'
import type { ResultT } from './words-results.ts'

type Clause = NonNullable<FamilyReleased['eligibility']>['clauses'][number]

const metals = { Gold: 'gold', Silver: 'silver', Bronze: 'bronze' } as const
export type MetalName = (typeof metals)[keyof typeof metals]

/** The metal as the kit and the words know it; undefined where no medal was won. */
export const metalOf = (medal: string): MetalName | undefined => metals[medal as keyof typeof metals]

/** `Mathematics, 2025-26`. */
export function nameOf(one: FamilyResult, t: ResultT): string {
  const said = { subject: one.subjectName, season: one.fyear, level: one.examLevel }
  return t(one.examLevel > 1 ? 'ofLevel' : 'of', said)
}

/** Why the result is what it is, in plain sentences; `**` marks what each is about. */
export function reasonsOf(result: FamilyReleased, t: ResultT): string[] {
  return [
    ...(result.version > 1 ? [t('corrected', { n: result.version })] : []),
    ...scores(result, t),
    ...ranks(result, t),
    ...medal(result, t),
    ...won(result, t),
    ...nextLevel(result, t),
  ]
}

function scores({ score }: FamilyReleased, t: ResultT): string[] {
  const list = score.sections.map(({ name, marks, maximum }) => t('section', { name, marks, maximum }))
  const sections = t('sections', { percent: score.percent, list: list.join(', ') })
  const weighted = score.marks > score.rawMarks
  return weighted ? [sections, t('weights', { score: score.marks.toFixed(4) })] : [sections]
}

function ranks({ ranks: all }: FamilyReleased, t: ResultT): string[] {
  const list = all.map(({ scope, rank, pool, place }) => t(`rank_${scope}`, { rank, pool, place }))
  return list.length > 0 ? [t('ranks', { list: list.join(', ') })] : []
}

function medal({ medalRules, ranks: all }: FamilyReleased, t: ResultT): string[] {
  const own = all.find(({ scope }) => scope === 'class')
  if (medalRules.length === 0) return own ? [t('medalNone', { rank: own.rank })] : []
  return medalRules.map(({ medal: name, classRank, minimumPool, pool, met }) => {
    const metal = metalOf(name)
    return t(met ? 'medalWon' : 'medalMissed', {
      medal: metal ? t(metal) : name,
      rank: classRank,
      pool,
      needed: minimumPool,
    })
  })
}

function won({ won: all }: FamilyReleased, t: ResultT): string[] {
  return all.map(({ title, by, rank, passedOn }) => {
    const said = t('won', { title, scope: t(`scope_${by}`), rank })
    return passedOn ? `${said} ${t('passedOn')}` : said
  })
}

function nextLevel({ eligibility }: FamilyReleased, t: ResultT): string[] {
  if (!eligibility) return []
  const { level, eligible, classAllowed, clauses } = eligibility
  if (!classAllowed) return [t('levelClass', { level })]
  const met = clauses.find((clause) => clause.met)
  if (eligible && met) return [t('levelYes', { level, clause: clauseSays(met, t) })]
  return [t('levelNo', { level, clauses: clauses.map((clause) => clauseSays(clause, t)).join(t('or')) })]
}

const conditionWords = {
  rank: ['metRank', 'missedRank'],
  percent: ['metPercent', 'missedPercent'],
  pool: ['metPool', 'missedPool'],
} as const

/** What a clause asked and what there was; of a missed one only what was missed. */
function clauseSays(clause: Clause, t: ResultT): string {
  return clause.conditions
    .filter(({ needed, met }) => needed > 0 && (clause.met || !met))
    .map(({ what, needed, had, met }) => {
      const [good, bad] = conditionWords[what]
      return t(met ? good : bad, { scope: t(`scope_${clause.by}`), needed, had: had ?? '–' })
    })
    .join(t('and'))
}
