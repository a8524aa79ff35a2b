import { restoreStudent, type StudentRow } from '@podium/contract/enrolment'
import { useQueryClient } from '@tanstack/react-query'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

/** Takes back a deletion, and says so. */
export function useRestore(): (row: StudentRow) => void {
  const t = words.use()
  const client = useQueryClient()
  const restore = async (row: StudentRow) => {
    try {
      await call(restoreStudent, { body: { studentId: row.id, version: row.version } })
      toast.success(t('restoredToast', { name: row.studentName }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(t('notDeleted', { name: row.studentName, message: translateSentence(cause.message) }))
    }
    await client.invalidateQueries()
  }
  return (row) => void restore(row)
}
