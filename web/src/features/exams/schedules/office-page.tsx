import { sentenceOf } from '@podium/contract/errors'
import { seasonAt } from '@podium/contract/season'
import { useSentences } from '#shell/language/sentences.ts'
import './office.css'
import type { ExamSlot } from '@podium/contract/exams/calls-schedules-office'
import { lazy, Suspense, useState } from 'react'
import { count } from '#shell/format.tsx'
import { LoadProblem, PageProblem } from '#shell/load-problem.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Tile, Tiles } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { SlotsTable } from './slots-table.tsx'
import { type Exam, type Schedule, useSchedule } from './use-schedule.ts'
import { words } from './words-office.ts'

const SlotDialog = lazy(() => import('./slot-dialog.tsx').then((m) => ({ default: m.SlotDialog })))
const AssignDialog = lazy(() => import('./assign-dialog.tsx').then((m) => ({ default: m.AssignDialog })))
const HoursDialog = lazy(() => import('./hours-dialog.tsx').then((m) => ({ default: m.HoursDialog })))
const TellDialog = lazy(() => import('./assign-dialog.tsx').then((m) => ({ default: m.TellDialog })))

/** The hours of online olympiads: slots, who has them, and telling schools. */
export function SchedulesPage() {
  const t = words.use()
  const schedule = useSchedule()
  const { exams, online, exam, filters } = schedule
  if (exams.isError && !exams.data)
    return <PageProblem title={t('title')} error={exams.error} retry={exams.refetch} />
  if (!online) return <Skeleton shape="table" rows={6} />
  if (!exam)
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState icon="clock" title={t('noneOnline')}>
          {t('noneOnlineSays')}
        </EmptyState>
      </>
    )
  return (
    <>
      <Head schedule={schedule} exam={exam} />
      <div className="os-choose">
        <SelectField
          label={t('olympiad')}
          value={String(exam.eventYearId)}
          choices={online.map(({ eventYearId, subjectName, eventLetter }) => ({
            value: String(eventYearId),
            label: `${subjectName} (${eventLetter})`,
          }))}
          onChange={(event) => filters.change({ event: Number(event.currentTarget.value) })}
        />
      </div>
      <Slots schedule={schedule} exam={exam} />
    </>
  )
}

type Doing = 'new' | 'assign' | 'file' | 'tell'

function Head({ schedule, exam }: { schedule: Schedule; exam: Exam }) {
  const t = words.use()
  const say = useSentences()
  const [doing, setDoing] = useState<Doing>()
  const { mayWrite, slots } = schedule
  const figures = slots.data?.figures
  const mayNot = mayWrite ? undefined : t('mayNotWrite')
  const over = schedule.season < seasonAt(new Date()) ? say(sentenceOf('schedules.season_over')) : undefined
  const close = () => setDoing(undefined)
  return (
    <PageHeader
      title={t('title')}
      fact={figures && t('fact', { n: figures.students, waiting: count(figures.waiting) })}
    >
      <Button icon="upload" disabled={mayNot} onClick={() => setDoing('file')}>
        {t('importHours')}
      </Button>
      <Button icon="plus" disabled={mayNot ?? over} onClick={() => setDoing('new')}>
        {t('newSlot')}
      </Button>
      <Button
        icon="mail"
        disabled={mayNot ?? (figures?.untold === 0 ? t('allTold') : undefined)}
        onClick={() => setDoing('tell')}
      >
        {t('tell')}
      </Button>
      <Button
        kind="primary"
        icon="users"
        disabled={mayNot ?? (figures?.waiting === 0 ? t('nobodyWaits') : undefined)}
        onClick={() => setDoing('assign')}
      >
        {t('assign')}
      </Button>
      <Suspense>
        {doing === 'new' && <SlotDialog exam={exam} onClose={close} />}
        {doing === 'assign' && <AssignDialog exam={exam} slots={slots.data?.data ?? []} onClose={close} />}
        {doing === 'file' && <HoursDialog exam={exam} onClose={close} />}
        {doing === 'tell' && figures && <TellDialog exam={exam} figures={figures} onClose={close} />}
      </Suspense>
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
        <Tile label={t('waiting')} value={count(figures.waiting)} meaning={t('waitingSays')} />
        <Tile
          label={t('untold')}
          value={count(figures.untold)}
          meaning={t('untoldSays', { n: figures.untoldSchools })}
        />
        <Tile label={t('notStarted')} value={count(figures.notStarted)} meaning={t('notStartedSays')} />
        <Tile
          label={t('completed')}
          value={count(figures.completed)}
          meaning={t('completedSays', { n: figures.missed, running: figures.inProgress })}
        />
      </Tiles>
      <SlotsTable
        key={exam.eventYearId}
        eventYearId={exam.eventYearId}
        slots={slots}
        mayWrite={mayWrite}
        onEdit={setEditing}
      />
      {editing && (
        <Suspense>
          <SlotDialog exam={exam} slot={editing} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </>
  )
}
