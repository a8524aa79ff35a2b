import { officeStudent, officeStudents } from '@podium/contract/students/calls-register'
import { useParams } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import type en from '#words/en/students-register-record.json'

/** The words of a student's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-register-record.json'))

export type StudentRecord = Answer<typeof officeStudent>

/** Loads the student in the URL. */
export function useStudent() {
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeStudent, { query: { id } })
  // Earlier data stays while the next loads, but it may be another student's.
  const data = record.data?.student.id === Number(id) ? record.data : undefined
  return { record, data }
}

/** Everything that shows a student: refetched after each change. */
export const studentCalls = [officeStudent, officeStudents]
