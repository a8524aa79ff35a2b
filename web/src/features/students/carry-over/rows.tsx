import { classCode, classes, sections } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { sentences } from '@podium/contract/sentences'
import type { CarryRow, CarryWarning, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { type FormEvent, useState } from 'react'
import { focusFirstError } from '#shell/field-focus.ts'
import { nothing, Rupees } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { Badge, SubjectCodes } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type CarryChoice, type CarryEdit, isTicked, withEdit } from './state.ts'
import { carryWords } from './words.ts'

interface RowsProps {
  name: string
  rows: readonly CarryRow[]
  offer: readonly OfferedName[]
  choice: CarryChoice
  decide: (next: CarryChoice) => void
  stale: boolean
}

/** Returns what is wrong with a roll no as typed. */
function rollNoError(typed: string): string {
  if (typed === '') return messages.rollNoRequired
  return /^[1-9]\d*$/.test(typed) ? sentences.rollMost : sentences.rollWhole
}

const editId = (row: CarryRow) => `carry-${row.studentId}`
const listed = (names: string) => (names === '' ? [] : names.split(','))

/** The students of a class with what would be entered: ticked or not, edited in place. */
export function CarryRows({ name, rows, offer, choice, decide, stale }: RowsProps) {
  const t = carryWords.use()
  const where = usePlaceText()
  const [editing, setEditing] = useState<number>()
  const close = (row: CarryRow) => {
    setEditing(undefined)
    document.getElementById(editId(row))?.focus()
  }
  const columns: Column<CarryRow>[] = columnsOf(t, [
    { key: 'student', title: true, cell: (row) => <Name row={row} /> },
    {
      key: 'was',
      card: 'none',
      cell: (row) => (
        <span className="nowrap quiet">{`${where.of(row.fromClassId, row.fromSection)}, ${row.fromRollNo}`}</span>
      ),
    },
    { key: 'section', cell: (row) => row.section },
    { key: 'roll', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
    {
      key: 'subjects',
      card: 'wide',
      cell: (row) => {
        const names = listed(row.subjectName)
        const subjects = listed(row.eventLetter).map((letter, index) => ({
          letter,
          name: translateSentence(names[index] ?? letter),
        }))
        return subjects.length > 0 ? <SubjectCodes of={subjects} /> : nothing
      },
    },
    { key: 'books', num: true, cell: (row) => row.bookCount || nothing },
    {
      key: 'amount',
      num: true,
      strong: true,
      cell: (row) => <Rupees amount={row.regAmount + row.bookAmount} />,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) => (
        <IconButton
          id={editId(row)}
          icon="edit"
          label={t('edit', { name: row.studentName })}
          aria-expanded={editing === row.studentId}
          onClick={() => setEditing(editing === row.studentId ? undefined : row.studentId)}
        />
      ),
    },
  ])
  return (
    <DataTable
      className="cy-rows"
      caption={t('caption', { name })}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.studentId)}
      stale={stale}
      compact
      selection={{
        selected: new Set(rows.filter((row) => isTicked(row, choice)).map((row) => String(row.studentId))),
        onChange: (selected) => {
          const ticks = { ...choice.ticks }
          for (const { studentId } of rows) ticks[studentId] = selected.has(String(studentId))
          decide({ ...choice, ticks })
        },
        name: (row) => row.studentName,
      }}
      more={(row) =>
        editing === row.studentId ? (
          <CarryEditForm
            row={row}
            offer={offer}
            onApply={(edit) => {
              decide(withEdit(choice, edit))
              close(row)
            }}
            onCancel={() => close(row)}
          />
        ) : undefined
      }
    />
  )
}

function Name({ row }: { row: CarryRow }) {
  const t = carryWords.use()
  const translate = useSentences()
  const sentence = useLookSentence()
  return (
    <>
      {row.studentName}
      {row.level2 && (
        <span className="cy-line">
          <Badge kind="yes">{t('level2', { names: row.level2 })}</Badge>
        </span>
      )}
      {row.warnings.map((look) => (
        <span key={look.kind} className="cy-line cy-look">
          {sentence(row, look)}
        </span>
      ))}
      {row.issues.map(({ path, message }) => (
        <span key={`${path} ${message}`} className="cy-line cy-bad">
          {translate(message)}
        </span>
      ))}
    </>
  )
}

/** Returns a function that says in words what needs a look. */
function useLookSentence() {
  const t = carryWords.use()
  const where = usePlaceText()
  return ({ fromRollNo, rollNo, eventLetter, other: existing }: CarryRow, look: CarryWarning): string => {
    const names = look.with.replaceAll(',', ', ').replaceAll(',  ', ', ')
    switch (look.kind) {
      case 'roll':
        return t('checkRoll', { old: fromRollNo, name: look.with, roll: rollNo })
      case 'choose':
        if (!look.with) return t('checkChooseNone')
        return eventLetter === '' ? t('checkChoose', { names }) : t('checkSubjects', { names })
      case 'subjects':
        return t('checkSubjects', { names })
      case 'closed':
        return t('checkClosed', { names })
      case 'parent':
        return t('checkParent')
      case 'deleted':
        return t('checkDeleted')
      case 'removed':
        return t('checkRemoved')
      case 'likely':
        return t('checkLikely', {
          name: look.with,
          where: existing ? where.named(existing.className, existing.section) : '',
          roll: existing?.rollNo ?? 0,
        })
    }
  }
}

