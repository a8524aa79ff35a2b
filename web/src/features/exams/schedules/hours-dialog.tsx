import {
  type ScheduleFileRow,
  type ScheduleOutcome,
  scheduleFile,
  scheduleOutcomes,
} from '@podium/contract/exams/calls-office'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { Moment, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Badge, type BadgeKind } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { type Exam, slotCalls, words } from './use-schedule.ts'

const badges: Record<ScheduleOutcome, BadgeKind> = {
  new: 'yes',
  changed: 'yes',
  same: 'none',
  over: 'doubt',
  full: 'doubt',
  clash: 'doubt',
  unknown: 'doubt',
  unclear: 'doubt',
}

const rowsShown = 100

/** Imports a file with each student's time: previewed first, saved after confirmation. */
export function HoursDialog({ exam, onClose }: { exam: Exam; onClose: () => void }) {
  const t = words.use()
  const [file, setFile] = useState<File | null>(null)
  const [read, setRead] = useState<Answer<typeof scheduleFile>>()
  const eventYearId = String(exam.eventYearId)
  const reading = useAttempt()
  const writing = useAttempt(slotCalls)
  const { leave, question } = useLeaveQuestion(() => file !== null, onClose)
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setRead(undefined)
    void reading.attempt(
      async () => (chosen ? call(scheduleFile, { query: { eventYearId }, file: chosen }) : undefined),
      setRead,
    )
  }
  const write = (of: File) =>
    writing.attempt(
      () => call(scheduleFile, { query: { eventYearId, apply: 'yes' }, file: of }),
      ({ applied }) => {
        toast.success(t('hoursWritten', { n: applied }))
        onClose()
      },
    )
  const writes = (read?.counts.new ?? 0) + (read?.counts.changed ?? 0)
  const problem = writing.problem ?? reading.problem
  return (
    <Dialog
      opened
      onClose={leave}
      title={t('importHours')}
      fact={translateSentence(exam.subjectName)}
      size="wide">
      {question}
      <DialogBody>
        <div className="stack">
          <p className="quiet">{t('hoursHint')}</p>
          <FileField
            label={t('file')}
            hint={t('fileHint')}
            accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            onChange={choose}
          />
          {reading.busy && <p role="status">{t('reading')}</p>}
          {problem && <Note kind="bad">{problem}</Note>}
          {read && <Outcome counts={read.counts} rows={read.rows} />}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          busy={writing.busy}
          disabled={read ? (writes === 0 ? t('fileNothing') : undefined) : t('fileFirst')}
          onClick={() => file && void write(file)}>
          {t('writeHours', { n: writes })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

interface OutcomeProps {
  counts: Readonly<Record<string, number>>
  rows: readonly ScheduleFileRow[]
}

function Outcome({ counts, rows }: OutcomeProps) {
  const t = words.use()
  const doubtful = (row: ScheduleFileRow) => (badges[row.outcome] === 'doubt' ? 0 : 1)
  const doubtfulFirst = rows.toSorted((a, b) => doubtful(a) - doubtful(b) || a.row - b.row)
  const columns: Column<ScheduleFileRow>[] = columnsOf(t, [
    { key: 'row', num: true, cell: ({ row }) => row },
    { key: 'examRollNo', title: true, cell: ({ examRollNo }) => examRollNo || nothing },
    { key: 'student', cell: ({ studentName }) => studentName || nothing },
    { key: 'from', cell: ({ from }) => <Moment value={from} /> },
    { key: 'to', cell: ({ to }) => <Moment value={to} /> },
    {
      key: 'outcome',
      card: 'wide',
      cell: ({ outcome }) => <Badge kind={badges[outcome]}>{t(`is_${outcome}`)}</Badge>,
    },
  ])
  return (
    <>
      <ul className="row gap-2" aria-live="polite">
        {scheduleOutcomes
          .filter((outcome) => (counts[outcome] ?? 0) > 0)
          .map((outcome) => (
            <li key={outcome}>
              <Badge kind={badges[outcome]}>
                {t(`is_${outcome}`)}: {counts[outcome]}
              </Badge>
            </li>
          ))}
      </ul>
      <DataTable
        caption={t('fileRows')}
        columns={columns}
        rows={doubtfulFirst.slice(0, rowsShown)}
        rowKey={({ row }) => String(row)}
        compact
      />
      {rows.length > rowsShown && <p className="hint">{t('rowsMore', { n: rows.length - rowsShown })}</p>}
    </>
  )
}
