import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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

/** A link to the office's record of a student. */
export const StudentLink = ({ id, ...link }: RecordLinkProps) => (
  <Link to={officePaths.student} params={{ id: String(id) }} {...link} />
)
