import { officeStudent, officeStudents } from '@podium/contract/students/calls-register'
import { useParams } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import type en from '#words/en/students-register-record.json'

/** The words of one child's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-register-record.json'))

export type StudentOne = Answer<typeof officeStudent>

/** The child that the address names. */
export function useStudent() {
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeStudent, { query: { id } })
  // Earlier data stays while the next loads: it is not the child that was asked for.
  const data = record.data?.student.id === Number(id) ? record.data : undefined
  return { record, data }
}

/** Everything that shows a child: asked for anew after each change. */
export const shownOfStudents = [officeStudent, officeStudents]
