import { istDay } from '@podium/contract/season'
import {
  type CheckedStudent,
  type CheckKind,
  getSignOffs,
  type SignOffCheck,
  type SignOffLine,
  type SignOffList,
  type SignOffReason,
} from '@podium/contract/students/calls-sign-off'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, startTransition, useState } from 'react'
import { useFocusBack } from '#shell/focus-back.ts'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'
import './sign-off.css'

type Say = ReturnType<typeof words.use>

/** What concerns the school and not this list stands above all lists. */
const ofSchool: readonly CheckKind[] = ['contact', 'coordinator']

function explainRefusal(t: Say, can: true | SignOffReason, closesOn: string): string | undefined {
  switch (can) {
    case true:
      return undefined
    case 'access.acting':
      return t('whyActing')
    case 'signoff.not_coordinator':
      return t('whyNotCoordinator')
    case 'signoff.no_students':
      return t('whyNoStudents')
    case 'enrolment.season_closed':
      return t('whySeason')
    case 'enrolment.closed':
      return t('whyClosed', { day: dayText(closesOn) })
  }
}

interface ListCardProps {
  list: SignOffList
  onSign: () => void
  onReopen: () => void
}

/** One list: how many, what is missing with the way to mend it, and the button that closes it or opens it again. */
export function ListCard({ list, onSign, onReopen }: ListCardProps) {
  const t = words.use()
  const { subjectName: subject, totalStudent, paidStudent, closesOn, signedOff, canSign, canReopen } = list
  const checks = list.checks.filter(({ kind }) => !ofSchool.includes(kind))
  const over = closesOn < istDay(new Date())
  const [inForce] = list.history
  return (
    <li className="panel pad">
      <div className="who">
        <h2>{translateSentence(subject)}</h2>
        <Badge kind={signedOff ? 'verified' : 'none'} icon={signedOff ? 'lock' : undefined}>
          {t(signedOff ? 'signed' : 'open')}
        </Badge>
      </div>
      <p className="figures">
        <b>{t('students', { n: totalStudent })}</b>
        <span>{t('paid', { n: paidStudent })}</span>
        <span>{over ? t('closed') : t('until', { day: dayText(closesOn) })}</span>
      </p>
      {signedOff && inForce && (
        <p className="quiet">
          {t('since', { by: inForce.signedBy, day: dayText(inForce.signedAt), n: inForce.students })}
          {inForce.students !== totalStudent && (
            <span className="under">{t('changedSince', { n: totalStudent })}</span>
          )}
        </p>
      )}
      {!signedOff && checks.length > 0 && (
        <>
          <h3>{t('missing')}</h3>
          <ul className="checks">
            {checks.map((check) => (
              <CheckLine key={check.kind} check={check} subject={subject} />
            ))}
          </ul>
        </>
      )}
      {!signedOff && checks.length === 0 && (
        <p className="fine">
          <Icon name="check" small /> {t('nothingMissing')}
        </p>
      )}
      <div className="acts">
        {signedOff ? (
          <Button
            icon="undo"
            disabled={explainRefusal(t, canReopen, closesOn)}
            onClick={onReopen}
            aria-label={t('reopenOf', { subject })}
          >
            {t('reopen')}
          </Button>
        ) : (
          <Button
            icon="lock"
            disabled={explainRefusal(t, canSign, closesOn)}
            onClick={onSign}
            aria-label={t('signOffOf', { subject })}
          >
            {t('signOff')}
          </Button>
        )}
      </div>
      {list.history.length > 0 && <History lines={list.history} />}
    </li>
  )
}

