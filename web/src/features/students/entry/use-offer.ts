import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import { offerOf } from '@podium/contract/students/rules-fee'
import { useMemo } from 'react'
import { useEndpoint } from '#shell/query.ts'

/**
 * What a class is offered in a season: its subjects, and the prices that the shared fee function takes. Of a student
 * who is changed, what is enrolled already keeps its price.
 */
export function useOffer(season: string, classId: string, studentId?: number) {
  const enabled = classId !== ''
  const own = studentId === undefined ? {} : { studentId: String(studentId) }
  const query = { FYear: season, classId, ...own }
  const subjects = useEndpoint(getSubject, { query, enabled })
  const books = useEndpoint(getBook, { query, enabled })
  // Earlier answers stay while new ones load, but another class's prices are not this one's.
  const known = enabled && !subjects.isPlaceholderData && !books.isPlaceholderData
  const subjectList = known ? subjects.data?.data : undefined
  const bookList = known ? books.data?.data : undefined
  const offer = useMemo(
    () => (subjectList && bookList ? offerOf(subjectList, bookList) : undefined),
    [subjectList, bookList],
  )
  return {
    subjects: subjectList,
    offer,
    error: enabled ? (subjects.error ?? books.error) : null,
    reload: () => Promise.all([subjects.refetch(), books.refetch()]),
  }
}
