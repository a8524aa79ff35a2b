import { addEvent, addedEvent, type SubjectToAdd, subjectsToAdd } from '@podium/contract/catalogue/calls-add'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'
import { addWords } from './words-add.ts'

const fresh = 'new'

const schema = z.pipe(
  z.transform(({ subject, eventLetter, examLevel, ...typed }: Typed) => ({
    ...typed,
    eventLetter: subject === fresh ? eventLetter.trim().toUpperCase() : subject,
    examLevel: Number(examLevel),
  })),
  z.object({ ...addedEvent, subjectNameHi: z.string().check(z.maxLength(60, 'At most 60 characters.')) }),
)

interface Typed extends Record<string, unknown> {
  subject: string
  eventLetter: string
  subjectName: string
  subjectNameHi: string
  littleStar: boolean
  examLevel: string
  examMode: string
  closesOn: string
  firstDate: string
  secondDate: string
  maximumMarks: number | ''
}

const empty: Typed = {
  subject: '',
  eventLetter: '',
  subjectName: '',
  subjectNameHi: '',
  littleStar: false,
  examLevel: '1',
  examMode: 'Offline',
  closesOn: '',
  firstDate: '',
  secondDate: '',
  maximumMarks: 60,
}

interface Props {
  FYear: string
  onClose: () => void
}

/** Puts an event into a season by hand: another subject, a new one, or a further level. */
export function AddDialog({ FYear, onClose }: Props) {
  const t = addWords.use()
  const { data, error, refetch } = useEndpoint(subjectsToAdd, { query: { FYear } })
  return (
    <Dialog opened onClose={onClose} title={t('title', { season: FYear })}>
      {error && !data ? (
        <DialogBody>
          <LoadProblem error={error} retry={refetch} />
        </DialogBody>
      ) : data ? (
        <AddForm FYear={FYear} subjects={data.data} onClose={onClose} />
      ) : (
        <DialogBody>
          <Skeleton shape="form" />
        </DialogBody>
      )}
    </Dialog>
  )
}

function AddForm({ FYear, subjects, onClose }: Props & { subjects: readonly SubjectToAdd[] }) {
  const t = addWords.use()
  const w = words.use()
  const renew = useInvalidate(shownOfCatalogue)
  const navigate = useNavigate()
  const f = usePortalForm({
    schema,
    initialValues: empty,
    draftKey: `event.add.${FYear}`,
    save: async (values) => {
      const { eventYearId } = await call(addEvent, { body: { FYear, ...values } })
      toast.success(t('added'))
      f.draft.drop()
      f.form.resetDirty()
      await navigate({ to: officePaths.catalogueEvent, params: { eventYearId: String(eventYearId) } })
      void renew()
    },
  })
  const { form } = f
  const subject = form.useWatchValue('subject') as string
  const level = Number(form.useWatchValue('examLevel'))
  const known = subjects.find(({ eventLetter }) => eventLetter === subject)
  const before = known?.before.find(({ examLevel }) => examLevel === level)
  const field = (name: string) => ({ key: form.key(name), ...form.getInputProps(name) })
  const choices = [
    ...subjects.map(({ eventLetter, subjectName }) => ({ value: eventLetter, label: subjectName })),
    { value: fresh, label: t('fresh') },
  ]
  return (
    <FormFrame of={f} asksBeforeLeaving={false}>
      <DialogBody>
        <div className="grid">
          <SelectField
            label={t('subject')}
            className="c6"
            empty={t('choose')}
            choices={choices}
            {...field('subject')}
            error={form.errors.subject ?? (subject === fresh ? undefined : form.errors.eventLetter)}
          />
          <SelectField
            label={t('level')}
            className="c3"
            choices={['1', '2', '3'].map((value) => ({ value, label: value }))}
            {...field('examLevel')}
          />
          <SelectField
            label={w('mode')}
            className="c3"
            choices={(['Offline', 'Online'] as const).map((value) => ({ value, label: w(value) }))}
            {...field('examMode')}
          />
          {subject === fresh && (
            <>
              <TextField label={t('letter')} className="c4" maxLength={1} {...field('eventLetter')} />
              <TextField label={t('name')} className="c4" maxLength={60} {...field('subjectName')} />
              <TextField label={w('nameHi')} className="c4" optional lang="hi" {...field('subjectNameHi')} />
              <CheckField
                label={t('littleStar')}
                className="c12"
                key={form.key('littleStar')}
                {...form.getInputProps('littleStar', { type: 'checkbox' })}
              />
            </>
          )}
          <DateField label={w('closesOn')} className="c3" {...field('closesOn')} />
          <DateField label={w('firstDate')} className="c3" {...field('firstDate')} />
          <DateField label={w('secondDate')} className="c3" {...field('secondDate')} />
          {!before && <NumberField label={t('marks')} className="c3" {...field('maximumMarks')} />}
        </div>
        <Note>
          <p>{before ? t('takes', { season: before.FYear }) : t('begins')}</p>
          {level > 1 && <p>{t('further', { n: level })}</p>}
        </Note>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button type="submit" kind="primary" busy={f.saving}>
          {t('add')}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}
