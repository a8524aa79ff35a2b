import { istDay } from '@podium/contract/season'
import {
  type CheckedStudent,
  type CheckKind,
  getSignOffs,
  type ListedStudent,
  type SignOffCheck,
  type SignOffLine,
  type SignOffList,
  type SignOffReason,
} from '@podium/contract/students/calls-sign-off'
import { Link } from '@tanstack/react-router'
import { Suspense, startTransition, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import './sign-off.css'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-sign-off.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/students-sign-off.json'))

type T = ReturnType<typeof words.use>

/** Checks that concern the school, not one list, are shown above all lists. */
const ofSchool: readonly CheckKind[] = ['contact', 'coordinator']

function explainRefusal(t: T, can: true | SignOffReason, closesOn: string): string | undefined {
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

const pointsOf = ({ checks }: SignOffList) => checks.filter(({ kind }) => !ofSchool.includes(kind))
const keyOf = ({ eventManagementId }: SignOffList) => String(eventManagementId)
const canSign = (list: SignOffList) => !list.signedOff && list.canSign === true

/** What is open in a list with links to correct it, or who signed it off; the history below. */
function ListDetails({ list }: { list: SignOffList }) {
  const t = words.use()
  const { subjectName: subject, totalStudent, signedOff, history } = list
  const [inForce] = history
  const checks = pointsOf(list)
  return (
    <div className="points stack gap-2">
      {signedOff && inForce && (
        <p>
          {t('since', { by: inForce.signedBy, day: dayText(inForce.signedAt), n: inForce.students })}
          {inForce.students !== totalStudent && (
            <span className="under">{t('changedSince', { n: totalStudent })}</span>
          )}
        </p>
      )}
      {!signedOff && checks.length > 0 && (
        <ul className="checks">
          {checks.map((check) => (
            <CheckLine key={check.kind} check={check} subject={subject} />
          ))}
        </ul>
      )}
      {!signedOff && checks.length === 0 && (
        <p className="fine">
          <Icon name="check" small /> {t('nothingMissing')}
        </p>
      )}
      {history.length > 0 && <History lines={history} />}
    </div>
  )
}

interface ListsProps {
  lists: readonly SignOffList[]
  stale: boolean
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onSign: (lists: readonly SignOffList[]) => void
  onReopen: (list: SignOffList) => void
}

/** The lists, one per line; those that can be signed off have a checkbox. */
function ListsTable({ lists, stale, selected, onSelect, onSign, onReopen }: ListsProps) {
  const t = words.use()
  const today = istDay(new Date())
  const chosen = lists.filter((list) => canSign(list) && selected.has(keyOf(list)))
  const columns: Column<SignOffList>[] = columnsOf(t, [
    { key: 'subject', title: true, cell: ({ subjectName }) => translateSentence(subjectName) },
    { key: 'studentsHead', num: true, cell: ({ totalStudent }) => count(totalStudent) },
    { key: 'paidHead', num: true, cell: ({ paidStudent }) => count(paidStudent) },
    {
      key: 'closesHead',
      cell: ({ closesOn }) => (
        <span className="nowrap">{closesOn < today ? t('closed') : dayText(closesOn)}</span>
      ),
    },
    { key: 'missing', card: 'wide', cell: (list) => <ListDetails list={list} /> },
    {
      key: 'state',
      card: 'wide',
      cell: ({ signedOff }) => (
        <Badge kind={signedOff ? 'verified' : 'none'} icon={signedOff ? 'lock' : undefined}>
          {t(signedOff ? 'signed' : 'open')}
        </Badge>
      ),
    },
    {
      key: 'signOff',
      act: true,
      cell: (list) => {
        const { signedOff, closesOn } = list
        const subject = translateSentence(list.subjectName)
        return signedOff ? (
          <Button
            icon="undo"
            disabled={explainRefusal(t, list.canReopen, closesOn)}
            onClick={() => onReopen(list)}
            aria-label={t('reopenOf', { subject })}>
            {t('reopen')}
          </Button>
        ) : (
          <Button
            icon="lock"
            disabled={explainRefusal(t, list.canSign, closesOn)}
            onClick={() => onSign([list])}
            aria-label={t('signOffOf', { subject })}>
            {t('signOff')}
          </Button>
        )
      },
    },
  ])
  return (
    <DataTable<SignOffList>
      caption={t('title')}
      className="sign-offs"
      columns={columns}
      rows={lists}
      rowKey={keyOf}
      stale={stale}
      {...(lists.some(canSign) && {
        selection: {
          selected,
          onChange: onSelect,
          selectable: canSign,
          name: ({ subjectName }) => translateSentence(subjectName),
        },
      })}
      bulk={
        <>
          <b>{t('chosen', { n: chosen.length })}</b>
          <Button kind="primary" icon="lock" disabled={chosen.length === 0} onClick={() => onSign(chosen)}>
            {t('signOff')}
          </Button>
          <Button kind="text" onClick={() => onSelect(new Set())}>
            {t('clear')}
          </Button>
        </>
      }
    />
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

/** One thing that is missing: what, for whom, and a link to where it can be corrected. */
function CheckLine({ check, subject }: { check: SignOffCheck; subject: string }) {
  const t = words.use()
  const { kind, count: n, students } = check
  const checkText = t(kind, { n })
  const moreCount = n - students.length
  return (
    <li>
      <Icon name={kind === 'waiting' ? 'clock' : 'warning'} small />
      <div>
        {kind === 'date' && (
          <p>
            {checkText} · <Link to={paths.examDate}>{t('toDates')}</Link>
          </p>
        )}
        {(kind === 'unpaid' || kind === 'waiting') && (
          <p>
            {checkText} · <Link to={paths.managePayment}>{t('toPayments')}</Link>
          </p>
        )}
        {students.length > 0 && kind !== 'unpaid' && kind !== 'waiting' && (
          <details>
            <summary>{checkText}</summary>
            <ul>
              {students.map((student) => (
                <Student key={student.id} student={student} subject={subject} />
              ))}
              {moreCount > 0 && <li className="quiet">{t('more', { n: moreCount })}</li>}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}

/** The student's name links to the list of students, filtered to this student, where it can be changed. */
function Student({ student, subject }: { student: CheckedStudent; subject: string }) {
  const t = words.use()
  const { studentName: name, classId, other: otherStudent } = student
  const place = ({ className, section, rollNo }: ListedStudent) =>
    t(section === '-' ? 'placePlain' : 'place', { className, section, rollNo })
  return (
    <li>
      <Link to={paths.studentEntry} search={{ name, classId, subject }}>
        {name}
      </Link>{' '}
      <span className="quiet">
        {place(student)}
        {otherStudent && `, ${t('like', { other: `${otherStudent.studentName}, ${place(otherStudent)}` })}`}
      </span>
    </li>
  )
}

const SignDialog = lazyPart(() => import('./dialogs.tsx'), 'SignDialog')
const ReopenDialog = lazyPart(() => import('./dialogs.tsx'), 'ReopenDialog')

/**
 * The school's lists of the season in the header. The coordinator signs them off, several at once if nothing is open.
 */
export function SignOffPage() {
  const t = words.use()
  const season = useSeason()
  const lists = useEndpoint(getSignOffs, { query: { FYear: season } })
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [signing, showSigning] = useState<readonly SignOffList[]>()
  const [reopening, showReopening] = useState<SignOffList>()
  const all = lists.data?.data
  const ready = (all ?? []).filter((list) => canSign(list) && pointsOf(list).length === 0)
  const close = () => {
    showSigning(undefined)
    showReopening(undefined)
  }
  const fact = all?.length
    ? t('factSigned', { season, n: all.filter((list) => list.signedOff).length, all: all.length })
    : t('fact', { season })
  return (
    <>
      <PageHeader title={t('title')} fact={fact}>
        {ready.length > 0 && (
          <Button kind="primary" icon="lock" onClick={() => startTransition(() => showSigning(ready))}>
            {t('signReady', { n: ready.length })}
          </Button>
        )}
      </PageHeader>
      {lists.isError && !all && <PanelProblem error={lists.error} retry={() => lists.refetch()} />}
      {lists.isPending && <Skeleton shape="table" rows={6} />}
      {all && all.length === 0 && (
        <Panel>
          <EmptyState
            icon="list"
            title={t('emptyTitle')}
            actions={
              <Link to={paths.studentEntry} className={buttonClass('primary')}>
                {t('toStudents')}
              </Link>
            }>
            {t('emptyText')}
          </EmptyState>
        </Panel>
      )}
      {all && all.length > 0 && (
        <div className="stack">
          <SchoolNotes lists={all} coordinator={lists.data?.coordinator ?? ''} />
          <ListsTable
            lists={all}
            stale={lists.isPlaceholderData}
            selected={selected}
            onSelect={select}
            onSign={(chosen) => startTransition(() => showSigning(chosen))}
            onReopen={(list) => startTransition(() => showReopening(list))}
          />
        </div>
      )}
      <Suspense>
        {signing && (
          <SignDialog
            rows={signing}
            name={lists.data?.coordinator ?? ''}
            onClose={close}
            onDone={() => select(new Set())}
          />
        )}
        {reopening && <ReopenDialog list={reopening} onClose={close} />}
      </Suspense>
    </>
  )
}

/** What applies to all lists: what signing off means, who may do it, and what the school itself is missing. */
function SchoolNotes({ lists, coordinator }: { lists: readonly SignOffList[]; coordinator: string }) {
  const t = words.use()
  const hasOtherCoordinator = lists.some(({ canSign }) => canSign === 'signoff.not_coordinator')
  const noContact = lists.some(({ checks }) => checks.some(({ kind }) => kind === 'contact'))
  return (
    <>
      <Note>{t('note')}</Note>
      {hasOtherCoordinator && (
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
