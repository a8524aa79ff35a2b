import { getSubject } from '@podium/contract/catalogue/calls'
import { classes } from '@podium/contract/classes'
import {
  chapters,
  getTeacherQuestions,
  optionNames,
  saveTeacherQuestion,
} from '@podium/contract/questions/calls'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { letters, useNames } from './names.ts'
import { emptyQuestion, nextQuestion, questionSchema } from './values.ts'
import { words } from './words.ts'

/** Class, subject, chapter, question, four options and the right one; after it is sent, the next of the same chapter. */
export function QuestionForm({ season }: { season: string }) {
  const t = words.use()
  const say = useSentences()
  const { classOf } = useNames()
  const client = useQueryClient()
  const f = usePortalForm({
    schema: questionSchema,
    initialValues: emptyQuestion,
    draftKey: `question.${season}`,
    save: async (values) => {
      const { message } = await call(saveTeacherQuestion, { body: { ...values, FYear: season } })
      toast.success(say(message))
      await client.invalidateQueries({ queryKey: [getTeacherQuestions.path] })
      const next = nextQuestion(form.getValues())
      form.setInitialValues(next)
      form.setValues(next)
      form.clearErrors()
      form.resetTouched()
      requestAnimationFrame(() => form.getInputNode('question')?.focus())
    },
  })
  const { form } = f
  const classId = form.useWatchValue('classId')
  const query = { FYear: season, classId }
  const subjects = useEndpoint(getSubject, { query, enabled: classId !== '' })
  // Another class's subjects stay in hand while the new ones load; they are not offered.
  const offered = classId !== '' && !subjects.isPlaceholderData ? (subjects.data?.data ?? []) : []
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  const classField = form.getInputProps('classId')
  return (
    <FormFrame of={f}>
      <div className="grid ask">
        <SelectField
          label={t('class')}
          className="c4"
          choices={classes.map(({ classId: id }) => ({ value: String(id), label: classOf(id) }))}
          empty={t('chooseClass')}
          key={form.key('classId')}
          {...classField}
          onChange={(event) => {
            classField.onChange(event)
            form.setFieldValue('eventLetter', '')
          }}
        />
        <SelectField
          // The chosen subject of a draft stands once its class's subjects are there.
          label={t('subject')}
          className="c4"
          choices={offered.map(({ eventLetter, subjectName }) => ({
            value: eventLetter,
            label: subjectName,
          }))}
          empty={classId === '' ? t('classFirst') : t('chooseSubject')}
          {...form.getInputProps('eventLetter')}
          key={`${form.key('eventLetter')} ${offered.length}`}
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
            key={form.key(name)}
            label={t('option', { letter: letters[index] ?? '' })}
            className="c6"
            autoComplete="off"
            {...form.getInputProps(name)}
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
