import './register.css'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { dayText } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { FeeBadge } from './fee-badge.tsx'
import { Details } from './record-details.tsx'
import { Entries } from './record-entries.tsx'
import { Family } from './record-family.tsx'
import { WaiverNote } from './record-waiver.tsx'
import { type StudentOne, useStudent } from './use-record.ts'
import { words } from './words-record.ts'

const CorrectDialog = lazy(() => import('./correct-dialog.tsx').then((m) => ({ default: m.CorrectDialog })))

const leaving = () => import('./leave-dialogs.tsx')
const CancelDialog = lazy(() => leaving().then((m) => ({ default: m.CancelDialog })))
const MoveDialog = lazy(() => leaving().then((m) => ({ default: m.MoveDialog })))
const WaiverDialog = lazy(() => import('./waiver-dialog.tsx').then((m) => ({ default: m.WaiverDialog })))

/** One child in the office: everything on one page, its history beside it. */
export function StudentRecordPage() {
  const { record, data } = useStudent()
  if (record.isError && !data) return <PageProblem error={record.error} retry={record.refetch} />
  if (!data) return <Skeleton shape="form" />
  return <Loaded one={data} />
}

function Loaded({ one }: { one: StudentOne }) {
  const { student } = one
  return (
    <>
      <PageHeader title={student.studentName} fact={<Fact one={one} />}>
        <Acts one={one} />
      </PageHeader>
      <div className="student-record">
        <div className="stack">
          <WaiverNote one={one} />
          <Details one={one} />
          <Entries one={one} />
          <Family one={one} />
        </div>
        <RecordHistory kind="student" id={String(student.id)} />
      </div>
    </>
  )
}

function Fact({ one: { student } }: { one: StudentOne }) {
  const t = words.use()
  return (
    <span className="student-fact">
      <FeeBadge {...student} />
      <span>
        {student.className}
        {student.section !== '-' && ` ${student.section}`} · {t('roll', { n: student.rollNo })}
      </span>
      <Link to={officePaths.school} params={{ id: String(student.schId) }}>
        {student.schName}
      </Link>
      <span>{student.FYear}</span>
      <span>{t('since', { day: dayText(student.createdAt) })}</span>
    </span>
  )
}

function Acts({ one }: { one: StudentOne }) {
  const t = words.use()
  const [doing, setDoing] = useState<'correct' | 'waive' | 'cancel' | 'move'>()
  const { can } = one
  const close = () => setDoing(undefined)
  const mayNotLeave = can.leave === true ? undefined : t(whyNot(can.leave))
  return (
    <>
      <Link to={officePaths.students} className="student-back">
        {t('back')}
      </Link>
      <Link
        to={officePaths.dataRequests}
        search={{ student: String(one.student.id), state: 'all' }}
        className="student-back"
      >
        {t('dataRequests')}
      </Link>
      <Button kind="danger" disabled={mayNotLeave} onClick={() => setDoing('cancel')}>
        {t('cancelEntry')}
      </Button>
      <Button disabled={mayNotLeave} onClick={() => setDoing('move')}>
        {t('move')}
      </Button>
      <Button
        disabled={can.waive === true ? undefined : t(whyNoWaiver(can.waive))}
        onClick={() => setDoing('waive')}
      >
        {t('waive')}
      </Button>
      <Button
        kind="primary"
        icon="edit"
        disabled={can.correct === true ? undefined : t(whyNot(can.correct))}
        onClick={() => setDoing('correct')}
      >
        {t('correct')}
      </Button>
      <Suspense>
        {doing === 'correct' && <CorrectDialog one={one} onClose={close} />}
        {doing === 'cancel' && <CancelDialog one={one} onClose={close} />}
        {doing === 'move' && <MoveDialog student={one.student} onClose={close} />}
        {doing === 'waive' && <WaiverDialog student={one.student} onClose={close} />}
      </Suspense>
    </>
  )
}

const waiverWords: Record<string, 'isDeleted' | 'isAsked' | 'isSent' | 'isPaid'> = {
  'enrolment.deleted': 'isDeleted',
  'waivers.asked': 'isAsked',
  'waivers.being_verified': 'isSent',
  'waivers.paid': 'isPaid',
}

const whyNoWaiver = (reason: string) => waiverWords[reason] ?? ('mayNotWaive' as const)

/** The word for why something can't be done. */
export function whyNot(reason: string) {
  if (reason === 'enrolment.deleted') return 'isDeleted' as const
  if (reason === 'enrolment.locked') return 'isSent' as const
  return reason === 'students.has_results' ? ('hasResults' as const) : ('mayNotWrite' as const)
}
