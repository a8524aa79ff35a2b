import type { BodyOf } from '@podium/contract/endpoint'
import type { StudentRow } from '@podium/contract/students/calls'
import type { exportStudents } from '@podium/contract/students/calls-export'
import {
  cancelPrint,
  type PaperKind,
  paperKinds,
  printFile,
  printPaper,
  printStatus,
} from '@podium/contract/students/calls-print-lists'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery } from '#shell/query.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type en from '#words/en/students-print-lists.json'

/** The words of what is printed of students. */
const paperWords = defineWords<typeof en>(import.meta.glob('#words/*/students-print-lists.json'))

/** What the list shows now, as the calls take it. */
export type StudentsFilter = Omit<BodyOf<typeof exportStudents>, 'format' | 'ids'>

interface PaperPrintProps {
  filter: StudentsFilter
  rows: readonly StudentRow[]
  /** The rows were selected; else they are all that the filters leave. */
  chosen: boolean
}

const about = {
  'class-list': 'aboutClassList',
  'fee-list': 'aboutFeeList',
  registration: 'aboutRegistration',
} as const satisfies Record<PaperKind, string>
const asksEvery = 400

/** Lists and forms of the students that are shown, as PDF: made on the server while its count is told, then saved. */
export function PaperPrint({ filter, rows, chosen }: PaperPrintProps) {
  const t = paperWords.use()
  const say = useSentences()
  const [paper, setPaper] = useState<PaperKind>('class-list')
  const [language, setLanguage] = useState<'en' | 'hi'>('en')
  const [printId, setPrintId] = useState('')
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const saved = useRef('')
  const { data } = useQuery({
    ...endpointQuery(printStatus, { query: { printId } }),
    enabled: printId !== '',
    refetchInterval: (query) => (isMoving(query.state.data?.state) ? asksEvery : false),
  })
  const progress = data?.printId === printId ? data : undefined
  const moving = starting || (printId !== '' && (progress === undefined || isMoving(progress.state)))
  const fail = (cause: unknown) => {
    if (!(cause instanceof CallError)) throw cause
    setProblem(say(cause.message))
  }
  const save = (id: string) => download(printFile, { query: { printId: id } }).catch(fail)
  const state = progress?.state
  // Once for each file: the count may be asked for again after it is there.
  useEffect(() => {
    if (state !== 'done' || saved.current === printId) return
    saved.current = printId
    void save(printId)
  })
  const begin = async () => {
    setStarting(true)
    setProblem(undefined)
    const ids = chosen ? { ids: rows.map((row) => row.id) } : {}
    await call(printPaper, { body: { ...filter, ...ids, paper, language } })
      .then(({ printId: id }) => setPrintId(id))
      .catch(fail)
    setStarting(false)
  }
  const active = rows.filter(({ status }) => status)
  const sections = new Set(active.map(({ classId, section }) => `${classId} ${section}`)).size
  const wrong = problem ?? (state === 'failed' && progress ? say(progress.error) : undefined)
  return (
    <section className="st-slips">
      <h3>{t('title')}</h3>
      <p>
        {t('who', { n: active.length })} {t('groups', { n: sections })}
      </p>
      <SelectField
        label={t('what')}
        choices={paperKinds.map((one) => ({ value: one, label: t(one) }))}
        value={paper}
        onChange={(event) => setPaper(paperKinds.find((one) => one === event.currentTarget.value) ?? paper)}
        hint={t(about[paper])}
      />
      {paper === 'registration' && (
        <Segmented
          label={t('language')}
          value={language}
          choices={[
            { value: 'en', label: t('english') },
            { value: 'hi', label: t('hindi') },
          ]}
          onChange={setLanguage}
        />
      )}
      {wrong && <Note kind="bad">{wrong}</Note>}
      {!wrong && state === 'done' && <Note kind="ok">{t('ready')}</Note>}
      {state === 'cancelled' && <Note>{t('stopped')}</Note>}
      {progress && isMoving(progress.state) && (
        <ProgressBar label={t('progress')} total={progress.total} done={progress.done}>
          {progress.state === 'waiting'
            ? t('waiting')
            : t('drawn', { done: progress.done, total: progress.total })}
        </ProgressBar>
      )}
      <div className="acts">
        <Button icon="print" busy={moving} onClick={() => void begin()}>
          {t('print')}
        </Button>
        {progress && isMoving(progress.state) && (
          <Button onClick={() => void call(cancelPrint, { body: { printId } }).catch(fail)}>
            {t('stop')}
          </Button>
        )}
        {state === 'done' && <Button onClick={() => void save(printId)}>{t('again')}</Button>}
      </div>
    </section>
  )
}

const isMoving = (state: string | undefined) => state === 'waiting' || state === 'running'
