import type { BodyOf } from '@podium/contract/endpoint'
import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import type { Season } from '@podium/contract/season'
import { exportStudents, type StudentRow } from '@podium/contract/students/calls'
import {
  cancelPrint,
  familySlips,
  type PaperKind,
  paperKinds,
  printFile,
  printPaper,
  printStatus,
  renewFamilyLink,
} from '@podium/contract/students/calls-print-lists'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery } from '#shell/query.ts'
import { useAttempt, useClosing, useRefusalText } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type en from '#words/en/students-print-lists.json'
import { activationChanges, type BulkResult, sendChanges } from '../bulk/state.ts'
import { useClassName, words } from './words.ts'

const maxNamed = 5

interface DeleteDialogProps {
  season: Season
  rows: readonly StudentRow[]
  /** Called with the deleted students, so that the deletion can be undone */
  onDeleted: (changed: BulkResult) => void
  onClose: () => void
}

/**
 * “Do you want delete book order” (specification, 2.8), with the students listed below. One Undo restores them all.
 */
export function DeleteDialog({ season, rows, onDeleted, onClose }: DeleteDialogProps) {
  const { close, closeAfter } = useClosing(onClose)
  const t = words.use()
  const translate = useSentences()
  const textOf = useRefusalText()
  const nameOf = useClassName()
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const [refused, setRefused] = useState<{ row: StudentRow; message: string }[]>([])
  const [problem, setProblem] = useState<string>()
  const remaining = refused.length > 0 ? refused.map(({ row }) => row) : rows

  const remove = async () => {
    setRefused([])
    setProblem(undefined)
    setDone(0)
    try {
      const deleted = await sendChanges(season, activationChanges(remaining, false), 'deleted', setDone)
      // Before the dialog closes, so that the focus does not return to a button that is about to disappear.
      await client.invalidateQueries()
      if (deleted.changed > 0) {
        onDeleted(deleted)
      }
      const reasonById = new Map(deleted.refused.map(({ id, message }) => [id, translate(message)]))
      const failed = remaining
        .flatMap((row) => ({ row, message: reasonById.get(row.id) ?? '' }))
        .filter((refusal) => refusal.message)
      if (failed.length > 0) setRefused(failed)
      else closeAfter()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      await client.invalidateQueries()
      setProblem(textOf(cause))
    }
    setDone(undefined)
  }

  return (
    <ConfirmDialog
      opened
      danger
      title={t('deleteTitle', { n: remaining.length })}
      busy={done !== undefined}
      onConfirm={remove}
      onCancel={close}>
      <div className="st-confirm stack gap-3">
        <p>
          <b>{translate(messages.deleteQuestion)}</b>
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
            {remaining.slice(0, maxNamed).map((row) => (
              <li key={row.id}>
                {t('deleteWhich', {
                  name: row.studentName,
                  class: row.section === '-' ? nameOf(row.classId) : `${nameOf(row.classId)} ${row.section}`,
                  roll: row.rollNo,
                })}
              </li>
            ))}
            {remaining.length > maxNamed && <li>{t('deleteMore', { n: remaining.length - maxNamed })}</li>}
          </ul>
        )}
        {done !== undefined && remaining.length > 1 && (
          <ProgressBar label={t('deleteTitle', { n: remaining.length })} total={remaining.length} done={done}>
            {t('deleting', { done, total: remaining.length })}
          </ProgressBar>
        )}
        <p className="hint">{t('deleteHint')}</p>
      </div>
    </ConfirmDialog>
  )
}

type Format = 'xlsx' | 'csv'

interface DownloadDialogProps {
  season: string
  rows: readonly StudentRow[]
  /** The rows were selected; otherwise they are all that match the filters. */
  chosen: boolean
  filter: StudentsFilter
  onClose: () => void
}

