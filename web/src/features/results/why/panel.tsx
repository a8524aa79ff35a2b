import type { explainResult } from '@podium/contract/results/calls'
import type { explainResultForOffice } from '@podium/contract/results/calls-office'
import type { ResultExplanation } from '@podium/contract/results/schemas'
import { BoldText, finalScore, Moment, rawScore } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import type { Translate } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/results.json'
import { words } from '../words.ts'

type T = Translate<typeof en>
type Neighbour = ResultExplanation['neighbours'][number]
type Clause = NonNullable<ResultExplanation['eligibility']>['clauses'][number]

/** Returns the reasons as sentences in the page's language, in display order; `**` marks what was decisive. */
function reasonsOf(why: ResultExplanation, t: T): string[] {
  return [
    scoreSentence(why, t),
    ...neighbourSentences(why, t),
    ...elsewhereSentences(why, t),
    ...medalSentences(why, t),
    ...prizeSentences(why, t),
    ...eligibilitySentences(why, t),
  ]
}

function scoreSentence({ score }: ResultExplanation, t: T): string {
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

function neighbourSentences(why: ResultExplanation, t: T): string[] {
  const sentences = why.neighbours.map((row) => neighbourSentence(why, row, t))
  const top = why.neighbours.length > 0 && !why.neighbours.some(({ side }) => side === 'above')
  return top ? [t('nobodyAbove'), ...sentences] : sentences
}

/** Names a neighbour with school (office only), class, section and exam roll no, to tell namesakes apart. */
function describeNeighbour(
  { className }: ResultExplanation,
  { studentName, schName, section, nioRollNo }: Neighbour,
): string {
  const room = translateSentence(className)
  const place = section === '' || section === '-' ? room : `${room} ${section}`
  return `${studentName} (${[schName, place, nioRollNo].filter((part) => part !== '').join(', ')})`
}

function neighbourSentence(why: ResultExplanation, row: Neighbour, t: T): string {
  const { side, rank, scores, decidedBy } = row
  const name = describeNeighbour(why, row)
  if (side === 'equal') return t('equal', { name })
  const last = scores.at(-1)
  const byScore = scores.length === 1
  const own = last ? (byScore ? finalScore(last.own) : rawScore(last.own)) : ''
  const otherScore = last ? (byScore ? finalScore(last.other) : rawScore(last.other)) : ''
  const values = { name, rank, own, other: otherScore, section: decidedBy }
  if (side === 'below') return t(byScore ? 'belowScore' : 'belowTie', values)
  if (byScore) return t('aboveScore', values)
  const equal = scores.slice(1, -1).map((score) => score.name)
  return equal.length === 0
    ? t('aboveTie', values)
    : t('aboveLaterTie', { ...values, equal: equal.join(', ') })
}

const elsewhereWords = {
  state: 'elsewhereState',
  zonal: 'elsewhereZonal',
  olympiad: 'elsewhereOlympiad',
} as const

function elsewhereSentences({ ranks }: ResultExplanation, t: T): string[] {
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

function medalSentences({ medal: { rules }, ranks }: ResultExplanation, t: T): string[] {
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

function prizeSentences({ prize }: ResultExplanation, t: T): string[] {
  const tooFew = prize.tooFew.map(({ kind, by, title, rank, pool, minimumPool: needed }) =>
    t(kind === 'prize' ? 'tooFewPrize' : 'tooFewAward', {
      title,
      scope: t(`scope_${by}`),
      rank,
      pool,
      needed,
    }),
  )
  const prizes = prize.won.map(({ kind, by, title, rank, place, passedOn }) => {
    const sentence = t(kind === 'prize' ? 'wonPrize' : 'wonAward', { title, scope: t(`scope_${by}`), rank })
    return passedOn ? `${sentence} ${t('wonPassedOn', { place })}` : sentence
  })
  return [...prizes, ...tooFew]
}

function eligibilitySentences({ eligibility: next }: ResultExplanation, t: T): string[] {
  if (!next) return []
  const { level, eligible, classAllowed, clauses } = next
  if (!classAllowed) return [t('levelClass', { level })]
  const met = clauses.find((clause) => clause.met)
  if (eligible && met) return [t('levelYes', { level, clause: clauseText(met, t) })]
  return [t('levelNo', { level, clauses: clauses.map((clause) => clauseText(clause, t)).join(t('or')) })]
}

const conditionWords = {
  rank: ['metRank', 'missedRank'],
  percent: ['metPercent', 'missedPercent'],
  pool: ['metPool', 'missedPool'],
} as const

/** Describes a clause's conditions and how they were met; for an unmet clause, only the unmet conditions. */
function clauseText(clause: Clause, t: T): string {
  return clause.conditions
    .filter(({ needed, met }) => needed > 0 && (clause.met || !met))
    .map(({ what, needed, had, met, by }) => {
      const [good, bad] = conditionWords[what]
      const values = { scope: t(`scope_${clause.by}`), needed, had: had ?? '–', by: Math.abs(by ?? 0) }
      return t(met ? good : bad, values)
    })
    .join(t('and'))
}

const firstName = (name: string) => name.split(' ')[0] ?? name
const scoreOf = (name: string, marks: number) =>
  name === 'Final score' ? finalScore(marks) : rawScore(marks)

/** Compares the scores with the neighbour's by section, in tie-break order, down to the decisive one. */
function WhyCompared({ why }: { why: ResultExplanation }) {
  const t = words.use()
  const side = (position: string) => why.neighbours.find((neighbour) => neighbour.side === position)
  const closest = side('above') ?? side('equal') ?? side('below')
  const namesakes = closest !== undefined && firstName(closest.studentName) === firstName(why.studentName)
  const head = (student: { studentName: string; nioRollNo: string }) => (
    <th scope="col" className="num" title={student.studentName}>
      {firstName(student.studentName)}
      {namesakes && <span className="under">{student.nioRollNo}</span>}
    </th>
  )
  const compared = new Map(closest?.scores.map((score) => [score.name, score.other]))
  const inOrder = [...why.tieBreak, ...why.score.sections.map(({ name }) => name)]
  const sections = [...new Set(inOrder)].flatMap((name) =>
    why.score.sections.filter((section) => section.name === name),
  )
  const rows = [
    { name: 'Final score', label: t('finalScore'), own: why.score.marks },
    ...sections.map(({ name, maximum, marks }) => ({
      name,
      label: t('ofMaximum', { section: name, maximum }),
      own: marks,
    })),
  ]
  return (
    <div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('sections')}</th>
            {closest && head(closest)}
            {head(why)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label, own }) => {
            const theirs = compared.get(name)
            return (
              <tr key={name} className={closest && closest.decidedBy === name ? 'cut' : undefined}>
                <th scope="row">{label}</th>
                {closest && (
                  <td className="num">
                    {theirs === undefined ? (
                      <span className="sr">{t('notNeeded')}</span>
                    ) : (
                      scoreOf(name, theirs)
                    )}
                  </td>
                )}
                <td className="num">{scoreOf(name, own)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface WhyPanelProps {
  resultId: string
  /** The school's endpoint, or the office's, which also explains unreleased results. */
  endpoint: typeof explainResult | typeof explainResultForOffice
}

/** Explains a result, with the reasons in the order in which they decided. */
export function WhyPanel({ resultId, endpoint }: WhyPanelProps) {
  const { data, error, refetch } = useEndpoint(endpoint, { query: { resultId } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  return <WhyText why={data.why} />
}

function WhyText({ why }: { why: ResultExplanation }) {
  const t = words.use()
  const { versions } = why
  const medal = why.medal.medal.toLowerCase()
  return (
    <section className={medal ? `why ${medal}` : 'why'} aria-label={headline(why, t)}>
      <h2>{headline(why, t)}</h2>
      <ol>
        {reasonsOf(why, t).map((reason) => (
          <li key={reason}>
            <span>
              <BoldText text={reason} />
            </span>
          </li>
        ))}
      </ol>
      <WhyCompared why={why} />
      <p className="ver">
        {versions.releasedAt ? (
          <>
            {t('versionsReleased', { season: why.fyear, rules: versions.rules, version: versions.result })}{' '}
            <Moment value={versions.releasedAt} />.
          </>
        ) : (
          t('versions', { rules: versions.rules, version: versions.result })
        )}
      </p>
    </section>
  )
}

const ordinals = [
  'rank1',
  'rank2',
  'rank3',
  'rank4',
  'rank5',
  'rank6',
  'rank7',
  'rank8',
  'rank9',
  'rank10',
] as const

function headline(why: ResultExplanation, t: ReturnType<typeof words.use>): string {
  const classRank = why.ranks.find(({ scope }) => scope === 'class')
  const rank = classRank?.rank ?? 0
  const pool = classRank?.pool ?? 0
  if (pool <= 1) return t('whyAlone', { name: why.studentName, rank })
  const ordinal = ordinals[rank - 1]
  const rankText = ordinal ? t(ordinal) : t('whyRank', { rank })
  return t('whyTitle', { name: why.studentName, rank: rankText, pool })
}
