import { officeStudents } from '@podium/contract/students/calls-register'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { studentListFilters } from './filters.ts'

const ofClass = /^\d{1,2}$/
const ofSubject = /^[A-Z]$/

/** The children that the address asks for, and what is asked. */
export function useStudents() {
  const season = useSeason()
  const filters = useFilters(studentListFilters)
  const { page, seasons, classId, subject, ...wanted } = filters.values
  const asked = {
    ...wanted,
    ...(seasons === 'all' ? {} : { FYear: season }),
    classId: ofClass.test(classId) ? classId : '',
    subject: ofSubject.test(subject) ? subject : '',
  }
  const list = useEndpoint(officeStudents, { query: { ...asked, page: String(page) } })
  const set = filters.countSet('search', 'school', 'classId', 'subject', 'fee', 'standing', 'seasons')
  const mayExport = useSession()?.permissions?.includes('students.export') ?? false
  return { season, filters, asked, list, set, mayExport }
}

export type Students = ReturnType<typeof useStudents>