interface EditProps {
  row: CarryRow
  offer: readonly OfferedName[]
  onApply: (edit: CarryEdit) => void
  onCancel: () => void
}

/** Section, roll no and subjects of one student, below the row. Only changed fields become decisions. */
function CarryEditForm({ row, offer, onApply, onCancel }: EditProps) {
  const t = carryWords.use()
  const translate = useSentences()
  // A decision made before may still change the row while it is edited here.
  const [shown] = useState(row)
  const [section, setSection] = useState(shown.section)
  const [rollNo, setRollNo] = useState(String(shown.rollNo))
  const before = shown.eventLetter === '' ? [] : shown.eventLetter.split(',')
  const [letters, setLetters] = useState<readonly string[]>(before)
  const [tried, setTried] = useState(false)
  const wrongRoll = !/^[1-9]\d{0,5}$/.test(rollNo.trim())
  const issue = (path: string) => row.issues.find((candidate) => candidate.path === path)?.message
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    focusFirstError(event.currentTarget)
    if (wrongRoll || letters.length === 0) return
    const edit: CarryEdit = { studentId: row.studentId }
    if (section !== shown.section) edit.section = section
    if (Number(rollNo) !== shown.rollNo) edit.rollno = Number(rollNo)
    if (letters.join() !== before.join()) edit.subjectName = [...letters]
    onApply(edit)
  }
  const rollIssue = tried && wrongRoll ? rollNoError(rollNo.trim()) : issue('rollno')
  const subjectIssue = tried && letters.length === 0 ? messages.subjectRequired : undefined
  return (
    <form
      className="cy-edit stack gap-3"
      noValidate
      onSubmit={apply}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}>
      <div className="cy-fields row">
        <SelectField
          autoFocus
          label={t('section')}
          value={section}
          choices={sections.map((option) => ({
            value: option,
            label: option === '-' ? t('noSection') : option,
          }))}
          onChange={(event) => setSection(event.currentTarget.value)}
        />
        <TextField
          label={t('rollNo')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={rollNo}
          error={rollIssue && translate(rollIssue)}
          onChange={(event) => setRollNo(event.currentTarget.value)}
        />
      </div>
      <SubjectBoxes
        title={t('subjects')}
        offer={offer}
        chosen={letters}
        onChange={setLetters}
        error={subjectIssue && translate(subjectIssue)}
      />
      <div className="acts">
        <Button type="submit" kind="primary">
          {t('apply')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

export type OfferedName = AnswerOf<typeof previewCarryOver>['offers'][number]['subjects'][number]

interface SubjectBoxesProps {
  title: string
  offer: readonly OfferedName[]
  chosen: readonly string[]
  onChange: (letters: string[]) => void
  error?: string | undefined
}

/** The subjects of a class as checkboxes. */
function SubjectBoxes({ title, offer, chosen, onChange, error }: SubjectBoxesProps) {
  return (
    <fieldset className={error ? 'cy-subjects err' : 'cy-subjects'}>
      <legend>{title}</legend>
      {offer.map(({ eventLetter, subjectName }) => (
        <CheckField
          key={eventLetter}
          label={translateSentence(subjectName)}
          checked={chosen.includes(eventLetter)}
          onChange={(event) =>
            onChange(
              offer
                .map((subject) => subject.eventLetter)
                .filter((letter) =>
                  letter === eventLetter ? event.currentTarget.checked : chosen.includes(letter),
                ),
            )
          }
        />
      ))}
      {error && <p className="msg">{error}</p>}
    </fieldset>
  )
}

interface SubjectTicksProps {
  title: string
  offer: readonly OfferedName[]
  chosen: readonly string[]
  onApply: (letters: string[]) => void
}

/** The subjects of a class as checkboxes, applied together with a button. */
export function SubjectTicks({ title, offer, chosen, onApply }: SubjectTicksProps) {
  const t = carryWords.use()
  const [ticked, setTicked] = useState<readonly string[]>(chosen)
  return (
    <div className="cy-choose row bottom">
      <SubjectBoxes title={title} offer={offer} chosen={ticked} onChange={setTicked} />
      <Button onClick={() => onApply([...ticked])}>{t('apply')}</Button>
    </div>
  )
}

/** Returns `Class 7` or `Class 7 A`, in the language of the page. */
export function usePlaceText() {
  const t = carryWords.use()
  const name = (classId: number) =>
    classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId))
  const classText = (classId: number, section: string) =>
    section === '-' ? name(classId) : `${name(classId)} ${section}`
  /** Takes the English class name from an answer. */
  const named = (className: string, section: string) => {
    const schoolClass = classes.find((candidate) => candidate.className === className)
    return schoolClass ? classText(schoolClass.classId, section) : className
  }
  return { name, of: classText, named }
}
