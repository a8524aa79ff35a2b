import {
  askDataAsSchool,
  requestKinds,
  schoolAskForm,
  schoolDataRequests,
} from '@podium/contract/privacy/calls'
import { getStudentDetails } from '@podium/contract/students/calls'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { classChoices } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import type en from '#words/en/privacy-requests-school.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-requests-school.json'))

const { kind, message, contact } = schoolAskForm.shape

/** Passes a parent's request on: which child, what is asked, and how the foundation can reach the parent. */
export function NewRequestDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const season = useSeason()
  const schema = z.object({
    classId: z.string(),
    studentId: z.string().check(z.minLength(1, t('childRequired'))),
    kind,
    message,
    contact,
  })
  const f = useFormDialog({
    schema,
    initialValues: { classId: '', studentId: '', kind: 'correct' as const, message: '', contact: '' },
    draftKey: 'data-request',
    save: ({ classId: _, studentId, ...values }) =>
      call(askDataAsSchool, { body: { studentId: Number(studentId), ...values } }),
    invalidates: [schoolDataRequests],
    done: t('passed'),
    onClose,
  })
  const chosen = f.form.useWatchValue('kind')
  const classId = f.form.useWatchValue('classId')
  const students = useEndpoint(getStudentDetails, {
    body: { FYear: season, classId: Number(classId) },
    enabled: classId !== '',
  })
  const children = classId === '' || students.isPlaceholderData ? [] : (students.data?.data ?? [])
  const classField = f.form.field('classId')
  return (
    <FormDialog of={f} title={t('passTitle')} size="small" save={t('send')}>
      <SelectField
        label={t('class')}
        empty={t('chooseClass')}
        choices={classChoices()}
        {...classField}
        onChange={(event) => {
          classField.onChange(event)
          f.form.setFieldValue('studentId', '')
        }}
      />
      <SelectField
        label={t('child')}
        empty={t('chooseChild')}
        hint={classId !== '' && students.isSuccess && children.length === 0 ? t('nobody') : undefined}
        choices={children.map((student) => ({
          value: String(student.id),
          label: `${student.studentName}, ${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}, ${student.rollNo}`,
        }))}
        {...f.form.field('studentId')}
      />
      <SelectField
        label={t('kind')}
        hint={t(`hint_${chosen}`)}
        choices={requestKinds.map((value) => ({ value, label: t(value) }))}
        {...f.form.field('kind')}
      />
      <TextArea label={t('details')} hint={t('detailsHint')} rows={3} {...f.form.field('message')} />
      <TextField
        label={t('contact')}
        hint={t('contactHint')}
        optional
        autoComplete="off"
        {...f.form.field('contact')}
      />
    </FormDialog>
  )
}
