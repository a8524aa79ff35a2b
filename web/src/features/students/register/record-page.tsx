import { Day, dayText, Moment } from '#shell/format.tsx'
import { SchoolLink, StudentLink } from '#shell/record-links.tsx'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import '#shell/record.css'
import { sendFamilyLink, showFamilyCode, showStudentContact } from '@podium/contract/students/calls-register'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Detail, type DetailProps, KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { FeeBadge } from './parts.tsx'
import type { LinkAction } from './record-dialogs.tsx'
import { Entries } from './record-entries.tsx'
import { type StudentRecord, studentCalls, useStudent, words } from './use-record.ts'

const LinkDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'LinkDialog')

type Code = Answer<typeof showFamilyCode>

/** The family's link: who has it and whether it was opened; link and code are shown on demand. */
function Family({ record }: { record: StudentRecord }) {
  const t = words.use()
  const { student, family } = record
  const [code, setCode] = useState<Code & { linkCreatedAt: string }>()
  const [openDialog, setOpenDialog] = useState<LinkAction>()
  // A code that was replaced meanwhile is no longer shown.
  const shown = family !== null && code?.linkCreatedAt === family.createdAt ? code : undefined
  return (
    <Panel title={t('family')} foot={<FamilyActions record={record} onAction={setOpenDialog} />}>
      {family ? (
        <KeyValues>
          <KeyValue label={t('linkSince')}>
            <Day value={family.createdAt} />
          </KeyValue>
          <KeyValue label={t('opened')}>
            {family.lastOpenedAt ? (
              <Moment value={family.lastOpenedAt} />
            ) : (
              <span className="quiet">{t('neverOpened')}</span>
            )}
          </KeyValue>
          <KeyValue label={t('children')}>
            {family.children.length === 0 && '–'}
            {family.children.map((child) => (
              <span key={child.id} className="block">
                {child.id === student.id ? (
                  child.studentName
                ) : (
                  <StudentLink id={child.id}>{child.studentName}</StudentLink>
                )}{' '}
                <span className="quiet">{child.className}</span>
              </span>
            ))}
          </KeyValue>
          {shown ? (
            <>
              <KeyValue label={t('address')} copy={shown.address}>
                <span className="long">{shown.address}</span>
              </KeyValue>
              <KeyValue label={t('accessCode')} copy={shown.code}>
                <span className="code">{shown.code}</span>
              </KeyValue>
            </>
          ) : (
            <KeyValue label={t('accessCode')}>
              <ShowCode
                record={record}
                onShow={(shownCode) => setCode({ ...shownCode, linkCreatedAt: family.createdAt })}
              />
            </KeyValue>
          )}
        </KeyValues>
      ) : (
        <EmptyState icon="users">{t('noLink')}</EmptyState>
      )}
      {openDialog && (
        <LinkDialog
          action={openDialog}
          student={student}
          family={family}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </Panel>
  )
}

function ShowCode({
  record: { student, can },
  onShow,
}: {
  record: StudentRecord
  onShow: (code: Code) => void
}) {
  const t = words.use()
  const { busy, act } = useAction(studentCalls)
  const show = () => act(async () => onShow(await call(showFamilyCode, { body: { id: student.id } })))
  return lines(
    <Button
      icon="eye"
      busy={busy}
      disabled={can.codes === true ? undefined : t('mayNotCodes')}
      onClick={() => void show()}>
      {t('showCode')}
    </Button>,
    t('codeHidden'),
  )
}

function FamilyActions({
  record,
  onAction,
}: {
  record: StudentRecord
  onAction: (action: LinkAction) => void
}) {
  const t = words.use()
  const { busy, act } = useAction(studentCalls)
  const { student, family, can } = record
  const disabledReason = can.codes !== true ? t('mayNotCodes') : undefined
  const send = () =>
    act(
      () => call(sendFamilyLink, { body: { id: student.id } }),
      ({ to }) => t('sent', { to }),
    )
  return (
    <span className="row inline one-line gap-2">
      {family && (
        <Button
          icon="mail"
          busy={busy}
          disabled={disabledReason ?? (family.mail ? undefined : t('noMail'))}
          onClick={() => void send()}>
          {t('send')}
        </Button>
      )}
      <Button
        disabled={disabledReason ?? (student.active ? undefined : t('isDeleted'))}
        icon="rotate"
        onClick={() => onAction('renew')}>
        {t('renew')}
      </Button>
      {family && (
        <Button kind="danger" disabled={disabledReason} onClick={() => onAction('revoke')}>
          {t('revoke')}
        </Button>
      )}
    </span>
  )
}

const CorrectDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'CorrectDialog')

const leaving = () => import('./record-dialogs.tsx')
const CancelDialog = lazyDialog(leaving, 'CancelDialog')
const MoveDialog = lazyDialog(leaving, 'MoveDialog')
const WaiverDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'WaiverDialog')

