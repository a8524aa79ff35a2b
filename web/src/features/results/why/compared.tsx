import type { Why } from '@podium/contract/results/schemas-why'
import { finalScore, rawScore } from '../score.ts'
import { words } from '../words.ts'

const firstName = (name: string) => name.split(' ')[0] ?? name
const scoreOf = (name: string, marks: number) =>
  name === 'Final score' ? finalScore(marks) : rawScore(marks)

/** The score section by section in the order in which it decides, beside the neighbour's down to what decided. */
export function WhyCompared({ why }: { why: Why }) {
  const t = words.use()
  const side = (wanted: string) => why.neighbours.find((one) => one.side === wanted)
  const other = side('above') ?? side('equal') ?? side('below')
  const namesakes = other !== undefined && firstName(other.studentName) === firstName(why.studentName)
  const head = (one: { studentName: string; nioRollNo: string }) => (
    <th scope="col" className="num" title={one.studentName}>
      {firstName(one.studentName)}
      {namesakes && <span className="under">{one.nioRollNo}</span>}
    </th>
  )
  const compared = new Map(other?.scores.map((score) => [score.name, score.other]))
  const inOrder = [...why.tieBreak, ...why.score.sections.map(({ name }) => name)]
  const sections = [...new Set(inOrder)].flatMap((name) =>
    why.score.sections.filter((one) => one.name === name),
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
            {other && head(other)}
            {head(why)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label, own }) => {
            const theirs = compared.get(name)
            return (
              <tr key={name} className={other && other.decidedBy === name ? 'cut' : undefined}>
                <th scope="row">{label}</th>
                {other && (
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
