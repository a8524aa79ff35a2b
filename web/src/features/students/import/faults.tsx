import type {
  ImportPreview,
  ImportQuestion,
  ImportRowError,
} from '@podium/contract/students/calls-import-preview'
import { type KeyboardEvent, useRef } from 'react'
import { count } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { Button, IconButton } from '#ui/button.tsx'
import type { Column } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type ImportReview, reviewWords, usePending } from './data.ts'
import { useFieldName } from './outcome.tsx'

const maxShown = 50

/** A text that occurs in several rows of a column, with suggested corrections. */
interface Correction {
  column: number
  columnName: string
  heading: string
  value: string
  suggestions: readonly string[]
  rows: Set<number>
}

/** Returns the errors that have suggestions, each text of a column once, the most frequent first. */
function correctionsOf(errors: readonly ImportRowError[]): Correction[] {
  const corrections = new Map<string, Correction>()
  for (const { row, column, columnName, heading, value, suggestions } of errors) {
    if (suggestions.length === 0 || column === 0 || value === '') continue
    const key = `${column} ${suggestions[0]} ${value}`
    const existing = corrections.get(key)
    if (existing) existing.rows.add(row)
    else corrections.set(key, { column, columnName, heading, value, suggestions, rows: new Set([row]) })
  }
  return [...corrections.values()].sort((a, b) => b.rows.size - a.rows.size)
}

const maxCorrections = 100

/** “Did you mean”: one click corrects a text in all rows where it is this error. */
function Corrections({ review, corrections }: { review: ImportReview; corrections: readonly Correction[] }) {
  const t = reviewWords.use()
  // Only the rows with this error: elsewhere the same text may be right, or mean something else.
  const cellsOf = ({ rows, column, suggestions: [likeliest = ''] }: Correction, text = likeliest) =>
    [...rows].map((row) => ({ row, column, text }))
  const columns: Column<Correction>[] = [
    {
      key: 'column',
      label: t('columnName'),
      cell: (correction) => (
        <>
          <span className="code quiet">{correction.columnName}</span> {correction.heading}
        </>
      ),
    },
    {
      key: 'value',
      label: t('inCell'),
      title: true,
      cell: (correction) => <span className="im-cell">{correction.value}</span>,
    },
    { key: 'rows', label: t('rowsWith'), num: true, cell: (correction) => count(correction.rows.size) },
    {
      key: 'meant',
      label: t('meantTitle'),
      card: 'wide',
      cell: (correction) => (
        <span className="row gap-2">
          {correction.suggestions.map((text) => (
            <Button
              key={text}
              icon="check"
              aria-label={t('accept', {
                text,
                value: correction.value,
                column: correction.heading || correction.columnName,
              })}
              onClick={() => review.apply({ cells: cellsOf(correction, text) })}>
              {text}
            </Button>
          ))}
        </span>
      ),
    },
  ]
  return (
    <section>
      <div className="im-head row bottom between mb-2">
        <div>
          <h2 className="dk-h">{t('meantTitle')}</h2>
          <p className="hint">{t('meantText')}</p>
        </div>
        <Button
          icon="check"
          onClick={() => review.apply({ cells: corrections.flatMap((correction) => cellsOf(correction)) })}>
          {t('meantAll', { n: corrections.length })}
        </Button>
      </div>
      <DataTable
        caption={t('meantCaption')}
        columns={columns}
        rows={corrections.slice(0, maxCorrections)}
        rowKey={(correction) => `${correction.column} ${correction.suggestions[0]} ${correction.value}`}
        compact
      />
    </section>
  )
}

interface FaultyRow {
  row: number
  studentName: string
  /** By column; 0 for the row as a whole */
  cells: Map<number, ImportRowError[]>
}

function rowsOf(errors: readonly ImportRowError[]): FaultyRow[] {
  const rows = new Map<number, FaultyRow>()
  for (const error of errors) {
    const entry = rows.get(error.row) ?? {
      row: error.row,
      studentName: error.studentName ?? '',
      cells: new Map(),
    }
    entry.cells.set(error.column, [...(entry.cells.get(error.column) ?? []), error])
    rows.set(error.row, entry)
  }
  return [...rows.values()]
}

