import type {
  ImportPreview,
  ImportQuestion,
  ImportRowError,
} from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { type KeyboardEvent, useRef } from 'react'
import { count } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type Desk, deskWords, usePending } from './data.ts'

const mostShown = 50

/** A text that occurs in several rows of a column, with suggested corrections. */
interface Meant {
  column: number
  columnName: string
  heading: string
  value: string
  suggestions: readonly string[]
  rows: Set<number>
}

/** Returns the errors that have suggestions, each text of a column once, the most frequent first. */
function meantOf(errors: readonly ImportRowError[]): Meant[] {
  const found = new Map<string, Meant>()
  for (const { row, column, columnName, heading, value, suggestions } of errors) {
    if (suggestions.length === 0 || column === 0 || value === '') continue
    const key = `${column} ${suggestions[0]} ${value}`
    const known = found.get(key)
    if (known) known.rows.add(row)
    else found.set(key, { column, columnName, heading, value, suggestions, rows: new Set([row]) })
  }
  return [...found.values()].sort((a, b) => b.rows.size - a.rows.size)
}

const mostMeant = 100

/** “Did you mean”: one click corrects a text in all rows where it occurs. */
function DeskMeant({ desk, meant }: { desk: Desk; meant: readonly Meant[] }) {
  const t = deskWords.use()
  const first = [...new Map(meant.map((one) => [`${one.column} ${one.value}`, one])).values()]
  const accept = (ones: ReadonlyArray<{ one: Meant; text: string }>) =>
    desk.apply({ replace: ones.map(({ one, text }) => ({ column: one.column, from: one.value, to: text })) })
  const columns: Column<Meant>[] = [
    {
      key: 'column',
      label: t('columnName'),
      cell: (one) => (
        <>
          <span className="code quiet">{one.columnName}</span> {one.heading}
        </>
      ),
    },
    {
      key: 'value',
      label: t('inCell'),
      title: true,
      cell: (one) => <span className="im-cell">{one.value}</span>,
    },
    { key: 'rows', label: t('rowsWith'), num: true, cell: (one) => count(one.rows.size) },
    {
      key: 'meant',
      label: t('meantTitle'),
      card: 'wide',
      cell: (one) => (
        <span className="row gap-2">
          {one.suggestions.map((text) => (
            <Button
              key={text}
              icon="check"
              aria-label={t('accept', { text, value: one.value, column: one.heading || one.columnName })}
              onClick={() => accept([{ one, text }])}
            >
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
          onClick={() => accept(first.slice(0, 500).map((one) => ({ one, text: one.suggestions[0] ?? '' })))}
        >
          {t('meantAll', { n: Math.min(first.length, 500) })}
        </Button>
      </div>
      <DataTable
        caption={t('meantCaption')}
        columns={columns}
        rows={meant.slice(0, mostMeant)}
        rowKey={(one) => `${one.column} ${one.suggestions[0]} ${one.value}`}
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
    const known = rows.get(error.row) ?? {
      row: error.row,
      studentName: error.studentName ?? '',
      cells: new Map(),
    }
    known.cells.set(error.column, [...(known.cells.get(error.column) ?? []), error])
    rows.set(error.row, known)
  }
  return [...rows.values()]
}

/** What is wrong, corrected in place: many rows at once by suggestions, the rest cell by cell. */
export function DeskFaults({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const list = useRef<HTMLOListElement>(null)
  const { errors, outRows, correctedCount, badCount, errorCount } = preview
  const meant = meantOf(errors)
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
            onClick={() => desk.apply({ choices: outRows.map((row) => ({ row, choice: '' as const })) })}
          >
            {t('bringBack', { n: outRows.length })}
          </button>
        </p>
      )}
      {meant.length > 0 && <DeskMeant desk={desk} meant={meant} />}
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
            {rows.slice(0, mostShown).map((one) => (
              <Faulty key={one.row} faulty={one} desk={desk} onKey={next} />
            ))}
          </ol>
          {rows.length > mostShown && (
            <p className="hint">{t('faultsShown', { shown: mostShown, n: rows.length })}</p>
          )}
        </section>
      )}
    </div>
  )
}

interface FaultyProps {
  faulty: FaultyRow
  desk: Desk
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** One row with a field for each faulty cell; typed values are sent on blur. */
function Faulty({ faulty: { row, studentName, cells }, desk, onKey }: FaultyProps) {
  const t = deskWords.use()
  const say = useSentences()
  const set = (column: number, before: string, text: string) => {
    if (text.trim() !== before) desk.apply({ cells: [{ row, column, text: text.trim() }] })
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
          const says = faults.map(({ message }) => say(message)).join(' ')
          if (!first || column === 0) return <p key={column}>{says}</p>
          const name = first.heading || first.columnName
          const texts = [...new Set(faults.flatMap(({ suggestions }) => suggestions))]
          return (
            <div key={column} className="dk-cell">
              <TextField
                key={first.value}
                label={name}
                aria-label={t('correct', { row, column: name })}
                defaultValue={first.value}
                error={says}
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
                      onClick={() => desk.apply({ cells: [{ row, column, text }] })}
                      aria-label={t('accept', { text, value: first.value, column: name })}
                    >
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
        onClick={() => desk.apply({ choices: [{ row, choice: 'out' }] })}
      />
    </li>
  )
}

const choices = ['same', 'other', 'out'] as const
type Choice = (typeof choices)[number]
const names = { same: 'isSame', other: 'isOther', out: 'isOut' } as const

/** Rows that may match existing students, one line per pair; the user decides. */
export function DeskQuestions({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const { questions, askedCount } = preview
  const open = questions.filter(({ choice }) => choice === '')
  const all = (choice: Choice) =>
    desk.apply({
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
        {questions.slice(0, mostShown).map((one) => (
          <Question key={one.row} question={one} desk={desk} />
        ))}
      </ol>
      {askedCount > mostShown && <p className="hint">{t('questionsMore', { n: askedCount - mostShown })}</p>}
    </div>
  )
}

type Child = Pick<ImportQuestion, 'studentName' | 'className' | 'section' | 'rollNo'>

function Question({ question, desk }: { question: ImportQuestion; desk: Desk }) {
  const t = deskWords.use()
  const { row, studentName, other, facts, same, of, mayBeOther } = question
  const [choice, choose] = usePending(question.choice, desk)
  const decide = (one: Choice) => {
    choose(one)
    desk.apply({ choices: [{ row, choice: one }] })
  }
  const fieldName = (field: string) => {
    const known = rowFields.find((one) => one === field)
    return known ? t(known) : field
  }
  const placeOf = ({ className, section, rollNo }: Child) => {
    const room = translateSentence(className)
    return t('childAt', { place: section === '-' ? room : `${room} ${section}`, roll: rollNo })
  }
  const there = other.id > 0 ? t('inSchool') : t('inFileToo', { row: other.row })
  return (
    <li>
      <div className="dk-pair">
        <p>
          <span className="quiet">{t('row', { row })}</span> <b>{studentName}</b>, {placeOf(question)}
        </p>
        <p>
          <span className="quiet">{there}</span> <b>{other.studentName}</b>, {placeOf(other)}
        </p>
        <details>
          <summary>{t('likeness', { same, of })}</summary>
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
        {choices.map((one) => (
          <Button
            key={one}
            aria-pressed={choice === one}
            title={one === 'other' && !mayBeOther ? t('needsRollNo') : undefined}
            onClick={() => decide(one)}
          >
            {t(names[one])}
          </Button>
        ))}
        {choice === 'other' && !mayBeOther && <small className="quiet">{t('needsRollNo')}</small>}
      </fieldset>
    </li>
  )
}
