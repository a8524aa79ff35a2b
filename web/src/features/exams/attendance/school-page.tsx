import { call } from '#shell/call.ts'
import { Day, dayText } from '#shell/format.tsx'
import '../exams.css'
import {
  type AttendanceEvent,
  attendanceEvents,
  attendanceList,
  saveAttendance,
} from '@podium/contract/exams/calls-attendance'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem, PanelProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useFreshQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction, useAttempt, useClosing } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf, type Selection } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/exams-attendance-school.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-attendance-school.json'))

const keyOf = ({ eventManagementId, classId }: ClassList) => `${eventManagementId}-${classId}`

/**
 * School/attendance: the class lists of each olympiad, collapsed. Open one to mark absentees, or mark several as
 * present at once.
 */
export function AttendancePage() {
  const t = words.use()
  const season = useSeason()
  const events = useEndpoint(attendanceEvents, { query: { FYear: season } })
  const [openList, setOpenList] = useState<ClassList>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { busy, act } = useAction([attendanceEvents])
  // Lists still to be entered come first.
  const olympiads = events.data?.data
    .map(({ classes, ...event }) => classes.map((list): ClassList => ({ ...event, ...list })))
    .filter((lists) => lists.length > 0)
    .toSorted((a, b) => toEnter(b) - toEnter(a))
  const lists = olympiads?.flat()
  const subject = (row: ClassList) =>
    row.examLevel > 1
      ? t('level', { subject: row.subjectName, level: row.examLevel })
      : translateSentence(row.subjectName)
  const columns: Column<ClassList>[] = columnsOf(t, [
    { key: 'class', title: true, cell: (row) => translateSentence(row.className) },
    { key: 'examDate', cell: (row) => (row.examDate ? <Day value={row.examDate} /> : t('noDate')) },
    { key: 'students', num: true, cell: (row) => row.students },
    { key: 'state', card: 'wide', cell: (row) => <State row={row} /> },
    {
      key: 'edit',
      act: true,
      cell: (row) => {
        const label = t(isOver(row) ? 'view' : row.absent === null ? 'enter' : 'edit')
        return (
          (row.can === true || row.absent !== null) && (
            <Button
              aria-label={t('actFor', { act: label, subject: subject(row), class: row.className })}
              onClick={() => setOpenList(row)}>
              {label}
            </Button>
          )
        )
      },
    },
  ])
  const selection: Selection<ClassList> = {
    selected,
    onChange: setSelected,
    // A list entered in part keeps its absent students.
    selectable: (row) => isToEnter(row) && row.absent === null,
    name: (row) => `${subject(row)}, ${translateSentence(row.className)}`,
  }
  const markPresent = async () => {
    const chosen = (lists ?? []).filter((row) => selected.has(keyOf(row)))
    const body = {
      lists: chosen.map(({ eventManagementId, classId, version, students }) => ({
        eventManagementId,
        classId,
        version,
        students,
        absent: [],
      })),
    }
    const saved = await act(() => call(saveAttendance, { body }), t('presentSaved', { n: chosen.length }))
    if (!saved) return
    // What was ticked meanwhile stays.
    const done = new Set(chosen.map(keyOf))
    setSelected((now) => new Set([...now].filter((key) => !done.has(key))))
  }
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      {events.isError && !lists ? (
        <PanelProblem error={events.error} retry={events.refetch} />
      ) : (
        <div className="stack">
          <Note>{t('noteText')}</Note>
          {olympiads?.map((rows) => (
            <Olympiad key={rows[0]?.eventManagementId} name={rows[0] ? subject(rows[0]) : ''} rows={rows}>
              <DataTable
                className="inset"
                caption={rows[0] ? subject(rows[0]) : ''}
                columns={columns}
                rows={rows}
                stale={events.isPlaceholderData}
                rowKey={keyOf}
                cardColumns={2}
                {...(toEnter(rows) > 0 ? { selection } : {})}
              />
            </Olympiad>
          ))}
          {!olympiads?.length && (
            <DataTable
              caption={t('caption')}
              columns={columns}
              rows={lists}
              rowKey={keyOf}
              empty={
                <EmptyState icon="users" title={t('emptyTitle')}>
                  {t('emptyText')}
                </EmptyState>
              }
            />
          )}
          {selected.size > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
            <div className="selbar" role="group" aria-label={t('caption')}>
              <span>{t('selected', { n: selected.size })}</span>
              <Button onClick={() => setSelected(new Set())}>{t('unselect')}</Button>
              <Button kind="primary" busy={busy} onClick={() => void markPresent()}>
                {t('markPresent')}
              </Button>
            </div>
          )}
        </div>
      )}
      {openList && (
        <ListDialog list={openList} subject={subject(openList)} onClose={() => setOpenList(undefined)} />
      )}
    </>
  )
}