/** What is wrong, corrected in place: many rows at once by suggestions, the rest cell by cell. */
export function ErrorsStep({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const list = useRef<HTMLOListElement>(null)
  const { errors, outRows, correctedCount, badCount, errorCount } = preview
  const corrections = correctionsOf(errors)
  const rows = rowsOf(errors)
  const next = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const fields = [...(list.current?.querySelectorAll('input') ?? [])]
    const following = fields[fields.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)]
    if (following) following.focus()
    else event.currentTarget.blur()
  }
  return (
    <div className="stack">
      <p className="sr" role="status">
        {t('faultsLeft', { n: errorCount })}
      </p>
      {outRows.length > 0 && (
        <p>
          {t('outRows', { n: outRows.length })}{' '}
          <button
            type="button"
            className="lk"
            onClick={() => review.apply({ choices: outRows.map((row) => ({ row, choice: '' as const })) })}>
            {t('bringBack', { n: outRows.length })}
          </button>
        </p>
      )}
      {corrections.length > 0 && <Corrections review={review} corrections={corrections} />}
      {rows.length === 0 ? (
        <Panel padded={false}>
          <EmptyState icon="ok" title={t('noFaults')}>
            {t('noFaultsText')}
          </EmptyState>
        </Panel>
      ) : (
        <section>
          <h2 className="dk-h">{t('faultsTitle', { n: badCount })}</h2>
          <p className="hint">
            {t('faultsText')} {correctedCount > 0 && t('corrected', { n: correctedCount })}
          </p>
          <ol className="panel dk-faults ruled mt-2" ref={list}>
            {rows.slice(0, maxShown).map((row) => (
              <FaultyRowItem key={row.row} faultyRow={row} review={review} onKey={next} />
            ))}
          </ol>
          {rows.length > maxShown && (
            <p className="hint">{t('faultsShown', { shown: maxShown, n: rows.length })}</p>
          )}
        </section>
      )}
    </div>
  )
}

