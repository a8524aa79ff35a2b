import type { Season } from '@podium/contract/season'
import { restoreStudent, type StudentRow } from '@podium/contract/students/calls'
import { useQueryClient } from '@tanstack/react-query'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'
import { type Changed, flipsOf, sendChanges } from '../bulk/state.ts'
import { words } from './words.ts'

/** Takes back the deletion of several, and hands on what takes that back; those who can't come back are named. */
export function useRestoreAll(season: Season, onRestored: (changed: Changed) => void) {
  const t = words.use()
  const client = useQueryClient()
  return async (rows: readonly StudentRow[]) => {
    try {
      const back = await sendChanges(season, flipsOf(rows, true), 'restored')
      if (back.changed > 0) onRestored(back)
      for (const { studentName: name, message } of back.refused.slice(0, 3))
        toast.error(t('notDeleted', { name, message: translateSentence(message) }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(translateSentence(cause.message))
    }
    await client.invalidateQueries()
  }
}

/** Takes back a deletion, and says so. */
export function useRestore(onRestored: () => void): (row: StudentRow) => void {
  const t = words.use()
  const client = useQueryClient()
  const restore = async (row: StudentRow) => {
    try {
      await call(restoreStudent, { body: { studentId: row.id, version: row.version } })
      toast.success(t('restoredToast', { name: row.studentName }))
      onRestored()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(t('notDeleted', { name: row.studentName, message: translateSentence(cause.message) }))
    }
    await client.invalidateQueries()
  }
  return (row) => void restore(row)
}
