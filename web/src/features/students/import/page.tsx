import type { AnswerOf } from '@podium/contract/endpoint'
import { istTime, type Season } from '@podium/contract/season'
import { importStudents, importTemplate } from '@podium/contract/students/calls-import'
import { importHistory } from '@podium/contract/students/calls-import-preview'
import { Link, useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, Moment } from '#shell/format.tsx'
import { LateNote } from '#shell/late/late-note.tsx'
import { ListTable } from '#shell/list-table.tsx'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { usePortalLimits } from '#shell/portal-limits.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction, useRefusalText } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { EntriesClosed, useSeasonSubjects } from '../entry/students-filters.tsx'
import { importFilters } from '../filters.ts'
import { reviewWords, useImportReview } from './data.ts'
import { ImportOutcome } from './progress-outcome.tsx'
import { importWords, isImportRunning, rememberImport, useImportProgress } from './progress-state.ts'
import { FaultsButton, ReviewSteps, useIsHere } from './steps.tsx'
import './desk.css'

const listed = [importHistory]
const maxFileSize = importStudents.bodyLimit
const isSpreadsheet = (name: string) => /\.(?:xlsx|csv|xlsm|xls|txt|ods|tsv)$/i.test(name)

/** Where a file is chosen; the earlier imports are listed below. */
function StartImport({ season }: { season: Season }) {
  const t = reviewWords.use()
  const textOf = useRefusalText()
  const go = useNavigate()
  const { closed } = useSeasonSubjects(season)
  const [checking, setChecking] = useState<string>()
  const [problem, setProblem] = useState<{ text: string; ofFile: boolean }>()
  const invalidate = useInvalidate(listed)
  // Whoever leaves during a long upload finds the file among the imports later.
  const isHere = useIsHere()
  const check = async (file: File) => {
    if (!isSpreadsheet(file.name)) return setProblem({ text: t('wrongType'), ofFile: true })
    if (file.size > maxFileSize) return setProblem({ text: t('tooLarge'), ofFile: true })
    setChecking(file.name)
    setProblem(undefined)
    try {
      const preview = await call(importStudents, { query: { FYear: season }, file })
      if (isImportRunning(preview.state)) rememberImport(preview.importId)
      if (isHere.current) await go({ to: paths.importDesk, search: { import: preview.importId } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem({ text: textOf(cause), ofFile: /^sheet\b/.test(cause.code) })
    }
    setChecking(undefined)
    // Also after a lost answer: the file may be in the list.
    void invalidate()
  }
  return (
    <div className="stack" ref={hideAfterSkeleton}>
      <LateNote season={season} />
      {problem && (
        <Note kind="bad">
          {problem.ofFile && <b>{t('notRead')}</b>} <p>{problem.text}</p>
        </Note>
      )}
      {closed ? (
        <EntriesClosed season={season} />
      ) : (
        <Panel>
          <div className="stack">
            <ImportChoose season={season} checking={checking} onFile={(file) => void check(file)} />
          </div>
        </Panel>
      )}
      <ImportHistory season={season} />
    </div>
  )
}

/** The import page: a file of students from choosing it to undoing it, and the history of all imports. */
export function ImportPage() {
  const t = reviewWords.use()
  const season = useSeason()
  const { values } = useFilters(importFilters)
  return (
    <>
      {values.import === '' ? (
        <>
          <PageHeader title={t('title')} fact={t('factStart', { season })}>
            <BackToStudents />
          </PageHeader>
          <StartImport key={season} season={season} />
        </>
      ) : (
        <OpenImport key={values.import} importId={values.import} />
      )}
    </>
  )
}

function BackToStudents() {
  const t = reviewWords.use()
  return (
    <Link to={paths.studentEntry} className={buttonClass('secondary')}>
      <Icon name="left" small />
      {t('back')}
    </Link>
  )
}

/** Where each kind of import starts. */
const starts = {
  file: { to: paths.importDesk, word: 'another' },
  grid: { to: paths.gridEntry, word: 'toGrid' },
  'carry-over': { to: paths.carryOver, word: 'toCarryOver' },
} as const

function OpenImport({ importId }: { importId: string }) {
  const t = reviewWords.use()
  const nameOf = useSourceName()
  const { progress, error } = useImportProgress(importId)
  const open = progress?.state === 'checked'
  const restImportId = progress?.rest ?? ''
  // Rows that an ended import left behind are corrected here, in the import where they remain.
  const review = useImportReview(progress?.source === 'file' ? restImportId || importId : '')
  const { preview } = review
  // What is shown stays, with what is typed in it, when it can't be read again.
  const problem = (progress ? undefined : error) ?? (open && !preview ? review.error : undefined)
  const start = starts[progress?.source ?? 'file']
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          preview
            ? t('fact', { name: preview.fileName, n: preview.rowCount, season: preview.season })
            : progress && progress.source !== 'file'
              ? nameOf(progress)
              : '\u00a0'
        }>
        <Link to={start.to} className={buttonClass('secondary')}>
          {t(start.word)}
        </Link>
        <BackToStudents />
      </PageHeader>
      {problem ? (
        <PanelProblem error={problem} retry={review.reload} />
      ) : progress && !open ? (
        <div className="stack">
          <Panel>
            <div className="stack">
              <ImportOutcome importId={importId}>
                {restImportId === '' && preview && preview.badCount + preview.askedCount > 0 && (
                  <FaultsButton importId={importId} n={preview.badCount + preview.askedCount} />
                )}
              </ImportOutcome>
            </div>
          </Panel>
          {restImportId !== '' && preview?.importId === restImportId && (
            <section className="stack">
              <h2>{t('restTitle', { n: preview.rowCount - preview.sameCount })}</h2>
              <ReviewSteps review={review} preview={preview} />
            </section>
          )}
        </div>
      ) : preview && open ? (
        <ReviewSteps review={review} preview={preview} />
      ) : (
        <Panel>
          <Skeleton shape="table" rows={6} />
        </Panel>
      )}
    </>
  )
}