interface FaultyRowItemProps {
  faultyRow: FaultyRow
  review: ImportReview
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** One row with a field for each faulty cell; typed values are sent on blur. */
function FaultyRowItem({ faultyRow: { row, studentName, cells }, review, onKey }: FaultyRowItemProps) {
  const t = reviewWords.use()
  const translate = useSentences()
  const set = (column: number, before: string, text: string) => {
    if (text.trim() !== before) review.apply({ cells: [{ row, column, text: text.trim() }] })
  }
  return (
    <li>
      <div className="dk-who">
        <b>{t('row', { row })}</b>
        <span className="quiet">{studentName || '–'}</span>
      </div>
      <div className="dk-cells row gap-4">
        {[...cells].map(([column, faults]) => {
          const [first] = faults
          const errorText = faults.map(({ message }) => translate(message)).join(' ')
          if (!first || column === 0) return <p key={column}>{errorText}</p>
          const name = first.heading || first.columnName
          const texts = [...new Set(faults.flatMap(({ suggestions }) => suggestions))]
          return (
            <div key={column} className="dk-cell">
              <TextField
                key={first.value}
                label={name}
                aria-label={t('correct', { row, column: name })}
                defaultValue={first.value}
                error={errorText}
                autoComplete="off"
                maxLength={500}
                onKeyDown={onKey}
                onBlur={(event) => set(column, first.value, event.currentTarget.value)}
              />
              {texts.length > 0 && (
                <span className="row gap-2">
                  {texts.map((text) => (
                    <Button
                      key={text}
                      onClick={() => review.apply({ cells: [{ row, column, text }] })}
                      aria-label={t('accept', { text, value: first.value, column: name })}>
                      {text}
                    </Button>
                  ))}
                </span>
              )}
            </div>
          )
        })}
      </div>
      <IconButton
        icon="delete"
        label={t('leaveOut', { row })}
        onClick={() => review.apply({ choices: [{ row, choice: 'out' }] })}
      />
    </li>
  )
}

const choices = ['same', 'other', 'out'] as const
type Choice = (typeof choices)[number]
const names = { same: 'isSame', other: 'isOther', out: 'isOut' } as const

/** Rows that may match existing students, one line per pair; the user decides. */
export function QuestionsStep({ review, preview }: { review: ImportReview; preview: ImportPreview }) {
  const t = reviewWords.use()
  const { questions, askedCount } = preview
  const open = questions.filter(({ choice }) => choice === '')
  const all = (choice: Choice) =>
    review.apply({
      choices: open
        .filter(({ mayBeOther }) => choice !== 'other' || mayBeOther)
        .map(({ row }) => ({ row, choice })),
    })
  if (questions.length === 0) {
    return (
      <Panel padded={false}>
        <EmptyState icon="ok" title={t('noQuestions')}>
          {t('noQuestionsText')}
        </EmptyState>
      </Panel>
    )
  }
  return (
    <div className="stack">
      <p>{t('questionsLead')}</p>
      {open.length > 1 && (
        <p className="row">
          <span>{t('allUndecided', { n: open.length })}</span>
          {choices.map((choice) => (
            <Button key={choice} onClick={() => all(choice)}>
              {t(names[choice])}
            </Button>
          ))}
        </p>
      )}
      <ol className="panel dk-questions ruled">
        {questions.slice(0, maxShown).map((question) => (
          <Question key={question.row} question={question} review={review} />
        ))}
      </ol>
      {askedCount > maxShown && <p className="hint">{t('questionsMore', { n: askedCount - maxShown })}</p>}
    </div>
  )
}

type StudentPlace = Pick<ImportQuestion, 'studentName' | 'className' | 'section' | 'rollNo'>

function Question({ question, review }: { question: ImportQuestion; review: ImportReview }) {
  const t = reviewWords.use()
  const { row, studentName, other: match, facts, same, of, mayBeOther } = question
  const [choice, choose] = usePending(question.choice, review)
  const decide = (option: Choice) => choose(option, { choices: [{ row, choice: option }] })
  const fieldName = useFieldName()
  const placeOf = ({ className, section, rollNo }: StudentPlace) => {
    const room = translateSentence(className)
    return t('childAt', { place: section === '-' ? room : `${room} ${section}`, roll: rollNo })
  }
  const origin = match.id > 0 ? t('inSchool') : t('inFileToo', { row: match.row })
  return (
    <li>
      <div className="dk-pair">
        <p>
          <span className="quiet">{t('row', { row })}</span> <b>{studentName}</b>, {placeOf(question)}
        </p>
        <p>
          <span className="quiet">{origin}</span> <b>{match.studentName}</b>, {placeOf(match)}
        </p>
        <details>
          <summary>{t('matchCount', { same, of })}</summary>
          <table>
            <caption className="sr">{t('choiceOf', { row, name: studentName })}</caption>
            <tbody>
              {facts.map((fact) => (
                <tr key={fact.field} className={fact.same ? undefined : 'differs'}>
                  <th scope="row">
                    {fieldName(fact.field)}
                    <span className="dk-mark">
                      <Icon name={fact.same ? 'check' : 'warning'} small />{' '}
                      {t(fact.same ? 'sameMark' : 'differs')}
                    </span>
                  </th>
                  <td>{fact.here}</td>
                  <td>{fact.there}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
      <fieldset className="dk-choices row gap-2">
        <legend className="sr">{t('choiceOf', { row, name: studentName })}</legend>
        {choices.map((option) => (
          <Button
            key={option}
            aria-pressed={choice === option}
            title={option === 'other' && !mayBeOther ? t('needsRollNo') : undefined}
            onClick={() => decide(option)}>
            {t(names[option])}
          </Button>
        ))}
        {choice === 'other' && !mayBeOther && <small className="quiet">{t('needsRollNo')}</small>}
      </fieldset>
    </li>
  )
}
