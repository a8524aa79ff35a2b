import './import.css'
import type { AnswerOf } from '@podium/contract/endpoint'
import { confirmImport, importStudents } from '@podium/contract/enrolment-import'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ImportChoose } from './import-choose.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportRunning } from './import-running.tsx'
import { isMoving, rememberImport, useStartedImport } from './import-state.ts'
import { importWords } from './import-words.ts'

export type Checked = AnswerOf<typeof importStudents>

const largest = importStudents.bodyLimit
const isSpreadsheet = (name: string) => /\.(?:xlsx|csv|xlsm|xls|txt|ods|tsv)$/i.test(name)

interface ImportDialogProps {
  season: string
  onClose: () => void
}

/** Import: choose a file, see what was found in it, confirm, watch it run. A running one opens where it is. */
export function ImportDialog({ season, onClose }: ImportDialogProps) {
  const t = importWords.use()
  const say = useSentences()
  const started = useStartedImport()
  const [checking, setChecking] = useState<string>()
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<string>()
  const [confirming, setConfirming] = useState(false)

  const attempt = async (work: () => Promise<void>) => {
    setProblem(undefined)
    try {
      await work()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    }
  }
  const check = async (file: File) => {
    if (!isSpreadsheet(file.name)) return setProblem(t('wrongType'))
    if (file.size > largest) return setProblem(t('tooLarge'))
    setChecking(file.name)
    await attempt(async () => {
      const found = await call(importStudents, { query: { FYear: season }, file })
      setChecked(found)
      if (isMoving(found.state)) rememberImport(found.importId)
    })
    setChecking(undefined)
  }
  const confirm = async (importId: string) => {
    setConfirming(true)
    await attempt(async () => {
      await call(confirmImport, { body: { importId } })
      rememberImport(importId)
    })
    setConfirming(false)
  }
  const again = () => {
    setChecked(undefined)
    setProblem(undefined)
    rememberImport(undefined)
  }

  if (started !== '') {
    return (
      <Dialog opened onClose={onClose} title={t('title')} fact={season} size="wide">
        <ImportRunning importId={started} onAgain={again} onClose={onClose} />
      </Dialog>
    )
  }
  const ready = checked?.state === 'checked' && checked.goodCount > 0
  return (
    <Dialog opened onClose={onClose} title={t('title')} fact={checked?.fileName ?? season} size="wide">
      <DialogBody>
        {problem && (
          <Note kind="bad">
            <b>{checked ? '' : t('notRead')}</b> <p>{problem}</p>
          </Note>
        )}
        {checked ? (
          <ImportPreview checked={checked} />
        ) : (
          <ImportChoose season={season} checking={checking} onFile={(file) => void check(file)} />
        )}
      </DialogBody>
      <DialogFoot>
        {checked && <Button onClick={again}>{t('another')}</Button>}
        <Button onClick={onClose}>{checked && !ready ? t('close') : t('cancel')}</Button>
        {checked && ready && (
          <Button
            kind="primary"
            icon="upload"
            busy={confirming}
            onClick={() => void confirm(checked.importId)}
            data-autofocus
          >
            {t('confirm', { n: checked.goodCount })}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