const isToEnter = (row: ClassList) => row.can === true && (row.absent === null || row.added > 0)
const toEnter = (lists: readonly ClassList[]) => lists.filter(isToEnter).length

/** An olympiad's class lists, collapsed under their count and how many are still to be entered. */
function Olympiad({
  name,
  rows,
  children,
}: {
  name: string
  rows: readonly ClassList[]
  children: ReactNode
}) {
  const t = words.use()
  const students = rows.reduce((sum, row) => sum + row.students, 0)
  const open = toEnter(rows)
  return (
    <details className="panel">
      <summary>
        <Icon name="right" small />
        <h2>{name}</h2>
        <span className="quiet">
          {t('lists', { n: rows.length })}, {t('studentsIn', { n: students })}
        </span>
        {open > 0 && <Badge kind="waiting">{t('listsOpen', { n: open })}</Badge>}
      </summary>
      {children}
    </details>
  )
}

function State({ row }: { row: ClassList }) {
  const t = words.use()
  if (isToEnter(row) && row.added > 0)
    return lines(
      <Badge kind="waiting">{t('added', { n: row.added })}</Badge>,
      t('addedHint', { day: dayText(row.savedAt) }),
    )
  if (row.absent !== null)
    return lines(
      row.absent === 0 ? t('allPresent') : t('absent', { n: row.absent }),
      t('savedOn', { day: dayText(row.savedAt) }),
    )
  if (row.can === true) return <Badge kind="waiting">{t('open')}</Badge>
  return <span className="quiet">{t(isOver(row) ? 'never' : 'early')}</span>
}

const isOver = ({ can }: ClassList) => can === 'attendance.closed' || can === 'attendance.scheduled'

type ClassList = Omit<AttendanceEvent, 'classes'> & AttendanceEvent['classes'][number]

/** A refusal is above the list, from whose end it is saved. */
const bringIntoView = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' })

/** One class list: a checkbox for each absent student. */
function ListDialog({ list, subject, onClose }: { list: ClassList; subject: string; onClose: () => void }) {
  const t = words.use()
  const { eventManagementId, classId } = list
  const listQuery = useFreshQuery(attendanceList, {
    query: { eventManagementId: String(eventManagementId), classId: String(classId) },
  })
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const { close, closeAfter } = useClosing(onClose)
  const { busy, problem, attempt } = useAttempt([attendanceEvents, attendanceList])
  const students = listQuery.data?.students ?? []
  const isAbsent = (student: (typeof students)[number]) => changed.get(student.studentId) ?? student.absent
  const absent = students.filter(isAbsent)
  const open = list.can === true
  const isLost = () => !busy && students.some((student) => isAbsent(student) !== student.absent)
  const { leave, question } = useLeaveQuestion(isLost, close)
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!listQuery.data || !open) return
    const { version } = listQuery.data
    const ids = absent.map(({ studentId }) => studentId)
    const body = { lists: [{ eventManagementId, classId, version, absent: ids, students: students.length }] }
    void attempt(
      () => call(saveAttendance, { body }),
      () => {
        toast.success(t('saved'))
        closeAfter()
      },
    )
  }
  return (
    <Dialog
      opened
      onClose={leave}
      title={t('listTitle', { subject, class: list.className })}
      fact={
        listQuery.data &&
        t('presentCount', { present: students.length - absent.length, absent: absent.length })
      }>
      {question}
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            {listQuery.isError && !listQuery.data && (
              <LoadProblem error={listQuery.error} retry={listQuery.refetch} />
            )}
            {listQuery.isPending && <Skeleton shape="text" rows={6} />}
            {isToEnter(list) && list.added > 0 && (
              <Note kind="due">{t('addedNote', { n: list.added, day: dayText(list.savedAt) })}</Note>
            )}
            {open && students.length > 0 && <p>{t('listHint')}</p>}
            {problem && (
              <div ref={bringIntoView}>
                <Note kind="bad">{problem}</Note>
              </div>
            )}
            <div className="stack">
              {students.map((student) => (
                <CheckField
                  key={student.studentId}
                  label={t('student', {
                    name: student.studentName,
                    section: student.section,
                    roll: student.rollNo,
                  })}
                  hint={student.nioRollNo ? t('examRoll', { roll: student.nioRollNo }) : undefined}
                  disabled={!open}
                  checked={isAbsent(student)}
                  onChange={({ currentTarget: { checked } }) =>
                    setChanged(new Map(changed).set(student.studentId, checked))
                  }
                />
              ))}
            </div>
          </div>
        </DialogBody>
        <DialogFoot {...(open ? { onCancel: close } : { onClose: close })}>
          {open && (
            <Button type="submit" kind="primary" busy={busy} disabled={!listQuery.data}>
              {t('save')}
            </Button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  )
}
