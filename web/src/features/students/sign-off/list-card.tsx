import { istDay } from '@podium/contract/season'
import type {
  CheckKind,
  SignOffLine,
  SignOffList,
  SignOffReason,
} from '@podium/contract/students/calls-sign-off'
import { dayText } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { CheckLine } from './check-line.tsx'
import { words } from './words.ts'

type Say = ReturnType<typeof words.use>

/** What concerns the school and not this list stands above all lists. */
const ofSchool: readonly CheckKind[] = ['contact', 'coordinator']

function whyNot(t: Say, can: true | SignOffReason, closesOn: string): string | undefined {
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
        <h2>{subject}</h2>
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
            disabled={whyNot(t, canReopen, closesOn)}
            onClick={onReopen}
            aria-label={t('reopenOf', { subject })}
          >
            {t('reopen')}
          </Button>
        ) : (
          <Button
            icon="lock"
            disabled={whyNot(t, canSign, closesOn)}
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
