import type { CarryRow } from '@podium/contract/students/calls-carry-over'
import { Icon } from '#ui/icon.tsx'
import { useWhere } from '../entry/use-where.ts'
import { carryWords } from './words.ts'

/** Those who stay behind: entered already, with as whom; or out of the last class. */
export function CarryLeft({ rows, title }: { rows: readonly CarryRow[]; title: string }) {
  const t = carryWords.use()
  const where = useWhere()
  if (rows.length === 0) return null
  return (
    <details className="panel cy-class">
      <summary>
        <Icon name="right" small />
        <h2>{title}</h2>
      </summary>
      <ul className="cy-left">
        {rows.map(({ studentId, studentName, fromClassId, fromSection, fromRollNo, other }) => (
          <li key={studentId}>
            <b>{studentName}</b>
            <span className="quiet">
              {other
                ? t('thereWhere', {
                    name: other.studentName,
                    where: where.named(other.className, other.section),
                    roll: other.rollNo,
                  })
                : t('wasWhere', { where: where.of(fromClassId, fromSection), roll: fromRollNo })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
