import { getSubject } from '@podium/contract/catalogue/calls'
import { classes, className } from '@podium/contract/classes'
import {
  chapters,
  getTeacherQuestions,
  optionNames,
  saveTeacherQuestion,
  type TeacherQuestion,
  withdrawQuestion,
} from '@podium/contract/questions/calls'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { dayText } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge, type BadgeKind } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { letters, QuestionOptions } from './options.tsx'
import { emptyQuestion, nextQuestion, questionSchema, questionValues } from './values.ts'
import './questions.css'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/questions.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/questions.json'))

/** Returns functions that name classes and chapters in the language of the page. */
export function useNames() {
  const t = words.use()
  return {
    classOf: (classId: number) =>
      classId <= 12 ? t('classNo', { n: classId }) : translateSentence(className(classId)),
  }
}

const statusBadges: Record<TeacherQuestion['status'], BadgeKind> = {
  sent: 'waiting',
  accepted: 'verified',
  declined: 'rejected',
}

type WithQuestion = (question: TeacherQuestion) => void

/** The questions the school's teachers have sent, newest first, and what was decided. */
function SentQuestions({ season, onWithdrawn }: { season: string; onWithdrawn: WithQuestion }) {
  const t = words.use()
  const [asking, setAsking] = useState<TeacherQuestion>()
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
            <SentQuestion key={question.id} question={question} onWithdraw={setAsking} />
          ))}
        </ul>
      )}
      {asking && (
        <ConfirmAction
          title={t('withdrawTitle')}
          action={t('withdraw')}
          cancel={t('withdrawBack')}
          act={() => call(withdrawQuestion, { body: { id: asking.id } })}
          invalidates={[getTeacherQuestions]}
          done={t('withdrawDone')}
          onDone={() => {
            setAsking(undefined)
            onWithdrawn(asking)
          }}
          onClose={() => setAsking(undefined)}>
          <p className="as-typed">{asking.question}</p>
          <p className="mt-2">{t('withdrawHint')}</p>
        </ConfirmAction>
      )}
    </Panel>
  )
}

function SentQuestion({ question, onWithdraw }: { question: TeacherQuestion; onWithdraw: WithQuestion }) {
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
        {question.withdrawn ? (
          <Badge kind="inactive">{t('withdrawn')}</Badge>
        ) : (
          <Badge kind={statusBadges[question.status]}>{t(question.status)}</Badge>
        )}
        <span className="quiet">
          {t('by', { name: question.sentBy, day: dayText(question.creationDate) })}
        </span>
      </div>
      <p className="asked">{question.question}</p>
      <QuestionOptions of={question} rightAnswer={t('rightAnswer')} />
      <p className="quiet">{t('place', place)}</p>
      {question.reason !== '' && <p>{t('reason', { reason: question.reason })}</p>}
      {question.status === 'sent' && (
        <div>
          <Button icon="undo" onClick={() => onWithdraw(question)}>
            {t('withdraw')}
          </Button>
        </div>
      )}
    </li>
  )
}

/**
 * Importantlink/teacherquestion: our own form instead of a link to an external one, and what was decided about each
 * question.
 */
export function TeacherQuestionPage() {
  const t = words.use()
  const season = useSeason()
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      <Questions key={season} season={season} />
    </>
  )
}

function Questions({ season }: { season: string }) {
  const t = words.use()
  const [withdrawn, setWithdrawn] = useState<TeacherQuestion>()
  return (
    <div className="two">
      <Panel title={t('send')}>
        <QuestionForm season={season} withdrawn={withdrawn} />
      </Panel>
      <SentQuestions season={season} onWithdrawn={setWithdrawn} />
    </div>
  )
}

/**
 * Class, subject, chapter, question, four options and the right one; after sending, the next question of the same
 * chapter. A question just withdrawn is corrected here, unless another one is being typed.
 */
function QuestionForm({ season, withdrawn }: { season: string; withdrawn: TeacherQuestion | undefined }) {
  const t = words.use()
  const translate = useSentences()
  const { classOf } = useNames()
  const client = useQueryClient()
  const f = usePortalForm({
    schema: questionSchema,
    initialValues: emptyQuestion,
    draftKey: `question.${season}`,
    save: async (values) => {
      const { message } = await call(saveTeacherQuestion, { body: { ...values, FYear: season } })
      toast.success(translate(message))
      const next = nextQuestion(form.getValues())
      form.setInitialValues(next)
      form.setValues(next)
      form.clearErrors()
      form.resetTouched()
      requestAnimationFrame(() => form.getInputNode('question')?.focus())
      void client.invalidateQueries({ queryKey: [getTeacherQuestions.path] })
    },
  })
  const { form } = f
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each withdrawn question
  useEffect(() => {
    if (!withdrawn || form.isDirty()) return
    form.setValues(questionValues(withdrawn))
    requestAnimationFrame(() => form.getInputNode('question')?.focus())
  }, [withdrawn])
  const classId = form.useWatchValue('classId')
  const query = { FYear: season, classId }
  const subjects = useEndpoint(getSubject, { query, enabled: classId !== '' })
  // Another class's subjects stay while the new ones load; they are not offered.
  const offered = classId !== '' && !subjects.isPlaceholderData ? (subjects.data?.data ?? []) : []
  const { field } = form
  const classField = field('classId')
  return (
    <FormFrame of={f}>
      <div className="grid ask">
        <SelectField
          label={t('class')}
          className="c4"
          choices={classes.map(({ classId: id }) => ({ value: String(id), label: classOf(id) }))}
          empty={t('chooseClass')}
          {...classField}
          onChange={(event) => {
            classField.onChange(event)
            form.setFieldValue('eventLetter', '')
          }}
        />
        <SelectField
          label={t('subject')}
          className="c4"
          choices={offered.map(({ eventLetter, subjectName }) => ({
            value: eventLetter,
            label: translateSentence(subjectName),
          }))}
          empty={classId === '' ? t('classFirst') : t('chooseSubject')}
          {...field('eventLetter')}
        />
        <SelectField
          label={t('chapter')}
          className="c4"
          choices={chapters.map((chapter) => ({ value: chapter, label: chapter }))}
          empty={t('chooseChapter')}
          {...field('chapter')}
        />
        {subjects.isError && classId !== '' && (
          <div className="c12">
            <LoadProblem error={subjects.error} retry={() => subjects.refetch()} />
          </div>
        )}
        <TextArea
          label={t('question')}
          className="c12"
          rows={4}
          hint={t('questionHint')}
          {...field('question')}
        />
        {optionNames.map((name, index) => (
          <TextField
            label={t('option', { letter: letters[index] ?? '' })}
            className="c6"
            autoComplete="off"
            key={name}
            {...field(name)}
          />
        ))}
        <div className="c12">
          <RadioField
            label={t('answer')}
            name="answer"
            choices={letters.map((letter, index) => ({ value: String(index + 1), label: letter }))}
            hint={t('answerHint')}
            {...field('answer')}
          />
        </div>
      </div>
      <div className="send-question">
        <Button type="submit" kind="primary" busy={f.saving}>
          {t('sendButton')}
        </Button>
      </div>
    </FormFrame>
  )
}
