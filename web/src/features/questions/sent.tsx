import { getTeacherQuestions, type TeacherQuestion } from '@podium/contract/questions/calls'
import { dayText } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge, type BadgeKind } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { letters, useNames } from './names.ts'
import { words } from './words.ts'

const signs: Record<TeacherQuestion['status'], BadgeKind> = {
  sent: 'waiting',
  accepted: 'verified',
  declined: 'rejected',
}

/** What the school's teachers have sent in, the newest first, and what became of it. */
export function SentQuestions({ season }: { season: string }) {
  const t = words.use()
  const list = useEndpoint(getTeacherQuestions, { query: { FYear: season } })
  const questions = list.data?.data
  const aside = questions && questions.length > 0 && (
    <span className="quiet">{t('count', { n: questions.length })}</span>
  )
  return (
    <Panel title={t('sentTitle')} aside={aside} padded={false}>
      {questions === undefined && list.isError && (
        <LoadProblem error={list.error} retry={() => list.refetch()} />
      )}
      {questions === undefined && !list.isError && (
        <div className="pad">
          <Skeleton shape="text" rows={6} />
        </div>
      )}
      {questions?.length === 0 && (
        <EmptyState icon="help" title={t('emptyTitle')}>
          {t('empty')}
        </EmptyState>
      )}
      {questions && questions.length > 0 && (
        <ul className="sent-questions" aria-busy={list.isPlaceholderData || undefined}>
          {questions.map((question) => (
            <Sent key={question.id} question={question} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Sent({ question }: { question: TeacherQuestion }) {
  const t = words.use()
  const { classOf } = useNames()
  const place = {
    subject: question.subjectName,
    className: classOf(question.classId),
    chapter: question.chapter,
  }
  return (
    <li>
      <div className="of">
        <Badge kind={signs[question.status]}>{t(question.status)}</Badge>
        <span className="quiet">
          {t('by', { name: question.sentBy, day: dayText(question.creationDate) })}
        </span>
      </div>
      <p className="asked">{question.question}</p>
      <ol>
        {question.options.map((option, index) => {
          const right = question.answer === index + 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the four options never move
            <li key={index} className={right ? 'right' : undefined}>
              <span aria-hidden="true">{letters[index]}</span>
              <span>
                {option}
                {right && <span className="sr"> ({t('rightAnswer')})</span>}
              </span>
              {right && <Icon name="check" small />}
            </li>
          )
        })}
      </ol>
      <p className="quiet">{t('place', place)}</p>
      {question.reason !== '' && <p>{t('reason', { reason: question.reason })}</p>}
    </li>
  )
}
