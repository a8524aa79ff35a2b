import { sentenceOf } from '@podium/contract/errors'
import { deleteSlot, type ExamSlot, exportSlots, maxSlots } from '@podium/contract/exams/calls-office'
import { seasonAt } from '@podium/contract/season'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { count, Moment } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { LoadProblem, PageProblem } from '#shell/load-problem.tsx'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Tile, Tiles } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type Exam, momentText, type Schedule, slotCalls, useSchedule, words } from './use-schedule.ts'
import '../exams.css'

export const loadDialogs = () => import('./office-dialogs.tsx')

interface BarProps {
  rows: readonly ExamSlot[]
  /** Why this officer can't change slots */
  refusal: string | undefined
  onOpen: (dialog: 'change' | 'remove') => void
  onClear: () => void
}

/** The bulk actions for the selected slots: move by days, change the capacity, remove. */
function SlotsBar({ rows, refusal, onOpen, onClear }: BarProps) {
  const t = words.use()
  const disabledReason = refusal ?? (rows.length > maxSlots ? t('tooMany', { n: maxSlots }) : undefined)
  return (
    <>
      <span aria-live="polite">
        <b>{t('chosen', { n: rows.length })}</b>
      </span>
      <Button
        kind="primary"
        icon="edit"
        disabled={disabledReason}
        onPointerEnter={() => void loadDialogs()}
        onClick={() => onOpen('change')}>
        {t('changeChosen')}
      </Button>
      <Button kind="danger" disabled={disabledReason} onClick={() => onOpen('remove')}>
        {t('removeChosen')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unchoose')}
      </Button>
    </>
  )
}

const ChangeManyDialog = lazyDialog(loadDialogs, 'ChangeManyDialog')
const RemoveManyDialog = lazyDialog(loadDialogs, 'RemoveManyDialog')

interface TableProps {
  eventYearId: number
  slots: Schedule['slots']
  mayWrite: boolean
  onEdit: (slot: ExamSlot) => void
}

/** The slots of an olympiad with the number of places taken. */
function SlotsTable({ eventYearId, slots, mayWrite, onEdit }: TableProps) {
  const t = words.use()
  const [removing, setRemoving] = useState<ExamSlot>()
  const refusal = mayWrite ? undefined : t('mayNotWrite')
  const rows = slots.data?.data
  const sum = (pick: (slot: ExamSlot) => number) =>
    count((rows ?? []).reduce((total, slot) => total + pick(slot), 0))
  const all: Column<ExamSlot>[] = columnsOf(t, [
    { key: 'from', title: true, foot: t('all'), cell: ({ from }) => <Moment value={from} /> },
    { key: 'to', card: 'wide', cell: ({ to }) => <Moment value={to} /> },
    { key: 'places', num: true, cell: ({ places }) => count(places), foot: sum(({ places }) => places) },
    {
      key: 'taken',
      num: true,
      strong: true,
      cell: ({ taken }) => count(taken),
      foot: sum(({ taken }) => taken),
    },
    {
      key: 'free',
      num: true,
      cell: ({ places, taken }) => count(Math.max(0, places - taken)),
      foot: sum(({ places, taken }) => Math.max(0, places - taken)),
    },
    { key: 'schools', num: true, cell: ({ schools }) => count(schools) },
    {
      key: 'act',
      label: t('edit'),
      act: true,
      cell: (slot) => (
        <span className="os-acts">
          <Button icon="edit" disabled={refusal} onClick={() => onEdit(slot)}>
            {t('edit')}
          </Button>
          <IconButton
            icon="delete"
            label={t('remove')}
            disabled={refusal ?? (slot.taken > 0 ? t('slotTaken') : false)}
            onClick={() => setRemoving(slot)}
          />
        </span>
      ),
    },
  ])
  const { columns, tools } = useListView('slots', all)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [openDialog, setOpenDialog] = useState<'change' | 'remove'>()
  const clear = () => setSelected(new Set())
  const chosen = (rows ?? []).filter(({ slotId }) => selected.has(String(slotId)))
  const dialogProps = { rows: chosen, onClose: () => setOpenDialog(undefined), onDone: clear }
  return (
    <>
      <div className="os-views view-tools">
        {tools}
        <ListDownloads endpoint={exportSlots} bodyOf={(format) => ({ eventYearId, format })} />
      </div>
      <ListTable
        list={slots}
        caption={t('caption')}
        columns={columns}
        rowKey={({ slotId }) => String(slotId)}
        selection={{ selected, onChange: setSelected, name: ({ from }) => momentText(from) }}
        bulk={<SlotsBar rows={chosen} refusal={refusal} onOpen={setOpenDialog} onClear={clear} />}
        empty={
          <EmptyState icon="clock" title={t('noSlots')}>
            {t('noSlotsHint')}
          </EmptyState>
        }
      />

      {openDialog === 'change' && <ChangeManyDialog {...dialogProps} />}
      {openDialog === 'remove' && <RemoveManyDialog {...dialogProps} />}

      {removing && (
        <ConfirmAction
          danger
          title={t('removeTitle')}
          action={t('remove')}
          act={() => call(deleteSlot, { body: { slotId: removing.slotId, version: removing.version } })}
          invalidates={slotCalls}
          done={t('removed')}
          onClose={() => setRemoving(undefined)}>
          {t('removeHint')}
        </ConfirmAction>
      )}
    </>
  )
}

const SlotDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'SlotDialog')
const AssignDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'AssignDialog')
const HoursDialog = lazyDialog(() => import('./hours-dialog.tsx'), 'HoursDialog')
const NotifyDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'NotifyDialog')

