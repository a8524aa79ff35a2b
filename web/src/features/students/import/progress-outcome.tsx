import { seasonTrack } from '@podium/contract/dashboard/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { cancelImport, undoImport } from '@podium/contract/students/calls-import'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { count, nothing } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type ImportProgress, importWords, isImportRunning, useImportProgress } from './progress-state.ts'

const pageSize = 100

interface ImportErrorsProps {
  errors: readonly ImportRowError[]
  title: string
  /** Rows without a file: the student's name replaces row and column */
  byName?: boolean
}

/** All errors of a file by row and column; filtered by column for those who correct column by column. */
function ImportErrors({ errors, title, byName = false }: ImportErrorsProps) {
  const t = importWords.use()
  const translate = useSentences()
  const [columnFilter, setColumnFilter] = useState('')
  const [page, setPage] = useState(1)
  const headingOf = (error: ImportRowError) =>
    error.column === 0 ? t('wholeRow') : error.heading || error.columnName
  const columnsWith = new Map<string, { name: string; n: number }>()
  for (const error of errors) {
    const key = String(error.column)
    const existing = columnsWith.get(key)
    columnsWith.set(key, { name: headingOf(error), n: (existing?.n ?? 0) + 1 })
  }
  const shownErrors =
    columnFilter === '' ? errors : errors.filter((error) => String(error.column) === columnFilter)
  const shown = shownErrors.slice((page - 1) * pageSize, page * pageSize)
  const student: Column<ImportRowError> = {
    key: 'student',
    label: t('student'),
    title: true,
    cell: (error) => error.studentName,
  }
  const place: Column<ImportRowError>[] = columnsOf(t, [
    { key: 'row', num: true, title: true, cell: (error) => count(error.row) },
    {
      key: 'column',
      cell: (error) => (
        <>
          {error.columnName && <span className="code quiet">{error.columnName} </span>}
          {headingOf(error)}
        </>
      ),
    },
  ])
  const columns: Column<ImportRowError>[] = columnsOf(t, [
    ...(byName ? [student] : place),
    {
      key: 'value',
      cell: (error) => (error.value ? <span className="im-cell">{error.value}</span> : nothing),
    },
    { key: 'message', label: t('error'), card: 'wide', cell: (error) => translate(error.message) },
  ])
  return (
    <div>
      <div className="im-head row bottom between mb-2">
        <div>
          <h3>{title}</h3>
        </div>
        {columnsWith.size > 1 && (
          <SelectField
            label={t('column')}
            labelHidden
            empty={t('allColumns', { n: errors.length })}
            value={columnFilter}
            choices={[...columnsWith].map(([value, { name, n }]) => ({
              value,
              label: t('columnCount', { name, n }),
            }))}
            onChange={(event) => {
              setColumnFilter(event.currentTarget.value)
              setPage(1)
            }}
          />
        )}
      </div>
      <DataTable
        className="im-table"
        caption={t('errorsCaption')}
        columns={columns}
        rows={shown}
        rowKey={(error) => `${error.row}.${error.column}.${error.field}.${error.message}`}
        compact
        paging={{ total: shownErrors.length, page, size: pageSize, onPage: setPage }}
      />
    </div>
  )
}

const maxNamed = 10

interface ImportOutcomeProps {
  importId: string
  /** Further actions after it has ended */
  children?: ReactNode
}

/**
 * The progress of an import and a button to stop it. After it has ended: the outcome, who could not be saved, and the
 * next steps: to the students, to paying, or undo.
 */
