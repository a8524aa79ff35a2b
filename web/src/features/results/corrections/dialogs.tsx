import {
  correctMarksRow,
  correctResults,
  maxCorrections,
  resultAnomalies,
} from '@podium/contract/results/calls-corrections'
import { officeResultEvent } from '@podium/contract/results/calls-office'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type CallError, call } from '#shell/call.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { useFilters } from '#shell/filters.ts'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { parseTypedNumber } from '#ui/numbers.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type Anomaly, type OfficeEvent, resultEventCalls } from '../office-event.ts'
import { officeFilters } from '../office-filters.ts'
import { officeWords, Problem, type Student, StudentField, StudentOnRecord } from '../office-parts.tsx'

interface Marks {
  present: boolean
  marks: string[]
  final: string
}

const hasMarks = ({ marks, final }: Marks) => [...marks, final].some((typed) => typed !== '')

/** Focuses the first field that the server has refused, once it shows why. */
function useRefusedField(error: CallError | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) focusFirstError(form.current)
  }, [error])
  return form
}

/** What the server refuses, by field, until it is changed: the same words beside what is now right would mislead. */
function useIssues(error: CallError | undefined) {
  const translate = useSentences()
  const [changed, setChanged] = useState<{ of?: CallError | undefined; paths: readonly string[] }>({
    paths: [],
  })
  const paths = changed.of === error ? changed.paths : []
  const issue = (path: string) => {
    const found = error?.issues.find(
      (known) => known.path === path || known.path === path.replace('rows.0', 'row'),
    )
    return found && !paths.includes(path) ? translate(found.message) : undefined
  }
  return { issue, mend: (path: string) => setChanged({ of: error, paths: [...paths, path] }) }
}

interface Line extends Marks, Student {
  key: number
}