/** The times of online olympiads: slots, who has them, and notifying schools. */
export function SchedulesPage() {
  const t = words.use()
  const schedule = useSchedule()
  const { exams, online, exam, filters } = schedule
  if (exams.isError && !exams.data)
    return <PageProblem title={t('title')} error={exams.error} retry={exams.refetch} />
  if (!online) return <Skeleton shape="table" rows={6} page />
  if (!exam)
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState icon="clock" title={t('noneOnline')}>
          {t('noneOnlineHint')}
        </EmptyState>
      </>
    )
  return (
    <>
      <ScheduleHead schedule={schedule} exam={exam} />
      <div className="os-choose">
        <SelectField
          label={t('olympiad')}
          value={String(exam.eventYearId)}
          choices={online.map(({ eventYearId, subjectName, eventLetter }) => ({
            value: String(eventYearId),
            label: `${translateSentence(subjectName)} (${eventLetter})`,
          }))}
          onChange={(event) => filters.change({ event: Number(event.currentTarget.value) })}
        />
      </div>
      <Slots schedule={schedule} exam={exam} />
    </>
  )
}

type OpenDialog = 'new' | 'assign' | 'file' | 'tell'

function ScheduleHead({ schedule, exam }: { schedule: Schedule; exam: Exam }) {
  const t = words.use()
  const translate = useSentences()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const { mayWrite, slots } = schedule
  const figures = slots.data?.figures
  const refusal = mayWrite ? undefined : t('mayNotWrite')
  const overReason =
    schedule.season < seasonAt(new Date()) ? translate(sentenceOf('schedules.season_over')) : undefined
  const close = () => setOpenDialog(undefined)
  return (
    <PageHeader
      title={t('title')}
      fact={figures && t('fact', { n: figures.students, waiting: count(figures.waiting) })}>
      <Button icon="upload" disabled={refusal} onClick={() => setOpenDialog('file')}>
        {t('importHours')}
      </Button>
      <Button icon="plus" disabled={refusal ?? overReason} onClick={() => setOpenDialog('new')}>
        {t('newSlot')}
      </Button>
      <Button
        icon="mail"
        disabled={refusal ?? (figures?.unnotified === 0 ? t('allNotified') : undefined)}
        onClick={() => setOpenDialog('tell')}>
        {t('notify')}
      </Button>
      <Button
        kind="primary"
        icon="users"
        disabled={refusal ?? (figures?.waiting === 0 ? t('nobodyWaits') : undefined)}
        onClick={() => setOpenDialog('assign')}>
        {t('assign')}
      </Button>

      {openDialog === 'new' && <SlotDialog exam={exam} onClose={close} />}
      {openDialog === 'assign' && <AssignDialog exam={exam} slots={slots.data?.data ?? []} onClose={close} />}
      {openDialog === 'file' && <HoursDialog exam={exam} onClose={close} />}
      {openDialog === 'tell' && figures && <NotifyDialog exam={exam} figures={figures} onClose={close} />}
    </PageHeader>
  )
}

function Slots({ schedule, exam }: { schedule: Schedule; exam: Exam }) {
  const t = words.use()
  const { slots, mayWrite } = schedule
  const [editing, setEditing] = useState<ExamSlot>()
  const figures = slots.data?.figures
  if (slots.isError && !slots.data) return <LoadProblem error={slots.error} retry={slots.refetch} />
  if (!figures) return <Skeleton shape="table" rows={6} />
  return (
    <>
      <Tiles>
        <Tile label={t('waiting')} value={count(figures.waiting)} meaning={t('waitingHint')} />
        <Tile
          label={t('notNotified')}
          value={count(figures.unnotified)}
          meaning={t('notNotifiedHint', { n: figures.unnotifiedSchools })}
        />
        <Tile label={t('notStarted')} value={count(figures.notStarted)} meaning={t('notStartedHint')} />
        <Tile
          label={t('completed')}
          value={count(figures.completed)}
          meaning={t('completedHint', { n: figures.missed, running: figures.inProgress })}
        />
      </Tiles>
      <SlotsTable
        key={exam.eventYearId}
        eventYearId={exam.eventYearId}
        slots={slots}
        mayWrite={mayWrite}
        onEdit={setEditing}
      />
      {editing && <SlotDialog exam={exam} slot={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}
