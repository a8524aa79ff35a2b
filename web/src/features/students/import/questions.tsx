import type { ImportPreview, ImportQuestion } from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { useId } from 'react'
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

/** Rows that may be children who are there, side by side with them; the person says what they are. */
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
        <p className="dk-all">
          <span>{t('allUndecided', { n: open.length })}</span>
          {choices.map((choice) => (
            <Button key={choice} onClick={() => all(choice)}>
              {t(names[choice])}
            </Button>
          ))}
        </p>
      )}
      {questions.slice(0, mostShown).map((one) => (
        <Question key={one.row} question={one} desk={desk} />
      ))}
      {askedCount > mostShown && <p className="hint">{t('questionsMore', { n: askedCount - mostShown })}</p>}
    </div>
  )
}

function Question({ question, desk }: { question: ImportQuestion; desk: Desk }) {
  const t = deskWords.use()
  const group = useId()
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
  return (
    <section className="panel dk-question">
      <table>
        <caption className="sr">{t('choiceOf', { row, name: studentName })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('likeness', { same, of })}</th>
            <th scope="col">{t('inFile', { row })}</th>
            <th scope="col">{other.id > 0 ? t('inSchool') : t('inFileToo', { row: other.row })}</th>
          </tr>
        </thead>
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
      <fieldset>
        <legend className="sr">{t('choiceOf', { row, name: studentName })}</legend>
        {choices.map((one) => (
          <label key={one} className="dk-choice">
            <input type="radio" name={group} checked={choice === one} onChange={() => decide(one)} />
            <span>
              {t(names[one])}
              {one === 'other' && !mayBeOther && <small>{t('needsRollNo')}</small>}
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}
