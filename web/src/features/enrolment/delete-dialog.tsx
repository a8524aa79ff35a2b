import { deleteStudentPost, type StudentRow } from '@podium/contract/enrolment'
import { messages } from '@podium/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { toast } from '#ui/toast.tsx'
import { useClassName } from './names.ts'
import { words } from './words.ts'

const mostNamed = 5

interface DeleteDialogProps {
  rows: readonly StudentRow[]
  onClose: () => void
}

/** «Do you want delete book order» (specification, 2.8), with who it is below; one call for each student. */
export function DeleteDialog({ rows, onClose }: DeleteDialogProps) {
  const t = words.use()
  const say = useSentences()
  const nameOf = useClassName()
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const [refused, setRefused] = useState<{ row: StudentRow; message: string }[]>([])
  const left = refused.length > 0 ? refused.map(({ row }) => row) : rows

  const remove = async () => {
    const failed: typeof refused = []
    let gone = 0
    setRefused([])
    setDone(0)
    for (const row of left) {
      try {
        await call(deleteStudentPost, { body: { studentId: row.id, version: row.version } })
        gone++
        setDone(gone)
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        failed.push({ row, message: say(cause.message) })
      }
    }
    // Before the dialog goes, so that the cursor does not come back to a button that is about to go too.
    await client.invalidateQueries()
    setDone(undefined)
    if (gone > 0) toast.success(t('deletedToast', { n: gone }))
    if (failed.length > 0) setRefused(failed)
    else onClose()
  }

  return (
    <ConfirmDialog
      opened
      danger
      title={t('deleteTitle', { n: left.length })}
      busy={done !== undefined}
      onConfirm={remove}
      onCancel={onClose}
    >
      <div className="st-confirm">
        <p>
          <b>{say(messages.deleteQuestion)}</b>
        </p>
        {refused.length > 0 ? (
          <Note kind="bad">
            {refused.map(({ row, message }) => (
              <p key={row.id}>{t('notDeleted', { name: row.studentName, message })}</p>
            ))}
          </Note>
        ) : (
          <ul>
            {left.slice(0, mostNamed).map((row) => (
              <li key={row.id}>
                {t('deleteWhich', {
                  name: row.studentName,
                  class: row.section === '-' ? nameOf(row.classId) : `${nameOf(row.classId)} ${row.section}`,
                  roll: row.rollNo,
                })}
              </li>
            ))}
            {left.length > mostNamed && <li>{t('deleteMore', { n: left.length - mostNamed })}</li>}
          </ul>
        )}
        {done !== undefined && left.length > 1 && (
          <ProgressBar label={t('deleteTitle', { n: left.length })} total={left.length} done={done}>
            {t('deleting', { done, total: left.length })}
          </ProgressBar>
        )}
        <p className="hint">{t('deleteKept')}</p>
      </div>
    </ConfirmDialog>
  )
}
