import type { FamilyExam } from '@podium/contract/families/calls'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { words } from './words.ts'

const undecided = ({ examDate, examFrom, firstDate, secondDate }: FamilyExam) =>
  examDate === null && examFrom === null && firstDate !== null && secondDate !== null

/** The olympiads of a child, each with its day: the one chosen, both while none is, or the time online. */
export function Exams({ exams }: { exams: readonly FamilyExam[] }) {
  const t = words.use()
  const when = (exam: FamilyExam) => {
    if (exam.examFrom !== null) {
      const from = new Date(exam.examFrom)
      return t('online', { when: `${formatDay(istDay(from))}, ${istTime(from)}` })
    }
    if (exam.examDate !== null) return formatDay(exam.examDate)
    const [first, second] = [exam.firstDate, exam.secondDate].filter((day) => day !== null).map(formatDay)
    if (first === undefined) return t(exam.examMode === 'Online' ? 'onlineLater' : 'dateLater')
    return second === undefined ? first : t('either', { first, second })
  }
  return (
    <>
      <ul className="exams">
        {exams.map((exam) => (
          <li key={exam.eventLetter}>
            <span>{exam.subjectName}</span>
            <span>{when(exam)}</span>
          </li>
        ))}
      </ul>
      {exams.some(undecided) && <p className="hint">{t('eitherNote')}</p>}
    </>
  )
}