/** Downloads what the list shows as Excel or CSV, its print lists and forms as PDF, and the slips for families. */
export function DownloadDialog({ season, rows, chosen, filter, onClose }: DownloadDialogProps) {
  const t = words.use()
  const { close, closeAfter } = useClosing(onClose)
  const [format, setFormat] = useState<Format>()
  const { busy, problem, attempt } = useAttempt()
  const fetchFile = (format: Format) => {
    setFormat(format)
    const ids = chosen ? { ids: rows.map((row) => row.id) } : {}
    void attempt(() => download(exportStudents, { body: { ...filter, ...ids, format } }), closeAfter)
  }
  return (
    <Dialog opened onClose={close} size="small" title={t('downloadTitle', { n: rows.length })} fact={season}>
      <DialogBody>
        {problem && <Note kind="bad">{problem}</Note>}
        <p>{t(chosen ? 'downloadChosen' : 'downloadText')}</p>
        <PaperPrint {...{ filter, rows, chosen }} />
        <FamilySlips {...{ filter, rows, chosen }} />
      </DialogBody>
      <DialogFoot>
        <Button
          icon="file"
          aria-label={t('downloadAs', { format: t('csv') })}
          busy={busy && format === 'csv'}
          onClick={() => fetchFile('csv')}>
          {t('csv')}
        </Button>
        <Button
          kind="primary"
          icon="table"
          aria-label={t('downloadAs', { format: t('excel') })}
          busy={busy && format === 'xlsx'}
          onClick={() => fetchFile('xlsx')}
          data-autofocus>
          {t('excel')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** The words for the print lists. */
const paperWords = defineWords<typeof en>(import.meta.glob('#words/*/students-print-lists.json'))

/** The list's current filters, as the calls take them. */
type StudentsFilter = Omit<BodyOf<typeof exportStudents>, 'format' | 'ids'>

interface PaperPrintProps {
  filter: StudentsFilter
  rows: readonly StudentRow[]
  /** The rows were selected; otherwise they are all that match the filters. */
  chosen: boolean
}

const about = {
  'class-list': 'aboutClassList',
  'fee-list': 'aboutFeeList',
  registration: 'aboutRegistration',
} as const satisfies Record<PaperKind, string>
const pollInterval = 400

/**
 * Print lists and forms of the students shown, as PDF: built on the server while the progress is shown, then saved.
 */
function PaperPrint({ filter, rows, chosen }: PaperPrintProps) {
  const t = paperWords.use()
  const translate = useSentences()
  const textOf = useRefusalText()
  const [paper, setPaper] = useState<PaperKind>('class-list')
  const [language, setLanguage] = useState<WrittenLanguage>('en')
  const [printId, setPrintId] = useState('')
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const saved = useRef('')
  const { data } = useQuery({
    ...endpointQuery(printStatus, { query: { printId } }),
    enabled: printId !== '',
    refetchInterval: (query) => (isImportRunning(query.state.data?.state) ? pollInterval : false),
  })
  const progress = data?.printId === printId ? data : undefined
  const moving = starting || (printId !== '' && (progress === undefined || isImportRunning(progress.state)))
  const fail = (cause: unknown) => {
    if (!(cause instanceof CallError)) throw cause
    setProblem(textOf(cause))
  }
  const save = (id: string) => download(printFile, { query: { printId: id } }).catch(fail)
  const state = progress?.state
  // Once per file: the progress may be refetched after the file is ready.
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
  const wrong = problem ?? (state === 'failed' && progress ? translate(progress.error) : undefined)
  return (
    <section className="st-slips">
      <h3>{t('title')}</h3>
      <p>
        {t('who', { n: active.length })} {t('groups', { n: sections })}
      </p>
      <SelectField
        label={t('what')}
        choices={paperKinds.map((kind) => ({ value: kind, label: t(kind) }))}
        value={paper}
        onChange={(event) => setPaper(paperKinds.find((kind) => kind === event.currentTarget.value) ?? paper)}
        hint={t(about[paper])}
      />
      {paper === 'registration' && (
        <Segmented label={t('language')} value={language} choices={languageChoices} onChange={setLanguage} />
      )}
      {wrong && <Note kind="bad">{wrong}</Note>}
      {!wrong && state === 'done' && <Note kind="ok">{t('ready')}</Note>}
      {state === 'cancelled' && <Note>{t('stopped')}</Note>}
      {progress && isImportRunning(progress.state) && (
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
        {progress && isImportRunning(progress.state) && (
          <Button onClick={() => void call(cancelPrint, { body: { printId } }).catch(fail)}>
            {t('stop')}
          </Button>
        )}
        {state === 'done' && <Button onClick={() => void save(printId)}>{t('again')}</Button>}
      </div>
    </section>
  )
}

const isImportRunning = (state: string | undefined) => state === 'waiting' || state === 'running'

interface FamilySlipsProps {
  filter: StudentsFilter
  rows: readonly StudentRow[]
  /** The rows were selected; otherwise they are all that match the filters. */
  chosen: boolean
}

/** The slips for families. For a single student also a new link, which makes the old slip worthless. */
function FamilySlips({ filter, rows, chosen }: FamilySlipsProps) {
  const t = words.use()
  const printing = useAttempt()
  const renewing = useAttempt()
  const problem = printing.problem ?? renewing.problem
  const [isConfirming, setConfirming] = useState(false)
  const [renewed, setRenewed] = useState<Answer<typeof renewFamilyLink>>()
  const [student] = rows.length === 1 && rows[0]?.status ? rows : []
  const print = () => {
    const ids = chosen ? { ids: rows.map((row) => row.id) } : {}
    return printing.attempt(() => download(familySlips, { body: { ...filter, ...ids } }))
  }
  const invalidate = async (studentId: number) => {
    await renewing.attempt(() => call(renewFamilyLink, { body: { studentId } }), setRenewed)
    setConfirming(false)
  }
  return (
    <section className="st-slips">
      <h3>{t('slipsTitle')}</h3>
      <p>{t('slipsText')}</p>
      {problem && <Note kind="bad">{problem}</Note>}
      {renewed && <Note kind="ok">{t('renewed', { n: renewed.children })}</Note>}
      {isConfirming && <Note kind="due">{t('renewText')}</Note>}
      <div className="acts">
        <Button icon="print" busy={printing.busy} onClick={() => void print()}>
          {t('slips')}
        </Button>
        {student && !isConfirming && !renewed && (
          <Button onClick={() => setConfirming(true)}>{t('renew')}</Button>
        )}
        {student && isConfirming && (
          <>
            <Button kind="danger" busy={renewing.busy} onClick={() => void invalidate(student.id)}>
              {t('renewNow')}
            </Button>
            <Button onClick={() => setConfirming(false)}>{t('renewNot')}</Button>
          </>
        )}
      </div>
    </section>
  )
}
