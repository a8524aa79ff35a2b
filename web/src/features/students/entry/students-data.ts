import { getSubject } from '@podium/contract/catalogue/calls'
import type { Season } from '@podium/contract/season'
import { getStudentDetails } from '@podium/contract/students/calls'
import { studentState } from '@podium/contract/students/calls-export'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useEndpoint } from '#shell/query.ts'

interface StudentFilter {
  name: string
  /** 0 for all */
  classId: number
  section: string
  subject: string
  state: string
}

/** The filters as the calls take them. */
export function filterBody(season: Season, { name, classId, section, subject }: StudentFilter) {
  return { FYear: season, classId, section, studentName: name.trim(), subjectName: subject }
}

const noFilter: StudentFilter = { name: '', classId: 0, section: '', subject: '', state: '' }

/** The rows that the filters leave, and those of the whole season for the counts; one call while nothing is filtered. */
export function useStudents(season: Season, filter: StudentFilter) {
  const found = useEndpoint(getStudentDetails, { body: filterBody(season, filter) })
  const all = useEndpoint(getStudentDetails, { body: filterBody(season, noFilter) })
  const rows = found.data?.data
  return {
    rows: filter.state ? rows?.filter((row) => studentState(row) === filter.state) : rows,
    all: all.data?.data,
    error: found.error,
    stale: found.isPlaceholderData,
    retry: () => Promise.all([found.refetch(), all.refetch()]),
  }
}

/** A class of each kind: together they have every subject of a season. */
const classOfEachKind = ['7', '13']

/**
 * The subjects of a season to filter by, and whether anything can still be entered. No rule of its own: a season is
 * closed to entries when each of its subjects is.
 */
export function useSeasonSubjects(season: Season) {
  const [older = '', younger = ''] = classOfEachKind
  const first = useEndpoint(getSubject, { query: { FYear: season, classId: older } })
  const second = useEndpoint(getSubject, { query: { FYear: season, classId: younger } })
  const known = first.data && second.data ? [...first.data.data, ...second.data.data] : undefined
  const settled = known !== undefined && !first.isPlaceholderData && !second.isPlaceholderData
  return {
    subjects: known ?? [],
    closed: settled && known.every((subject) => subject.closed),
  }
}

/** Whether the page is being printed: paper has all rows, not the page of the screen. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