/** Corrects individual students in the version that schools see: which student, the correct marks and the reason. */
export function CorrectDialog({ event, onClose }: { event: OfficeEvent['event']; onClose: () => void }) {
  const t = officeWords.use()
  const { busy, error, attempt } = useAttempt(resultEventCalls)
  const { issue, mend } = useIssues(error)
  const filters = useFilters(officeFilters)
  const form = useRefusedField(error)
  const blank = (key: number): Line => ({
    key,
    who: '',
    roll: '',
    present: true,
    marks: event.sections.map(() => ''),
    final: '',
  })
  const [reason, setReason] = useState('')
  const [lines, setLines] = useState<Line[]>([blank(0)])
  /** The keys of the lines in the order they were sent: an error keeps its line when another is removed. */
  const [sent, setSent] = useState<readonly number[]>([])
  const issues = error?.issues ?? []
  const set = (key: number, change: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.key === key ? { ...line, ...change } : line)))
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    const rows = lines.map((line) => ({ nioRollNo: line.roll || line.who, ...marksToSend(line) }))
    setSent(lines.map(({ key }) => key))
    void attempt(
      () => call(correctResults, { body: { eventYearId: event.eventYearId, reason, rows } }),
      ({ version }) => {
        toast.success(t('correctedToast', { n: version }))
        // The new version begins with its own next step.
        filters.change({ step: '' })
        onClose()
      },
    )
  }
  const isTyped = ({ who, ...line }: Line) => who !== '' || hasMarks(line)
  const { leave, question } = useLeaveQuestion(
    () => !busy && (reason !== '' || lines.length > 1 || lines.some(isTyped)),
    onClose,
  )
  return (
    <Dialog opened onClose={leave} title={t('correctTitle')} size="wide">
      {question}
      <form ref={form} onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <p>{t('correctHint')}</p>
            <TextArea
              label={t('correctionReason')}
              hint={t('correctionHint')}
              data-autofocus
              value={reason}
              maxLength={300}
              error={issue('reason')}
              onChange={(changed) => {
                setReason(changed.currentTarget.value)
                mend('reason')
              }}
            />
            {lines.map((line, index) => (
              <fieldset key={line.key} className="res-correct">
                <legend>{t('studentNo', { n: index + 1 })}</legend>
                <div className="stack gap-3">
                  <StudentField
                    eventYearId={event.eventYearId}
                    student={line}
                    error={issue(`rows.${sent.indexOf(line.key)}.nioRollNo`)}
                    onChange={(student) => {
                      set(line.key, student)
                      mend(`rows.${sent.indexOf(line.key)}.nioRollNo`)
                    }}
                  />
                  <StudentOnRecord
                    eventYearId={event.eventYearId}
                    roll={line.roll}
                    onUse={(marks) => set(line.key, { present: true, marks: marks.map(String) })}
                  />
                  <div className="grid">
                    <MarkFields
                      event={event}
                      line={line}
                      rowIndex={sent.indexOf(line.key)}
                      issue={issue}
                      mend={mend}
                      onChange={(change) => set(line.key, change)}
                    />
                  </div>
                </div>
                {lines.length > 1 && (
                  <Button kind="text" onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}>
                    {t('dropStudent', { n: index + 1 })}
                  </Button>
                )}
              </fieldset>
            ))}
            <div>
              <Button
                icon="plus"
                disabled={lines.length >= maxCorrections}
                onClick={() => setLines([...lines, blank(Math.max(...lines.map(({ key }) => key)) + 1)])}>
                {t('oneMore')}
              </Button>
            </div>
            {issues.length === 0 && <Problem error={error} />}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind="primary" busy={busy}>
            {t('correctNow')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

interface RowDialogProps {
  event: OfficeEvent['event']
  setId: number
  row: Anomaly
  onClose: () => void
  onDone: () => void
}

/** Parses a typed mark for sending. Unreadable text becomes `NaN`, which the server rejects at the field. */
function parseMark(typed: string): number | '' {
  const parsed = parseTypedNumber(typed)
  return typeof parsed === 'number' ? parsed : parsed === '' ? '' : Number.NaN
}

/** Converts the marks for sending; an absent student has none. */
const marksToSend = ({ present, marks, final }: Marks) => ({
  present,
  marks: present ? marks.map(parseMark) : [],
  finalScore: present ? parseMark(final) : ('' as const),
})

interface MarkFieldsProps {
  event: OfficeEvent['event']
  line: Marks
  /** Index of the row in the request, to find its errors */
  rowIndex: number
  /** The field where the focus starts: a section, or a column of the file */
  starts?: string | undefined
  issue: (path: string) => string | undefined
  mend: (path: string) => void
  onChange: (change: Partial<Marks>) => void
}

/** The fields of one student: present or absent, and the marks of each section. */
function MarkFields({ event, line, rowIndex, starts, issue, mend, onChange }: MarkFieldsProps) {
  const t = officeWords.use()
  const startIf = (column: string) => (column === starts ? { 'data-autofocus': true } : {})
  const { present, marks, final } = line
  return (
    <>
      <SelectField
        className="c3"
        label={t('attendance')}
        choices={[
          { value: 'P', label: t('wasPresent') },
          { value: 'A', label: t('wasAbsent') },
        ]}
        value={present ? 'P' : 'A'}
        {...startIf('Attendance')}
        onChange={(changed) => onChange({ present: changed.currentTarget.value === 'P' })}
      />
      {present &&
        event.sections.map(({ name, maximum }, index) => (
          <TextField
            key={name}
            className="c3"
            label={t('sectionOf', { name, n: maximum })}
            inputMode="decimal"
            value={marks[index] ?? ''}
            {...startIf(name)}
            error={issue(`rows.${rowIndex}.marks.${index}`)}
            onChange={(changed) => {
              onChange({ marks: marks.with(index, changed.currentTarget.value) })
              mend(`rows.${rowIndex}.marks.${index}`)
            }}
          />
        ))}
      {present && (
        <TextField
          className="c3"
          label={t('finalScore')}
          hint={t('finalScoreHint')}
          optional
          inputMode="decimal"
          value={final}
          {...startIf('Final Score')}
          error={issue(`rows.${rowIndex}.finalScore`)}
          onChange={(changed) => {
            onChange({ final: changed.currentTarget.value })
            mend(`rows.${rowIndex}.finalScore`)
          }}
        />
      )}
    </>
  )
}

/** Corrects one row with an anomaly: whose it is, by roll no or name, and the marks. */
export function RowDialog({ event, setId, row, onClose, onDone }: RowDialogProps) {
  const t = officeWords.use()
  const isUnknownStudent = row.kind === 'unknown_roll' || row.kind === 'not_enrolled'
  const [student, setStudent] = useState<Student>({
    who: row.nioRollNo,
    roll: isUnknownStudent ? '' : row.nioRollNo,
  })
  const [line, setLine] = useState<Marks>({
    present: row.kind !== 'absent_marked',
    // The row's own: usually only its roll no is wrong.
    marks: event.sections.map((_, index) => String(row.marks[index] ?? '')),
    final: '',
  })
  const [opened] = useState(line)
  // The field at fault; a missing student lacks all marks.
  const [first] = event.sections
  const starts = row.kind === 'missing' ? first?.name : row.column
  const isMarkField = ['Attendance', 'Final Score', ...event.sections.map(({ name }) => name)].includes(
    starts ?? '',
  )
  const [note, setNote] = useState('')
  const { busy, error, attempt } = useAttempt([resultAnomalies, officeResultEvent])
  const { issue, mend } = useIssues(error)
  const form = useRefusedField(error)
  const issues = error?.issues ?? []
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    const nioRollNo = student.roll || student.who
    const body = { setId, anomalyId: row.anomalyId, row: { nioRollNo, ...marksToSend(line) }, note }
    void attempt(
      () => call(correctMarksRow, { body }),
      () => {
        toast.success(t('rowCorrectedToast'))
        onDone()
      },
    )
  }
  const { leave, question } = useLeaveQuestion(
    () => !busy && (student.who !== row.nioRollNo || note !== '' || line !== opened),
    onClose,
  )
  return (
    <Dialog
      opened
      onClose={leave}
      size="wide"
      title={t('rowTitle')}
      fact={row.rowNo > 0 ? t('rowFact', { n: row.rowNo, roll: row.nioRollNo || '–' }) : undefined}>
      {question}
      <form ref={form} onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <StudentField
              eventYearId={event.eventYearId}
              student={student}
              error={issue('rows.0.nioRollNo')}
              autoFocus={!isMarkField}
              onChange={(changed) => {
                setStudent(changed)
                mend('rows.0.nioRollNo')
              }}
            />
            <StudentOnRecord eventYearId={event.eventYearId} roll={student.roll} marksKnown={false} />
            <div className="grid">
              <MarkFields
                event={event}
                line={line}
                rowIndex={0}
                starts={starts}
                issue={issue}
                mend={mend}
                onChange={(change) => setLine({ ...line, ...change })}
              />
            </div>
            <TextField
              label={t('rowNote')}
              optional
              value={note}
              maxLength={500}
              onChange={(changed) => setNote(changed.currentTarget.value)}
            />
            {issues.length === 0 && <Problem error={error} />}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind="primary" busy={busy}>
            {t('rowSave')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
