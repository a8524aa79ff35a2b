import type { AnswerOf } from '@podium/contract/endpoint'
import {
  exportOfficeStudents,
  officeStudent,
  officeStudents,
  type StudentListRow,
  sendFamilyLinks,
  studentSubjects,
} from '@podium/contract/students/calls-register'
import { useState } from 'react'
import { type BulkActionProps, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import { callOnce } from '#shell/call-once.ts'
import { useFilters } from '#shell/filters.ts'
import { nothing } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { choicesBy, choicesOf, classChoices, ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { StudentLink } from '#shell/record-links.tsx'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { SubjectCodes } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { studentListFilters } from './filters.ts'
import { FeeBadge, words } from './parts.tsx'

const ofClass = /^\d{1,2}$/
const ofSubject = /^[A-Z]$/

/** Loads the students for the filters in the URL. */
function useStudents() {
  const season = useSeason()
  const filters = useFilters(studentListFilters)
  const { page, seasons, classId, subject, ...query } = filters.values
  const request = {
    ...query,
    ...(seasons === 'all' ? {} : { FYear: season }),
    classId: ofClass.test(classId) ? classId : '',
    subject: ofSubject.test(subject) ? subject : '',
  }
  const list = useEndpoint(officeStudents, { query: { ...request, page: String(page) } })
  const set = filters.countSet('search', 'school', 'classId', 'subject', 'fee', 'status', 'seasons')
  const mayExport = useMay('students.export')
  return { season, filters, asked: request, list, set, mayExport }
}

interface BarProps {
  rows: readonly StudentListRow[]
  onSend: () => void
  onClear: () => void
}

/** The bulk actions for the selected students. */
function StudentsBar({ rows, onSend, onClear }: BarProps) {
  const t = words.use()
  const may = useMay('students.codes')
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length })}</b>
      </span>
      <Button kind="primary" icon="mail" disabled={may ? undefined : t('mayNotSend')} onClick={onSend}>
        {t('sendLinks')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unselect')}
      </Button>
    </>
  )
}

/** Returns the columns the table can show. */
function useColumns(): Column<StudentListRow>[] {
  const t = words.use()
  const subjects = useEndpoint(studentSubjects).data?.data
  const named = (letter: string) => ({
    letter,
    name: translateSentence(subjects?.find((subject) => subject.letter === letter)?.name ?? letter),
  })
  return columnsOf(t, [
    {
      key: 'name',
      label: t('student'),
      title: true,
      cell: (row) => <StudentLink id={row.id}>{row.studentName}</StudentLink>,
    },
    { key: 'season', cell: (row) => row.FYear },
    {
      key: 'school',
      card: 'lead wide',
      cell: (row) =>
        lines(
          row.schName,
          <>
            <span className="num">{row.schCode}</span> · {row.city}
          </>,
        ),
    },
    {
      key: 'class',
      card: 'beside',
      cell: (row) => (
        <span className="nowrap">
          {translateSentence(row.className)}
          {row.section !== '-' && ` ${row.section}`}
        </span>
      ),
    },
    {
      key: 'roll',
      label: t('rollNo'),
      num: true,
      cell: (row) => lines(row.rollNo, row.examRollNo && <span className="nowrap">{row.examRollNo}</span>),
    },
    {
      key: 'subjects',
      cell: ({ eventLetter }) =>
        eventLetter === '' ? nothing : <SubjectCodes of={eventLetter.split(',').map(named)} />,
    },
    { key: 'mobile', cell: (row) => <span className="nowrap num">{row.mobile || nothing}</span> },
    { key: 'fee', card: 'lead', cell: (row) => <FeeBadge {...row} /> },
  ])
}

/**
 * The students of all schools, for the office: searched, filtered, exported as a file. The name opens the record; links
 * are sent to the selected ones together.
 */
