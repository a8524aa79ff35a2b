import { messages } from '@podium/contract/messages'
import type { Season } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import { exportStudents } from '@podium/contract/students/calls-export'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { toast } from '#ui/toast.tsx'
import { type Changed, flipsOf, sendChanges } from '../bulk/state.ts'
import { FamilySlips } from '../lists/family-slips.tsx'
import { PaperPrint, type StudentsFilter } from '../lists/print-lists.tsx'
import { useClassName } from './names.ts'
import { words } from './words.ts'

const mostNamed = 5

interface DeleteDialogProps {
  season: Season
  rows: readonly StudentRow[]
  /** Who is deleted by now, with the way back */
  onDeleted: (changed: Changed) => void
  onClose: () => void
}

/** «Do you want delete book order» (specification, 2.8), with who it is below; all of them have one way back. */
export function DeleteDialog({ season, rows, onDeleted, onClose }: DeleteDialogProps) {
  const t = words.use()
  const say = useSentences()
  const nameOf = useClassName()
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const [refused, setRefused] = useState<{ row: StudentRow; message: string }[]>([])
  const [problem, setProblem] = useState<string>()
  const left = refused.length > 0 ? refused.map(({ row }) => row) : rows

  const remove = async () => {
    setRefused([])
    setProblem(undefined)
    setDone(0)
    try {
      const gone = await sendChanges(season, flipsOf(left, false), 'deleted', setDone)
      // Before the dialog goes, so that the cursor does not come back to a button that is about to go too.
      await client.invalidateQueries()
      if (gone.changed > 0) {
        toast.success(t('deletedToast', { n: gone.changed }))
        onDeleted(gone)
      }
      const why = new Map(gone.refused.map(({ id, message }) => [id, say(message)]))
      const failed = left
        .flatMap((row) => ({ row, message: why.get(row.id) ?? '' }))
        .filter((one) => one.message)
      if (failed.length > 0) setRefused(failed)
      else onClose()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      await client.invalidateQueries()
      setProblem(say(cause.message))
    }
    setDone(undefined)
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
      <div className="st-confirm stack gap-3">
        <p>
          <b>{say(messages.deleteQuestion)}</b>
        </p>
        {problem && <Note kind="bad">{problem}</Note>}
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

type Format = 'xlsx' | 'csv'

interface DownloadDialogProps {
  season: string
  rows: readonly StudentRow[]
  /** The rows were selected; else they are all that the filters leave. */
  chosen: boolean
  filter: StudentsFilter
  onClose: () => void
}

/** Excel or CSV of exactly what the list shows, its lists and forms on paper, and the slips that its families are handed. */
export function DownloadDialog({ season, rows, chosen, filter, onClose }: DownloadDialogProps) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState<Format>()
  const [problem, setProblem] = useState<string>()
  const fetchFile = async (format: Format) => {
    setBusy(format)
    setProblem(undefined)
    try {
      const ids = chosen ? { ids: rows.map((row) => row.id) } : {}
      await download(exportStudents, { body: { ...filter, ...ids, format } })
      onClose()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="small"
      title={t('downloadTitle', { n: rows.length })}
      fact={season}
    >
      <DialogBody>
        {problem && <Note kind="bad">{problem}</Note>}
        <p>{t(chosen ? 'downloadChosen' : 'downloadText')}</p>
        <PaperPrint {...{ filter, rows, chosen }} />
        <FamilySlips {...{ filter, rows, chosen }} />
      </DialogBody>
      <DialogFoot>
        <Button icon="file" busy={busy === 'csv'} onClick={() => void fetchFile('csv')}>
          {t('csv')}
        </Button>
        <Button
          kind="primary"
          icon="table"
          busy={busy === 'xlsx'}
          onClick={() => void fetchFile('xlsx')}
          data-autofocus
        >
          {t('excel')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