/** One student in the office: everything on one page, with the history beside it. */
export function StudentRecordPage() {
  const { record, data } = useStudent()
  if (record.isError && !data) return <PageProblem error={record.error} retry={record.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <StudentRecordView record={data} />
}

function StudentRecordView({ record }: { record: StudentRecord }) {
  const { student } = record
  return (
    <>
      <PageHeader title={student.studentName} fact={<HeaderFact record={record} />}>
        <RecordActions record={record} />
      </PageHeader>
      <div className="with-aside">
        <div className="stack">
          <WaiverNote record={record} />
          <Details record={record} />
          <Entries record={record} />
          <Family record={record} />
        </div>
        <RecordHistory kind="student" id={String(student.id)} />
      </div>
    </>
  )
}

function HeaderFact({ record: { student } }: { record: StudentRecord }) {
  const t = words.use()
  return (
    <span className="row gap-4">
      <FeeBadge {...student} />
      <span>
        {translateSentence(student.className)}
        {student.section !== '-' && ` ${student.section}`} · {t('roll', { n: student.rollNo })}
      </span>
      <SchoolLink id={student.schId}>{student.schName}</SchoolLink>
      <span>{student.FYear}</span>
      <span>{t('since', { day: dayText(student.createdAt) })}</span>
    </span>
  )
}

function RecordActions({ record }: { record: StudentRecord }) {
  const t = words.use()
  const [openDialog, setOpenDialog] = useState<'correct' | 'waive' | 'cancel' | 'move'>()
  const { can } = record
  const close = () => setOpenDialog(undefined)
  const mayNotLeave = can.leave === true ? undefined : t(explainRefusal(can.leave))
  return (
    <>
      <Link to={officePaths.students}>{t('back')}</Link>
      <Link to={officePaths.dataRequests} search={{ student: String(record.student.id), state: 'all' }}>
        {t('dataRequests')}
      </Link>
      <Button kind="danger" disabled={mayNotLeave} onClick={() => setOpenDialog('cancel')}>
        {t('cancelEntry')}
      </Button>
      <Button disabled={mayNotLeave} onClick={() => setOpenDialog('move')}>
        {t('move')}
      </Button>
      <Button
        disabled={can.waive === true ? undefined : t(whyNoWaiver(can.waive))}
        onClick={() => setOpenDialog('waive')}>
        {t('waive')}
      </Button>
      <Button
        kind="primary"
        icon="edit"
        disabled={can.correct === true ? undefined : t(explainRefusal(can.correct))}
        onClick={() => setOpenDialog('correct')}>
        {t('correct')}
      </Button>

      {openDialog === 'correct' && <CorrectDialog record={record} onClose={close} />}
      {openDialog === 'cancel' && <CancelDialog record={record} onClose={close} />}
      {openDialog === 'move' && <MoveDialog student={record.student} onClose={close} />}
      {openDialog === 'waive' && <WaiverDialog student={record.student} onClose={close} />}
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

/** Returns the word key for why something can't be done. */
function explainRefusal(reason: string) {
  if (reason === 'enrolment.deleted') return 'isDeleted' as const
  if (reason === 'enrolment.locked') return 'isSent' as const
  return reason === 'students.has_results' ? ('hasResults' as const) : ('mayNotWrite' as const)
}

/** Says that a waiver is pending, granted or declined; renders nothing without a request. */
function WaiverNote({ record: { waiver } }: { record: StudentRecord }) {
  const t = words.use()
  if (!waiver || waiver.state === 'withdrawn') return null
  if (waiver.state === 'asked')
    return (
      <Note kind="due">
        {t('waiverAsked', {
          name: waiver.requestedBy,
          day: dayText(waiver.requestedAt),
          reason: waiver.reason,
        })}{' '}
        <Link to={officePaths.waivers}>{t('toWaivers')}</Link>
      </Note>
    )
  const approved = waiver.state === 'approved'
  return (
    <Note kind={approved ? 'ok' : 'info'}>
      {t(approved ? 'waiverApproved' : 'waiverDeclined', {
        day: dayText(waiver.decidedAt),
        reason: approved ? waiver.reason : waiver.decision,
      })}
    </Note>
  )
}

type Contact = Answer<typeof showStudentContact>

/** The student's details; the parents' contact details on demand, and each view of them is recorded. */
function Details({ record }: { record: StudentRecord }) {
  const t = words.use()
  const { student, seasons } = record
  const [contact, setContact] = useState<Contact & { version: number }>()
  const shown = contact?.version === student.version ? contact : undefined
  return (
    <Panel
      title={t('details')}
      aside={<ShowContact record={record} shown={shown !== undefined} onShow={setContact} />}>
      <div className="halves record-details">
        <KeyValues>
          <OptionalDetail label={t('school')} value={`${student.schName}, ${student.city}`} />
          <OptionalDetail label={t('code')} value={student.schCode} copies />
          <OptionalDetail
            label={t('class')}
            value={`${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}`}
          />
          <OptionalDetail label={t('rollNo')} value={String(student.rollNo)} />
          <OptionalDetail label={t('examRollNo')} value={student.examRollNo} copies />
        </KeyValues>
        <KeyValues>
          <OptionalDetail label={t('parent')} value={student.parentName} />
          <OptionalDetail
            label={t('mobile')}
            value={shown ? shown.parentMobile : student.parentMobile}
            copies={shown !== undefined}
          />
          <OptionalDetail
            label={t('email')}
            value={shown ? shown.parentEmail : student.parentEmail}
            copies={shown !== undefined}
          />
          {seasons.length > 0 && (
            <KeyValue label={t('otherSeasons')}>
              {seasons.map((entry) => (
                <span key={entry.id} className="block">
                  <StudentLink id={entry.id}>{entry.FYear}</StudentLink> {translateSentence(entry.className)}
                </span>
              ))}
            </KeyValue>
          )}
        </KeyValues>
      </div>
    </Panel>
  )
}

interface ShowProps {
  record: StudentRecord
  shown: boolean
  onShow: (contact: Contact & { version: number }) => void
}

function ShowContact({ record: { student, can }, shown, onShow }: ShowProps) {
  const t = words.use()
  const { busy, act } = useAction(studentCalls)
  if (shown || (student.parentMobile === '' && student.parentEmail === '')) return null
  const { id, version } = student
  const show = () =>
    act(async () => onShow({ ...(await call(showStudentContact, { body: { id } })), version }))
  return (
    <Button
      icon="eye"
      busy={busy}
      disabled={can.contact === true ? undefined : t('mayNotContact')}
      onClick={() => void show()}>
      {t('showContact')}
    </Button>
  )
}

function OptionalDetail({ children, ...props }: Omit<DetailProps, 'unknown'>) {
  const t = words.use()
  return (
    <Detail {...props} unknown={t('unknown')}>
      {children ?? <span className="long">{props.value}</span>}
    </Detail>
  )
}