function History({ lines }: { lines: readonly SignOffLine[] }) {
  const t = words.use()
  return (
    <details>
      <summary>{t('history', { n: lines.length })}</summary>
      <ol>
        {lines.map((line) => (
          <li key={line.id}>
            {line.reopenedAt && (
              <p>
                {t('lineReopened', {
                  day: dayText(line.reopenedAt),
                  by: line.reopenedBy,
                  reason: line.reason,
                })}
              </p>
            )}
            <p>{t('lineSigned', { day: dayText(line.signedAt), by: line.signedBy, n: line.students })}</p>
            {line.missing.length > 0 && (
              <p className="quiet">
                {t('lineMissing', {
                  what: line.missing.map(({ kind, count: n }) => t(kind, { n })).join(', '),
                })}
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** One thing that is missing: what, for whom, and the link to where it is mended. */
export function CheckLine({ check, subject }: { check: SignOffCheck; subject: string }) {
  const t = words.use()
  const { kind, count: n, students } = check
  const says = t(kind, { n })
  const left = n - students.length
  return (
    <li>
      <Icon name={kind === 'waiting' ? 'clock' : 'warning'} small />
      <div>
        {kind === 'date' && (
          <p>
            {says}. <Link to={paths.examDate}>{t('toDates')}</Link>
          </p>
        )}
        {(kind === 'unpaid' || kind === 'waiting') && (
          <p>
            {says}. <Link to={paths.managePayment}>{t('toPayments')}</Link>
          </p>
        )}
        {students.length > 0 && kind !== 'unpaid' && kind !== 'waiting' && (
          <details>
            <summary>{says}</summary>
            <ul>
              {students.map((one) => (
                <Student key={one.id} one={one} subject={subject} />
              ))}
              {left > 0 && <li className="quiet">{t('more', { n: left })}</li>}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}

/** The child's name leads to the list of students that holds the child alone, where it is changed. */
function Student({ one, subject }: { one: CheckedStudent; subject: string }) {
  const t = words.use()
  const { studentName: name, classId, className, section, rollNo, other } = one
  return (
    <li>
      <Link to={paths.studentEntry} search={{ name, classId, subject }}>
        {name}
      </Link>{' '}
      <span className="quiet">
        {section === '-'
          ? t('placePlain', { className, rollNo })
          : t('place', { className, section, rollNo })}
        {other && `, ${t('like', { other })}`}
      </span>
    </li>
  )
}

const SignDialog = lazy(() => import('./sign-dialog.tsx').then((m) => ({ default: m.SignDialog })))
const ReopenDialog = lazy(() => import('./reopen-dialog.tsx').then((m) => ({ default: m.ReopenDialog })))

interface Opened {
  what: 'sign' | 'reopen'
  list: SignOffList
}

/** The school's lists of the header's season, closed one by one by its coordinator; what is missing stands before. */
export function SignOffPage() {
  const t = words.use()
  const season = useSeason()
  const lists = useEndpoint(getSignOffs, { query: { FYear: season } })
  const [opened, show] = useState<Opened>()
  const focus = useFocusBack()
  const all = lists.data?.data
  const open = (next: Opened) => {
    focus.remember()
    startTransition(() => show(next))
  }
  const close = () => {
    show(undefined)
    focus.goBack()
  }
  const fact = all?.length
    ? t('factSigned', { season, n: all.filter((one) => one.signedOff).length, all: all.length })
    : t('fact', { season })
  return (
    <>
      <PageHeader title={t('title')} fact={fact} />
      {lists.isError && !all && (
        <Panel padded={false}>
          <LoadProblem error={lists.error} retry={() => lists.refetch()} />
        </Panel>
      )}
      {lists.isPending && <Skeleton shape="cards" rows={3} />}
      {all && all.length === 0 && (
        <Panel>
          <EmptyState
            icon="list"
            title={t('emptyTitle')}
            actions={
              <Link to={paths.studentEntry} className={buttonClass('primary')}>
                {t('toStudents')}
              </Link>
            }
          >
            {t('emptyText')}
          </EmptyState>
        </Panel>
      )}
      {all && all.length > 0 && (
        <div className="stack">
          <SchoolNotes lists={all} coordinator={lists.data?.coordinator ?? ''} />
          <ul className="sign-offs" aria-busy={lists.isPlaceholderData || undefined}>
            {all.map((list) => (
              <ListCard
                key={list.eventManagementId}
                list={list}
                onSign={() => open({ what: 'sign', list })}
                onReopen={() => open({ what: 'reopen', list })}
              />
            ))}
          </ul>
        </div>
      )}
      <Suspense>
        {opened?.what === 'sign' && <SignDialog list={opened.list} onClose={close} />}
        {opened?.what === 'reopen' && <ReopenDialog list={opened.list} onClose={close} />}
      </Suspense>
    </>
  )
}

/** What is the same for all lists: what signing means, who may do it, and what the school itself lacks. */
function SchoolNotes({ lists, coordinator }: { lists: readonly SignOffList[]; coordinator: string }) {
  const t = words.use()
  const other = lists.some(({ canSign }) => canSign === 'signoff.not_coordinator')
  const noContact = lists.some(({ checks }) => checks.some(({ kind }) => kind === 'contact'))
  return (
    <>
      <Note>{t('note')}</Note>
      {other && (
        <Note kind="due">
          {coordinator === '' ? t('noCoordinator') : t('onlyCoordinator', { name: coordinator })}{' '}
          {coordinator === '' && <Link to={paths.contactDetails}>{t('contacts')}</Link>}
        </Note>
      )}
      {noContact && (
        <Note kind="due">
          {t('noContact')} <Link to={paths.contactDetails}>{t('toContacts')}</Link>
        </Note>
      )}
    </>
  )
}
