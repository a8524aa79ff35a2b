import { className } from '@podium/contract/classes'
import type { DueChild, DueItem } from '@podium/contract/shipping/calls-orders'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'

type Line = Pick<DueItem, 'eventYearId' | 'classId' | 'kind'>

export const isOf = (child: DueChild, line: Line) =>
  child.eventYearId === line.eventYearId && child.classId === line.classId && child.kind === line.kind

const placeOf = ({ section, rollNo }: DueChild) => `${section === '-' ? '' : `${section} `}${rollNo}`

/** For whom the awards of a line are, with the title where they differ. */
export function Winners({ of }: { of: readonly DueChild[] }) {
  if (of.length === 0) return null
  return (
    <small>
      {of
        .map((child) =>
          child.kind === 'prize' || child.kind === 'gift' || child.kind === 'award'
            ? `${child.studentName} (${child.title})`
            : child.studentName,
        )
        .join(', ')}
    </small>
  )
}

/** What went out and was taken back by a correction, so that the school can be told. */
export function Gone({ of }: { of: readonly DueChild[] }) {
  const t = words.use()
  if (of.length === 0) return null
  return (
    <Note kind="due">
      <p>{t('goneSays', { n: of.length })}</p>
      <ul className="od-gone">
        {of.map((child) => (
          <li
            key={`${child.eventYearId} ${child.kind} ${child.studentName} ${placeOf(child)} ${child.title}`}
          >
            {child.studentName}, {className(child.classId)} {placeOf(child)}: {child.title}
          </li>
        ))}
      </ul>
    </Note>
  )
}
