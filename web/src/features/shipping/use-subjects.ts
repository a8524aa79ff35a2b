import { officeExams } from '@podium/contract/exams/calls-office'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'

/** Letter and name of the season's subjects, to choose from. */
export function useSubjects(): readonly (readonly [string, string])[] {
  const FYear = useSeason()
  const exams = useEndpoint(officeExams, { query: { FYear } }).data?.data ?? []
  const byLetter = new Map(exams.map((exam) => [exam.eventLetter, exam.subjectName]))
  return [...byLetter].map(([letter, name]) => [letter, `${name} (${letter})`] as const)
}
