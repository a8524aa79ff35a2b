import type { AnswerOf } from '@podium/contract/endpoint'
import { undoImport } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import type { ImportProgress } from './progress-state.ts'
import { importWords } from './words-progress.ts'

const mostNamed = 10

/** The way to take an ended import back while nothing of it is paid, and what came of that. */
export function ImportUndo({ progress }: { progress: ImportProgress }) {
  const t = importWords.use()
  const say = useSentences()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [answer, setAnswer] = useState<AnswerOf<typeof undoImport>>()
  const { importId, undoable, undone } = progress
  const undo = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setAnswer(await call(undoImport, { body: { importId } }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    }
    await client.invalidateQueries()
    setBusy(false)
    setAsking(false)
  }
  const stayed = answer?.stayed ?? []
  return (
    <>
      {problem && <Note kind="bad">{problem}</Note>}
      <div role="status">
        {answer ? (
          <Note kind={stayed.length > 0 ? 'due' : 'ok'}>
            <b>{t('undoneCount', { n: answer.removed })}</b>
            {answer.restored > 0 && <p>{t('restoredCount', { n: answer.restored })}</p>}
            {stayed.length > 0 && <p>{t('stayed', { n: stayed.length })}</p>}
            {stayed.slice(0, mostNamed).map((one) => (
              <p key={one.id}>{t('stayedWhy', { name: one.studentName, why: t(one.reason) })}</p>
            ))}
            {stayed.length > mostNamed && <p>{t('likelyMore', { n: stayed.length - mostNamed })}</p>}
          </Note>
        ) : (
          undone && <Note>{t('undone')}</Note>
        )}
      </div>
      {undoable > 0 && (
        <p className="im-undo">
          <Button icon="undo" onClick={() => setAsking(true)}>
            {t('undo')}
          </Button>
          <span className="hint">{t('undoHint')}</span>
        </p>
      )}
      {asking && (
        <ConfirmDialog
          opened
          danger
          title={t('undoTitle', { n: undoable })}
          action={t('undo')}
          busy={busy}
          onConfirm={undo}
          onCancel={() => setAsking(false)}
        >
          <p>{t('undoText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
