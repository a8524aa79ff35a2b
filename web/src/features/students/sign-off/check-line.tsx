import type { CheckedStudent, SignOffCheck } from '@podium/contract/students/calls-sign-off'
import { Link } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { Icon } from '#ui/icon.tsx'
import { words } from './words.ts'

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