export function StudentRegisterPage() {
  const t = words.use()
  const { season, filters, asked, list, set, mayExport } = useStudents()
  const { data } = list
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sending, setSending] = useState<readonly StudentListRow[]>()
  // A student no longer in the list is no longer selected: actions never touch what is out of sight.
  const selectedRows = (data?.data ?? []).filter(({ id, active }) => active && selected.has(String(id)))
  const clear = () => setSelected(new Set())
  const subjects = useEndpoint(studentSubjects).data?.data ?? []
  const all = t('all')
  return (
    <>
      <ListPage
        name="students"
        title={t('title')}
        fact={
          data &&
          (data.more
            ? t('factMore', { n: data.total })
            : t(set > 0 ? 'factFiltered' : 'fact', { n: data.total }))
        }
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('searchHint') },
          school: { label: t('school'), placeholder: t('schoolHint'), className: 'mid' },
          classId: { label: t('class'), all, choices: classChoices() },
          subject: {
            label: t('subject'),
            all,
            choices: subjects.map(({ letter, name }) => ({
              value: letter,
              label: `${letter} · ${translateSentence(name)}`,
            })),
          },
          fee: {
            label: t('fee'),
            all,
            choices: choicesBy({
              due: t('feeDue'),
              sent: t('feeSent'),
              paid: t('feePaid'),
              waived: t('feeWaived'),
            }),
          },
          status: { label: t('status'), choices: choicesOf(['active', 'deleted', 'all'], t) },
          seasons: {
            label: t('seasons'),
            all: t('thisSeason', { season }),
            choices: choicesBy({ all: t('allSeasons') }),
          },
          sort: filters.values.school !== '' && {
            label: t('order'),
            choices: choicesBy({ name: t('orderName'), class: t('orderClass') }),
          },
        }}
        className="students"
        caption={t('caption')}
        cardColumns={2}
        columns={useColumns().filter(({ key }) => filters.values.seasons === 'all' || key !== 'season')}
        rowKey={(row) => String(row.id)}
        gone={(row) => !row.active}
        folds={(row) => row.studentName}
        selection={{
          selected: new Set(selectedRows.map(({ id }) => String(id))),
          onChange: setSelected,
          selectable: (row) => row.active,
          name: (row) => t('rowName', { name: row.studentName, school: row.schName }),
        }}
        bulk={<StudentsBar rows={selectedRows} onSend={() => setSending(selectedRows)} onClear={clear} />}
        nothing={t('nothing')}
        nothingHint={t('nothingHint')}
        empty={
          <EmptyState icon="users" title={t('none')}>
            {t('noneHint')}
          </EmptyState>
        }>
        <ListDownloads
          endpoint={exportOfficeStudents}
          bodyOf={(format) => ({ ...asked, format })}
          disabledReason={mayExport ? undefined : t('mayNotExport')}
        />
      </ListPage>
      {data?.more && <p className="mt-3 quiet">{t('more', { n: data.total })}</p>}
      {sending && <SendManyDialog rows={sending} onClose={() => setSending(undefined)} onDone={clear} />}
    </>
  )
}

/** Sends the family links of the selected students; says who was skipped and why. */
function SendManyDialog(props: BulkActionProps<StudentListRow>) {
  const t = words.use()
  const { asked, confirm, busy, outcome } = useBulkAction(props, {
    invalidates: [officeStudent],
    doneText: (done: AnswerOf<typeof sendFamilyLinks>['done']) => t('linksSent', { n: done.length }),
  })
  const body = { ids: asked.map(({ id }) => id) }
  const send = () => confirm((idempotencyKey) => callOnce(sendFamilyLinks, { body, idempotencyKey }))
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAllSent')}
        summary={t('notAllSentText', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => nameOf(asked, id)}
        understood={t('understood')}
        onClose={props.onClose}
      />
    )
  const schools = new Set(asked.map(({ schId }) => schId)).size
  return (
    <ConfirmDialog
      opened
      title={t('sendTitle', { n: asked.length })}
      action={t('send')}
      busy={busy}
      onConfirm={send}
      onCancel={props.onClose}>
      <p>
        {t('fromSchools', { n: schools })} {t('sendHint')}
      </p>
    </ConfirmDialog>
  )
}

function nameOf(rows: readonly StudentListRow[], id: number): string {
  const row = rows.find((candidate) => candidate.id === id)
  return row ? `${row.studentName}, ${translateSentence(row.className)} (${row.schName})` : String(id)
}