interface ImportChooseProps {
  season: string
  /** Name of the file being read. */
  checking: string | undefined
  onFile: (file: File) => void
}

/** The template, and a drop area or button for the filled-in file. */
function ImportChoose({ season, checking, onFile }: ImportChooseProps) {
  const { importRows } = usePortalLimits()
  const t = importWords.use()
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  const { busy: fetching, act } = useAction()
  const fetchTemplate = () => act(() => download(importTemplate, { query: { FYear: season } }))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDragOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !checking) onFile(file)
  }
  return (
    <>
      <div className="im-lead row gap-5">
        <p>{t('chooseLead')}</p>
        <Button icon="download" busy={fetching} onClick={() => void fetchTemplate()}>
          {t('template')}
        </Button>
      </div>
      <section
        className={isDragOver ? 'im-drop over' : 'im-drop'}
        aria-label={t('file')}
        aria-busy={checking !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={drop}>
        {checking ? (
          <p role="status">
            <span className="spin" aria-hidden="true" /> {t('checking', { name: checking })}
          </p>
        ) : (
          <>
            <Icon name="upload" />
            <p className="im-wide">
              <b>{t('drop')}</b>
            </p>
            <p className="im-wide quiet">{t('dropOr')}</p>
            <Button kind="primary" onClick={() => input.current?.click()} data-autofocus>
              {t('chooseFile')}
            </Button>
            <p className="hint">{t('fileHint', { rows: count(importRows) })}</p>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('file')}
          accept=".xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            // So that the same file can be chosen again after it was corrected.
            event.currentTarget.value = ''
            if (file) onFile(file)
          }}
        />
      </section>
    </>
  )
}

type ImportSummary = AnswerOf<typeof importHistory>['imports'][number]

/** Names an import by its file, or by where its students come from. */
function useSourceName() {
  const t = reviewWords.use()
  return ({ source, fileName }: Pick<ImportSummary, 'source' | 'fileName'>) => {
    if (source === 'grid') return t('typed')
    return source === 'carry-over' ? t('fromSeason', { season: fileName }) : fileName
  }
}

/** The imports of a season, newest first: who, when, which file, the outcome, and a link to each. */
function ImportHistory({ season }: { season: string }) {
  const t = reviewWords.use()
  const history = useEndpoint(importHistory, { query: { FYear: season } })
  const nameOf = useSourceName()
  const columns: Column<ImportSummary>[] = columnsOf(t, [
    { key: 'file', title: true, cell: (row) => <span className="im-cell">{nameOf(row)}</span> },
    { key: 'when', cell: (row) => <Moment value={row.at} /> },
    { key: 'who', cell: (row) => row.by },
    { key: 'rows', num: true, cell: (row) => count(row.rowCount) },
    { key: 'entered', num: true, cell: (row) => count(row.imported) },
    { key: 'changed', label: t('changedCount'), num: true, cell: (row) => count(row.changed) },
    { key: 'state', cell: (row) => <ImportStateBadge row={row} /> },
    {
      key: 'open',
      label: t('actions'),
      act: true,
      cell: (row) => {
        const action = row.state === 'checked' ? t('goOn') : t('show')
        return (
          <Link
            to={paths.importDesk}
            search={{ import: row.importId }}
            className="lk"
            // Files of the same name are told apart by the time they were read.
            aria-label={t('open', {
              what: action,
              file: nameOf(row),
              when: `${dayText(row.at)} ${istTime(new Date(row.at))}`,
            })}>
            {action}
          </Link>
        )
      },
    },
  ])
  return (
    <section>
      <h2 className="dk-h">{t('historyTitle')}</h2>
      <ListTable
        list={history}
        caption={t('historyTitle')}
        columns={columns}
        rows={history.data?.imports}
        rowKey={(row) => row.importId}
        cardColumns={2}
        empty={<p className="dk-none">{t('historyEmpty')}</p>}
      />
    </section>
  )
}

function ImportStateBadge({ row }: { row: ImportSummary }) {
  const t = reviewWords.use()
  const { state, undone } = row
  if (isImportRunning(state)) return <Badge kind="waiting">{t('stateMoving')}</Badge>
  if (undone) return <Badge kind="deleted">{t('stateUndone')}</Badge>
  if (state === 'done') return <Badge kind="yes">{t('stateDone')}</Badge>
  if (state === 'failed') return <Badge kind="rejected">{t('stateFailed')}</Badge>
  if (state === 'cancelled') return <Badge kind="doubt">{t('stateCancelled')}</Badge>
  return <Badge kind="none">{t('stateChecked')}</Badge>
}
