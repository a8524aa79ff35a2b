import './questions.css'
import { useSeason } from '#shell/season.ts'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { QuestionForm } from './form.tsx'
import { SentQuestions } from './sent.tsx'
import { words } from './words.ts'

/** Importantlink/teacherquestion: a form of ours in place of the link to an outside one, and what became of each question. */
export function TeacherQuestionPage() {
  const t = words.use()
  const season = useSeason()
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      <div className="two">
        <Panel title={t('send')}>
          <QuestionForm key={season} season={season} />
        </Panel>
        <SentQuestions season={season} />
      </div>
    </>
  )
}
