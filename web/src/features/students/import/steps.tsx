import { confirmImport } from '@podium/contract/students/calls-import'
import {
  type ImportColumn,
  type ImportPreview,
  importFaults,
} from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, nothing, Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { useAttempt } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { importFilters } from '../filters.ts'
import { type ImportReview, notableReadings, reviewWords, usePending } from './data.ts'
import { ErrorsStep, QuestionsStep } from './faults.tsx'
import { OutcomeStep, useFieldName } from './outcome.tsx'
import { rememberImport } from './progress-state.ts'

const reasons = {
  heading: 'byHeading',
  remembered: 'byRemembered',
  content: 'byContent',
  person: 'byPerson',
  nothing: 'byNothing',
} as const

/** The field each column was matched to, with samples of its contents; the user can change it. */
function ColumnsStep({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const { unmapped, headRow } = preview
  const fieldName = useFieldName()
  const columns: Column<ImportColumn>[] = columnsOf(t, [
    {
      key: 'column',
      label: t('columnName'),
      title: true,
      cell: (column) => (
        <>
          <span className="code quiet">{column.columnName}</span>{' '}
          {column.heading || <span className="quiet">{t('noHeading')}</span>}
        </>
      ),
    },
    {
      key: 'samples',
      card: 'wide',
      cell: (column) =>
        column.samples.length > 0 ? (
          <span className="dk-samples">
            {column.samples.map((sample) => (
              <span key={sample}>{sample}</span>
            ))}
          </span>
        ) : (
          nothing
        ),
    },
    {
      key: 'field',
      label: t('useAs'),
      card: 'wide',
      cell: (column) => <ColumnChoice column={column} review={review} />,
    },
    { key: 'by', cell: (column) => <span className="quiet">{t(reasons[column.by])}</span> },
  ])
  return (
    <div className="stack">
      <p>
        {t('columnsLead')}{' '}
        <span className="quiet">{headRow > 0 ? t('headRow', { row: headRow }) : t('noHead')}</span>
      </p>
      {unmapped.length > 0 && (
        <Note kind="due">
          <b>{t('columnsNeeded', { n: unmapped.length, names: unmapped.map(fieldName).join(', ') })}</b>
        </Note>
      )}
      <DataTable
        className="dk-columns"
        caption={t('columnsTable')}
        columns={columns}
        rows={preview.columns}
        rowKey={(row) => String(row.column)}
        cardColumns={2}
      />
    </div>
  )
}

function ColumnChoice({ column, review }: { column: ImportColumn; review: ImportReview }) {
  const t = reviewWords.use()
  const [field, choose] = usePending(column.field, review)
  const name = column.heading ? `${column.columnName} ${column.heading}` : column.columnName
  return (
    <SelectField
      label={t('useColumnAs', { column: name })}
      labelHidden
      empty={t('notUsed')}
      choices={rowFields.map((rowField) => ({ value: rowField, label: t(rowField) }))}
      value={field}
      onChange={({ currentTarget: { value } }) =>
        choose(value, { columns: [{ column: column.column, field: value }] })
      }
    />
  )
}

const steps = ['columns', 'faults', 'questions', 'outcome'] as const
type Step = (typeof steps)[number]

/** Returns the first step that needs the user. */
function firstStep({ unmapped, errorCount, askedCount }: ImportPreview): Step {
  if (unmapped.length > 0) return 'columns'
  if (errorCount > 0) return 'faults'
  return askedCount > 0 ? 'questions' : 'outcome'
}

/**
 * The steps of one file, in any order: match columns, correct errors, decide on possible duplicates, review the
 * outcome.
 */
export function ReviewSteps({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const filters = useFilters(importFilters)
  const [began] = useState(() => firstStep(preview))
  const step: Step = steps.find((candidate) => candidate === filters.shown.step) ?? began
  const leftBehind = preview.badCount + preview.askedCount
  const openCounts = {
    columns: preview.unmapped.length || unusedColumns(preview).length,
    faults: preview.errorCount,
    questions: preview.askedCount,
    outcome: 0,
  }
  const names = {
    columns: t('stepColumns'),
    faults: t('stepFaults'),
    questions: t('stepQuestions'),
    outcome: t('stepOutcome'),
  }
  const tabs = steps.map((key) => ({
    key,
    label: (
      <>
        {names[key]}
        {openCounts[key] > 0 && <span className="dk-n">{count(openCounts[key])}</span>}
      </>
    ),
  }))
  return (
    <div className="stack dk">
      {review.problem && (
        <Note kind="bad">
          {review.problem} {review.retry && <Button onClick={review.retry}>{t('retry')}</Button>}
        </Note>
      )}
      <EarlierImportNote preview={preview} />
      {preview.otherSheets.length > 0 && (
        <Note kind="due">{t('otherSheets', { names: preview.otherSheets.join(', ') })}</Note>
      )}
      <ReadingNotes review={review} preview={preview} />
      <div>
        <Tabs
          label={t('steps')}
          tabs={tabs}
          active={step}
          onChange={(next) => filters.change({ step: next })}>
          {step === 'columns' && <ColumnsStep review={review} preview={preview} />}
          {step === 'faults' && <ErrorsStep review={review} preview={preview} />}
          {step === 'questions' && <QuestionsStep review={review} preview={preview} />}
          {step === 'outcome' && <OutcomeStep preview={preview} />}
        </Tabs>
      </div>
      {leftBehind > 0 && <FaultsButton importId={preview.importId} n={leftBehind} />}
      <ReviewFooter review={review} preview={preview} />
    </div>
  )
}

function EarlierImportNote({ preview: { before, repeated } }: { preview: ImportPreview }) {
  const t = reviewWords.use()
  if (!before) return repeated ? <Note>{t('repeated')}</Note> : null
  const { by, at, imported, undone } = before
  return (
    <Note>
      <b>{t(undone ? 'beforeUndone' : 'beforeImported', { by, at: dayText(at), n: imported })}</b>{' '}
      {t('beforeSafe')}
    </Note>
  )
}

/** Returns the columns with a heading or contents that match no field. */
const unusedColumns = ({ columns }: ImportPreview) =>
  columns.filter(({ field, heading, samples }) => field === '' && (heading !== '' || samples.length > 0))

/** What was read without asking and what was left out: unobtrusive, and each can be changed. */
function ReadingNotes({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const translate = useSentences()
  const { notTaken, dropped, odd } = preview
  const readAs = notableReadings(preview.readAs, translate)
  const unusedList = unusedColumns(preview)
  const names = unusedList.map(({ heading, columnName }) => heading || columnName).join(', ')
  const take = (written: string, isTaken: boolean) =>
    review.apply({ notTaken: [{ written, taken: isTaken }] })
  if (readAs.length + notTaken.length + dropped.length + odd.length + unusedList.length === 0) return null
  return (
    <ul className="dk-noted">
      {unusedList.length > 0 && <li>{t('unused', { n: unusedList.length, names })}</li>}
      {readAs.map(({ written, name, rows }) => (
        <li key={written}>
          {t('readAs', { written, name, n: rows })}{' '}
          <button
            type="button"
            className="lk"
            aria-label={t('readAsUndo', { written })}
            onClick={() => take(written, false)}>
            {t('undo')}
          </button>
        </li>
      ))}
      {notTaken.map((written) => (
        <li key={written}>
          {t('leftAsWritten', { written })}{' '}
          <button type="button" className="lk" onClick={() => take(written, true)}>
            {t('readAgain')}
          </button>
        </li>
      ))}
      {dropped.slice(0, maxNoted).map(({ row, text }) => (
        <li key={row}>{t('rowSkipped', { row, text })}</li>
      ))}
      {dropped.length > maxNoted && <li>{t('andMore', { n: dropped.length - maxNoted })}</li>}
      {odd.slice(0, maxNoted).map(({ row, message }) => (
        <li key={`${row} ${message}`}>
          {t('row', { row })}: {translate(message)}
        </li>
      ))}
      {odd.length > maxNoted && <li>{t('andMore', { n: odd.length - maxNoted })}</li>}
    </ul>
  )
}
const maxNoted = 5

/** Downloads the rows that are not imported, as a spreadsheet with the reasons. */
export function FaultsButton({ importId, n }: { importId: string; n: number }) {
  const t = reviewWords.use()
  const { busy, fetchFile } = useDownloads<'faults'>()
  return (
    <span className="row">
      <span className="hint">{t('left', { n })}</span>
      <Button
        icon="download"
        busy={busy !== undefined}
        onClick={() => void fetchFile('faults', importFaults, { query: { importId } })}>
        {t('faultsFile')}
      </Button>
    </span>
  )
}

/** Whether the user is still on the page: who has left it during a call is not taken back by its answer. */
export function useIsHere() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

/** What would be imported now, the rows left behind, and the button that saves. */
function ReviewFooter({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const client = useQueryClient()
  const go = useNavigate()
  const isHere = useIsHere()
  const { busy, problem, attempt } = useAttempt()
  const { importId, revision, goodCount, newCount, changedCount } = preview
  const confirm = () =>
    attempt(async () => {
      try {
        await call(confirmImport, { body: { importId, revision } })
        rememberImport(importId)
        if (isHere.current) await go({ to: paths.importDesk, search: { import: importId } })
      } finally {
        await client.invalidateQueries()
      }
    })
  const reason = () => {
    if (review.retry) return t('confirmUnsaved')
    if (preview.unmapped.length > 0) return t('confirmColumns')
    return goodCount === 0 && t('confirmNothing')
  }
  return (
    <section className="panel dk-foot" aria-label={t('stepOutcome')}>
      {problem && <Note kind="bad">{problem}</Note>}
      <p className="dk-sums" role="status">
        {review.checking ? (
          <>
            <span className="spin" aria-hidden="true" /> {t('checking')}
          </>
        ) : (
          <>
            <b>{count(newCount)}</b> {t('new')} · <b>{count(changedCount)}</b> {t('changed')} ·{' '}
            <b>
              <Rupees amount={preview.regAmount + preview.bookAmount} />
            </b>
          </>
        )}
      </p>
      <Button
        kind="primary"
        icon="upload"
        busy={busy || review.checking}
        disabled={reason()}
        onClick={() => void confirm()}>
        {t('confirm', { n: goodCount })}
      </Button>
    </section>
  )
}
