import { importStudents } from '@podium/contract/students/calls-import'
import { importHistory } from '@podium/contract/students/calls-import-preview'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { LateNote } from '#shell/late/late-note.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { DeskHistory } from './history.tsx'
import { ImportChoose } from './progress-choose.tsx'
import { isMoving, rememberImport } from './progress-state.ts'
import { deskWords } from './words.ts'

const largest = importStudents.bodyLimit
const isSpreadsheet = (name: string) => /\.(?:xlsx|csv|xlsm|xls|txt|ods|tsv)$/i.test(name)

/** Where a file is chosen; below it the imports so far. */
export function DeskStart({ season }: { season: string }) {
  const t = deskWords.use()
  const say = useSentences()
  const go = useNavigate()
  const history = useEndpoint(importHistory, { query: { FYear: season } })
  const [checking, setChecking] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const check = async (file: File) => {
    if (!isSpreadsheet(file.name)) return setProblem(t('wrongType'))
    if (file.size > largest) return setProblem(t('tooLarge'))
    setChecking(file.name)
    setProblem(undefined)
    try {
      const found = await call(importStudents, { query: { FYear: season }, file })
      if (isMoving(found.state)) rememberImport(found.importId)
      await go({ to: paths.importDesk, search: { import: found.importId } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    }
    setChecking(undefined)
  }
  return (
    <div className="stack">
      <LateNote season={season} />
      {problem && (
        <Note kind="bad">
          <b>{t('notRead')}</b> <p>{problem}</p>
        </Note>
      )}
      <Panel>
        <div className="stack">
          <ImportChoose season={season} checking={checking} onFile={(file) => void check(file)} />
        </div>
      </Panel>
      <DeskHistory imports={history.data?.imports} error={history.error} retry={history.refetch} />
    </div>
  )
}
