import '#shell/record.css'
import { sendFamilyLink, showFamilyCode, showStudentContact } from '@podium/contract/students/calls-register'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { Day, dayText, Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Detail, type DetailProps, KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { FeeBadge } from './parts.tsx'
import type { LinkAct } from './record-dialogs.tsx'
import { Entries } from './record-entries.tsx'
import { type StudentOne, shownOfStudents, useStudent, words } from './use-record.ts'

const LinkDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.LinkDialog })))

type Code = Answer<typeof showFamilyCode>

/** The family's link: who has it and whether it was opened; link and code are shown on demand. */
function Family({ one }: { one: StudentOne }) {
  const t = words.use()
  const { student, family } = one
  const [code, setCode] = useState<Code & { made: string }>()
  const [doing, setDoing] = useState<LinkAct>()
  // A code that was replaced meanwhile is no longer shown.
  const shown = family !== null && code?.made === family.createdAt ? code : undefined
  return (
    <Panel title={t('family')} foot={<FamilyActs one={one} onDo={setDoing} />}>
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
            {family.children.map((child) => (
              <span key={child.id} className="block">
                {child.id === student.id ? (
                  child.studentName
                ) : (
                  <Link to={officePaths.student} params={{ id: String(child.id) }}>
                    {child.studentName}
                  </Link>
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
              <ShowCode one={one} onShow={(found) => setCode({ ...found, made: family.createdAt })} />
            </KeyValue>
          )}
        </KeyValues>
      ) : (
        <EmptyState icon="users">{t('noLink')}</EmptyState>
      )}
      <Suspense>
        {doing && (
          <LinkDialog act={doing} student={student} family={family} onClose={() => setDoing(undefined)} />
        )}
      </Suspense>
    </Panel>
  )
}

function ShowCode({ one: { student, can }, onShow }: { one: StudentOne; onShow: (code: Code) => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  const show = () => act(async () => onShow(await call(showFamilyCode, { body: { id: student.id } })))
  return (
    <>
      <Button
        icon="eye"
        busy={busy}
        disabled={can.codes === true ? undefined : t('mayNotCodes')}
        onClick={() => void show()}
      >
        {t('showCode')}
      </Button>
      <span className="under">{t('codeHidden')}</span>
    </>
  )
}

function FamilyActs({ one, onDo }: { one: StudentOne; onDo: (act: LinkAct) => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  const { student, family, can } = one
  const mayNot = can.codes !== true ? t('mayNotCodes') : undefined
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
          disabled={mayNot ?? (family.mail ? undefined : t('noMail'))}
          onClick={() => void send()}
        >
          {t('send')}
        </Button>
      )}
      <Button
        disabled={mayNot ?? (student.active ? undefined : t('isDeleted'))}
        icon="rotate"
        onClick={() => onDo('renew')}
      >
        {t('renew')}
      </Button>
      {family && (
        <Button kind="danger" disabled={mayNot} onClick={() => onDo('revoke')}>
          {t('revoke')}
        </Button>
      )}
    </span>
  )
}

const CorrectDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.CorrectDialog })))

const leaving = () => import('./record-dialogs.tsx')
const CancelDialog = lazy(() => leaving().then((m) => ({ default: m.CancelDialog })))
const MoveDialog = lazy(() => leaving().then((m) => ({ default: m.MoveDialog })))
const WaiverDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.WaiverDialog })))

/** One student in the office: everything on one page, with the history beside it. */
export function StudentRecordPage() {
  const { record, data } = useStudent()
  if (record.isError && !data) return <PageProblem error={record.error} retry={record.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <Loaded one={data} />
}

function Loaded({ one }: { one: StudentOne }) {
  const { student } = one
  return (
    <>
      <PageHeader title={student.studentName} fact={<Fact one={one} />}>
        <Acts one={one} />
      </PageHeader>
      <div className="with-aside">
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
    <span className="row gap-4">
      <FeeBadge {...student} />
      <span>
        {translateSentence(student.className)}
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
  const mayNotLeave = can.leave === true ? undefined : t(explainRefusal(can.leave))
  return (
    <>
      <Link to={officePaths.students}>{t('back')}</Link>
      <Link to={officePaths.dataRequests} search={{ student: String(one.student.id), state: 'all' }}>
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
        disabled={can.correct === true ? undefined : t(explainRefusal(can.correct))}
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

/** Returns the word key for why something can't be done. */
function explainRefusal(reason: string) {
  if (reason === 'enrolment.deleted') return 'isDeleted' as const
  if (reason === 'enrolment.locked') return 'isSent' as const
  return reason === 'students.has_results' ? ('hasResults' as const) : ('mayNotWrite' as const)
}

/** Says that a waiver is pending, granted or declined; renders nothing without a request. */
function WaiverNote({ one: { waiver } }: { one: StudentOne }) {
  const t = words.use()
  if (!waiver || waiver.state === 'withdrawn') return null
  if (waiver.state === 'asked')
    return (
      <Note kind="due">
        {t('waiverAsked', { name: waiver.askedBy, day: dayText(waiver.askedAt), reason: waiver.reason })}{' '}
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
function Details({ one }: { one: StudentOne }) {
  const t = words.use()
  const { student, seasons } = one
  const [contact, setContact] = useState<Contact & { version: number }>()
  const shown = contact?.version === student.version ? contact : undefined
  return (
    <Panel
      title={t('details')}
      aside={<ShowContact one={one} shown={shown !== undefined} onShow={setContact} />}
    >
      <div className="halves record-details">
        <KeyValues>
          <Told label={t('school')} value={`${student.schName}, ${student.city}`} />
          <Told label={t('code')} value={student.schCode} copies />
          <Told
            label={t('class')}
            value={`${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}`}
          />
          <Told label={t('rollNo')} value={String(student.rollNo)} />
          <Told label={t('examRollNo')} value={student.examRollNo} copies />
        </KeyValues>
        <KeyValues>
          <Told label={t('parent')} value={student.parentName} />
          <Told
            label={t('mobile')}
            value={shown ? shown.parentMobile : student.parentMobile}
            copies={shown !== undefined}
          />
          <Told
            label={t('email')}
            value={shown ? shown.parentEmail : student.parentEmail}
            copies={shown !== undefined}
          />
          {seasons.length > 0 && (
            <KeyValue label={t('otherSeasons')}>
              {seasons.map((other) => (
                <span key={other.id} className="block">
                  <Link to={officePaths.student} params={{ id: String(other.id) }}>
                    {other.FYear}
                  </Link>{' '}
                  {translateSentence(other.className)}
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
  one: StudentOne
  shown: boolean
  onShow: (contact: Contact & { version: number }) => void
}

function ShowContact({ one: { student, can }, shown, onShow }: ShowProps) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  if (shown || (student.parentMobile === '' && student.parentEmail === '')) return null
  const { id, version } = student
  const show = () =>
    act(async () => onShow({ ...(await call(showStudentContact, { body: { id } })), version }))
  return (
    <Button
      icon="eye"
      busy={busy}
      disabled={can.contact === true ? undefined : t('mayNotContact')}
      onClick={() => void show()}
    >
      {t('showContact')}
    </Button>
  )
}

function Told({ children, ...props }: Omit<DetailProps, 'unknown'>) {
  const t = words.use()
  return (
    <Detail {...props} unknown={t('unknown')}>
      {children ?? <span className="long">{props.value}</span>}
    </Detail>
  )
}
