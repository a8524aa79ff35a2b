import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lines } from '#ui/data-table.tsx'
import { officePaths } from './paths.ts'

interface RecordLinkProps {
  id: number
  className?: string
  title?: string
  children: ReactNode
}

/** A link to the office's record of a school. */
export const SchoolLink = ({ id, ...link }: RecordLinkProps) => (
  <Link to={officePaths.school} params={{ id: String(id) }} {...link} />
)

/** A cell with a link to the school's record, and a smaller line below. */
export const schoolCell = ({ schoolId, schName }: { schoolId: number; schName: string }, below: string) =>
  lines(
    <SchoolLink id={schoolId} className="lk">
      {schName}
    </SchoolLink>,
    below,
  )

/** A link to the office's record of a student. */
export const StudentLink = ({ id, ...link }: RecordLinkProps) => (
  <Link to={officePaths.student} params={{ id: String(id) }} {...link} />
)
