import type { StudentRow } from '@podium/contract/students/calls'
import { exportStudents } from '@podium/contract/students/calls-export'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { FamilySlips } from '../lists/family-slips.tsx'
import type { StudentsFilter } from '../lists/print-lists.tsx'
import { PaperPrint } from '../lists/print-lists.tsx'
import { words } from './words.ts'

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
