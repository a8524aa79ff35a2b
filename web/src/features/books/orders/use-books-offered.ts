import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import { offerOf } from '@podium/contract/students/rules-fee'
import { useMemo } from 'react'
import { useEndpoint } from '#shell/query.ts'

/** The subjects of which a class is offered books in a season, with the prices of each kind and whether orders have closed. */
export function useBooksOffered(season: string, classId: string) {
  const enabled = classId !== ''
  const query = { FYear: season, classId }
  const subjects = useEndpoint(getSubject, { query, enabled })
  const books = useEndpoint(getBook, { query, enabled })
  // Earlier answers stay while new ones load, but another class's books are not this one's.
  const known = enabled && !subjects.isPlaceholderData && !books.isPlaceholderData
  const subjectList = known ? subjects.data?.data : undefined
  const bookList = known ? books.data?.data : undefined
  const offered = useMemo(() => {
    if (!subjectList || !bookList) return undefined
    const closed = new Set(subjectList.filter((one) => one.closed).map((one) => one.eventLetter))
    return offerOf(subjectList, bookList)
      .filter(({ books }) => Object.keys(books).length > 0)
      .map((subject) => ({ ...subject, closed: closed.has(subject.letter) }))
  }, [subjectList, bookList])
  return {
    offered,
    error: enabled ? (subjects.error ?? books.error) : null,
    reload: () => Promise.all([subjects.refetch(), books.refetch()]),
  }
}