export function ImportOutcome({ importId, children }: ImportOutcomeProps) {
  const t = importWords.use()
  const translate = useSentences()
  const { progress, error } = useImportProgress(importId)
  if (error) return <Note kind="bad">{translate(error.message)}</Note>
  if (!progress) return <Skeleton shape="text" rows={2} />
  const { state, done, total, imported, changed, refused, undone, source } = progress
  if (isImportRunning(state)) {
    return (
      <>
        <ProgressBar label={t('progressLabel')} total={total} done={done}>
          {state === 'waiting' ? t('waiting') : t('running', { done, total })}
        </ProgressBar>
        <p className="row">
          <ImportStop importId={importId} />
          <span className="hint">{t('leave')}</span>
        </p>
      </>
    )
  }
  return (
    <>
      {!undone && (
        <div role="status">
          {state === 'failed' ? (
            <Note kind="bad">
              {t('failed')} {translate(progress.error)} {t('cancelled', { n: imported })}
            </Note>
          ) : (
            <Note kind={state === 'cancelled' ? 'due' : 'ok'}>
              <b>{t(state === 'cancelled' ? 'cancelled' : 'entered', { n: imported })}</b>
              {changed > 0 && ` ${t('changedToo', { n: changed })}`}
            </Note>
          )}
        </div>
      )}
      {refused.length > 0 && !undone && (
        <ImportErrors
          errors={refused}
          title={t('refusedTitle', { n: refused.length })}
          byName={source !== 'file'}
        />
      )}
      <ImportNext progress={progress}>{children}</ImportNext>
    </>
  )
}

/**
 * Links to the students of an ended import and to paying for them, and Undo, which is possible while none of them is
 * paid.
 */
function ImportNext({ progress, children }: { progress: ImportProgress; children: ReactNode }) {
  const t = importWords.use()
  const season = useSeason()
  const next = useEndpoint(seasonTrack, { query: { FYear: season } }).data?.next
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<AnswerOf<typeof undoImport>>()
  const { importId, undoable, undone, imported, changed } = progress
  const stayed = answer?.stayed ?? []
  const payable = next?.key === 'payment' ? (next.payable ?? 0) : 0
  return (
    <div>
      <div role="status" className={answer || undone ? 'mb-3' : undefined}>
        {answer ? (
          <Note kind={stayed.length > 0 ? 'due' : 'ok'}>
            <b>{t('undoneCount', { n: answer.removed })}</b>
            {answer.restored > 0 && <p>{t('restoredCount', { n: answer.restored })}</p>}
            {stayed.length > 0 && <p>{t('stayed', { n: stayed.length })}</p>}
            {stayed.slice(0, maxNamed).map((refusal) => (
              <p key={refusal.id}>{t('stayedWhy', { name: refusal.studentName, why: t(refusal.reason) })}</p>
            ))}
            {stayed.length > maxNamed && <p>{t('likelyMore', { n: stayed.length - maxNamed })}</p>}
          </Note>
        ) : (
          undone && <Note>{t('undone')}</Note>
        )}
      </div>
      <div className="row">
        {!undone && imported + changed > 0 && (
          <>
            <Link to={paths.studentEntry} className={buttonClass('secondary')}>
              {t('seeThem')}
            </Link>
            {payable > 0 && (
              <Link to={paths.managePayment} className={buttonClass('secondary')}>
                {t('pay', { sum: formatRupees(payable) })}
              </Link>
            )}
          </>
        )}
        {undoable > 0 && (
          <Button icon="undo" onClick={() => setAsking(true)} title={t('undoHint')}>
            {t('undo')}
          </Button>
        )}
        {children}
      </div>
      {asking && (
        <ConfirmAction
          danger
          title={t('undoTitle', { n: undoable })}
          action={t('undo')}
          act={() => call(undoImport, { body: { importId } })}
          invalidates="all"
          onDone={(undoing) => {
            setAnswer(undoing)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}>
          {t('undoText')}
        </ConfirmAction>
      )}
    </div>
  )
}

/** Stops a running import; what is already saved stays. */
function ImportStop({ importId }: { importId: string }) {
  const t = importWords.use()
  const { busy, problem, attempt } = useAttempt('all')
  const stop = () => attempt(() => call(cancelImport, { body: { importId } }))
  return (
    <>
      <Button kind="danger" busy={busy} onClick={() => void stop()}>
        {t('stop')}
      </Button>
      {problem && <span className="bad">{problem}</span>}
    </>
  )
}
