import type { ImportPreview, ImportQuestion } from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { type Desk, usePending } from './data.ts'
import { deskWords } from './words.ts'

const mostShown = 50
const choices = ['same', 'other', 'out'] as const
type Choice = (typeof choices)[number]
const names = { same: 'isSame', other: 'isOther', out: 'isOut' } as const

/** Rows that may be children who are there, a line for each pair; the person says what they are. */
export function DeskQuestions({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const { questions, askedCount } = preview
  const open = questions.filter(({ choice }) => choice === '')
  const all = (choice: Choice) =>
    desk.apply({
      choices: open
        .filter(({ mayBeOther }) => choice !== 'other' || mayBeOther)
        .map(({ row }) => ({ row, choice })),
    })
  if (questions.length === 0) {
    return (
      <Panel padded={false}>
        <EmptyState icon="ok" title={t('noQuestions')}>
          {t('noQuestionsText')}
        </EmptyState>
      </Panel>
    )
  }
  return (
    <div className="stack">
      <p>{t('questionsLead')}</p>
      {open.length > 1 && (
        <p className="row">
          <span>{t('allUndecided', { n: open.length })}</span>
          {choices.map((choice) => (
            <Button key={choice} onClick={() => all(choice)}>
              {t(names[choice])}
            </Button>
          ))}
        </p>
      )}
      <ol className="panel dk-questions ruled">
        {questions.slice(0, mostShown).map((one) => (
          <Question key={one.row} question={one} desk={desk} />
        ))}
      </ol>
      {askedCount > mostShown && <p className="hint">{t('questionsMore', { n: askedCount - mostShown })}</p>}
    </div>
  )
}

type Child = Pick<ImportQuestion, 'studentName' | 'className' | 'section' | 'rollNo'>

function Question({ question, desk }: { question: ImportQuestion; desk: Desk }) {
  const t = deskWords.use()
  const { row, studentName, other, facts, same, of, mayBeOther } = question
  const [choice, choose] = usePending(question.choice, desk)
  const decide = (one: Choice) => {
    choose(one)
    desk.apply({ choices: [{ row, choice: one }] })
  }
  const fieldName = (field: string) => {
    const known = rowFields.find((one) => one === field)
    return known ? t(known) : field
  }
  const placeOf = ({ className, section, rollNo }: Child) => {
    const room = translateSentence(className)
    return t('childAt', { place: section === '-' ? room : `${room} ${section}`, roll: rollNo })
  }
  const there = other.id > 0 ? t('inSchool') : t('inFileToo', { row: other.row })
  return (
    <li>
      <div className="dk-pair">
        <p>
          <span className="quiet">{t('row', { row })}</span> <b>{studentName}</b>, {placeOf(question)}
        </p>
        <p>
          <span className="quiet">{there}</span> <b>{other.studentName}</b>, {placeOf(other)}
        </p>
        <details>
          <summary>{t('likeness', { same, of })}</summary>
          <table>
            <caption className="sr">{t('choiceOf', { row, name: studentName })}</caption>
            <tbody>
              {facts.map((fact) => (
                <tr key={fact.field} className={fact.same ? undefined : 'differs'}>
                  <th scope="row">
                    {fieldName(fact.field)}
                    <span className="dk-mark">
                      <Icon name={fact.same ? 'check' : 'warning'} small />{' '}
                      {t(fact.same ? 'sameMark' : 'differs')}
                    </span>
                  </th>
                  <td>{fact.here}</td>
                  <td>{fact.there}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
      <fieldset className="dk-choices row gap-2">
        <legend className="sr">{t('choiceOf', { row, name: studentName })}</legend>
        {choices.map((one) => (
          <Button
            key={one}
            aria-pressed={choice === one}
            title={one === 'other' && !mayBeOther ? t('needsRollNo') : undefined}
            onClick={() => decide(one)}
          >
            {t(names[one])}
          </Button>
        ))}
        {choice === 'other' && !mayBeOther && <small className="quiet">{t('needsRollNo')}</small>}
      </fieldset>
    </li>
  )
}
