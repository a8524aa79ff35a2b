import type { Why } from '@podium/contract/results/schemas-why'
import type { Translate } from '#shell/language/words.ts'
import type en from '#words/en/results.json'
import { finalScore, rawScore } from '../score.ts'

type T = Translate<typeof en>
type Neighbour = Why['neighbours'][number]
type Clause = NonNullable<Why['eligibility']>['clauses'][number]

/** The reasons as sentences of the page's language, in the order in which they are told; `**` marks what decides. */
export function reasonsOf(why: Why, t: T): string[] {
  return [
    scored(why, t),
    ...neighbours(why, t),
    ...elsewhere(why, t),
    ...medal(why, t),
    ...won(why, t),
    ...eligibility(why, t),
  ]
}

function scored({ score }: Why, t: T): string {
  const raw = rawScore(score.rawMarks)
  const marks = finalScore(score.marks)
  return score.weights > 0
    ? t('scored', {
        marks,
        raw,
        maximum: score.maximumMarks,
        weights: score.weights.toFixed(4).replace(/^0/, ''),
      })
    : t('scoredPlain', { marks, raw, maximum: score.maximumMarks, percent: String(score.percent) })
}

function neighbours(why: Why, t: T): string[] {
  const told = why.neighbours.map((one) => neighbour(why, one, t))
  const top = why.neighbours.length > 0 && !why.neighbours.some(({ side }) => side === 'above')
  return top ? [t('nobodyAbove'), ...told] : told
}

/** A neighbour so that namesakes can be told apart: school (for the office), class and section, exam roll number. */
function named({ className }: Why, { studentName, schName, section, nioRollNo }: Neighbour): string {
  const place = section === '' || section === '-' ? className : `${className} ${section}`
  return `${studentName} (${[schName, place, nioRollNo].filter((part) => part !== '').join(', ')})`
}

function neighbour(why: Why, one: Neighbour, t: T): string {
  const { side, rank, scores, decidedBy } = one
  const name = named(why, one)
  if (side === 'equal') return t('equal', { name })
  const last = scores.at(-1)
  const byScore = scores.length === 1
  const own = last ? (byScore ? finalScore(last.own) : rawScore(last.own)) : ''
  const other = last ? (byScore ? finalScore(last.other) : rawScore(last.other)) : ''
  const said = { name, rank, own, other, section: decidedBy }
  if (side === 'below') return t(byScore ? 'belowScore' : 'belowTie', said)
  if (byScore) return t('aboveScore', said)
  const equal = scores.slice(1, -1).map((score) => score.name)
  return equal.length === 0 ? t('aboveTie', said) : t('aboveLaterTie', { ...said, equal: equal.join(', ') })
}

const elsewhereWords = {
  state: 'elsewhereState',
  zonal: 'elsewhereZonal',
  olympiad: 'elsewhereOlympiad',
} as const

function elsewhere({ ranks }: Why, t: T): string[] {
  const list = ranks.flatMap(({ scope, rank, pool, place }) =>
    scope === 'class' || rank === null ? [] : [t(elsewhereWords[scope], { rank, pool: pool ?? 0, place })],
  )
  return list.length > 0 ? [t('elsewhere', { list: list.join(', ') })] : []
}

const medalWords: Record<string, 'gold' | 'silver' | 'bronze'> = {
  Gold: 'gold',
  Silver: 'silver',
  Bronze: 'bronze',
}
const metalNamed = (metal: string, t: T) => {
  const key = medalWords[metal]
  return key ? t(key) : metal
}

function medal({ medal: { rules }, ranks }: Why, t: T): string[] {
  const rank = ranks.find(({ scope }) => scope === 'class')?.rank ?? 0
  if (rules.length === 0) return [t('medalNone', { rank })]
  return rules.map((rule) =>
    t(rule.met ? 'medalWon' : 'medalMissed', {
      medal: metalNamed(rule.medal, t),
      rank,
      pool: rule.pool,
      needed: rule.minimumPool,
    }),
  )
}

function won({ prize }: Why, t: T): string[] {
  const tooFew = prize.tooFew.map(({ kind, by, title, rank, pool, minimumPool: needed }) =>
    t(kind === 'prize' ? 'tooFewPrize' : 'tooFewAward', {
      title,
      scope: t(`scope_${by}`),
      rank,
      pool,
      needed,
    }),
  )
  const had = prize.won.map(({ kind, by, title, rank, place, passedOn }) => {
    const said = t(kind === 'prize' ? 'wonPrize' : 'wonAward', { title, scope: t(`scope_${by}`), rank })
    return passedOn ? `${said} ${t('wonPassedOn', { place })}` : said
  })
  return [...had, ...tooFew]
}

function eligibility({ eligibility: next }: Why, t: T): string[] {
  if (!next) return []
  const { level, eligible, classAllowed, clauses } = next
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

/** What a clause asked and how it was met; of a missed one only what was missed. Asking nothing is not told. */
function clauseSays(clause: Clause, t: T): string {
  return clause.conditions
    .filter(({ needed, met }) => needed > 0 && (clause.met || !met))
    .map(({ what, needed, had, met, by }) => {
      const [good, bad] = conditionWords[what]
      const values = {
        scope: t(`scope_${clause.by}`),
        needed,
        had: had ?? '–',
        by: Math.abs(by ?? 0),
      }
      return t(met ? good : bad, values)
    })
    .join(t('and'))
}
