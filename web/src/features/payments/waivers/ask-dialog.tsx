import { messages } from '@podium/contract/messages'
import { askWaiver, schoolWaivers, waiverReason } from '@podium/contract/payments/calls-waivers'
import { getStudentDetails, studentState } from '@podium/contract/students/calls'
import { useState } from 'react'
import * as z from 'zod/mini'
import { callOnce } from '#shell/call-once.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { defineWords } from '#shell/language/words.ts'
import { classChoices } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { proofKinds, useProof } from '#shell/use-proof.ts'
import { FileField } from '#ui/file-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import type en from '#words/en/payments-waivers.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers.json'))

/** The schema of the form. `attechment` is only the file's name, so the check is about the file chosen. */
const buildSchema = (fileCheck: z.core.$ZodCheck<string>) =>
  z.object({
    classId: z.string(),
    studentId: z.string().check(z.minLength(1, messages.waiverStudentRequired)),
    reason: waiverReason,
    attechment: z.string().check(fileCheck),
  })

/** Requests a waiver of a student's registration fee. */
export function WaiverDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const proof = useProof()
  const season = useSeason()
  const [key] = useState(() => crypto.randomUUID())
  const [schema] = useState(() => buildSchema(proof.check(messages.evidenceRequired)))
  const f = useFormDialog({
    schema,
    initialValues: { classId: '', studentId: '', reason: '', attechment: '' },
    save: async ({ studentId, reason }) => {
      const body = { studentId: Number(studentId), reason, ...(await proof.take(messages.evidenceRequired)) }
      return callOnce(askWaiver, { idempotencyKey: key, body })
    },
    invalidates: [schoolWaivers],
    done: t('done'),
    onClose,
  })
  const classId = f.form.useWatchValue('classId')
  const students = useEndpoint(getStudentDetails, {
    body: { FYear: season, classId: Number(classId) },
    enabled: classId !== '',
  })
  const due = (students.data?.data ?? []).filter(
    (row) => row.classId === Number(classId) && studentState(row) === 'unpaid',
  )
  const classField = f.form.field('classId')
  const section = (name: string) => (name === '-' ? '' : `${name} · `)
  return (
    <FormDialog of={f} title={t('dialogTitle')} save={t('ask')} asksBeforeLeaving>
      <div className="grid">
        <div className="c12">{t('description')}</div>
        <SelectField
          label={t('class')}
          className="c4"
          empty={t('choose')}
          data-autofocus
          choices={classChoices()}
          {...classField}
          onChange={(event) => {
            classField.onChange(event)
            f.form.setFieldValue('studentId', '')
          }}
        />
        <SelectField
          label={t('student')}
          className="c8"
          empty={classId !== '' && students.data && due.length === 0 ? t('nobodyDue') : t('choose')}
          choices={due.map((item) => ({
            value: String(item.id),
            label: `${section(item.section)}${item.rollNo} · ${item.studentName}`,
          }))}
          {...f.form.field('studentId')}
        />
        <TextArea
          label={t('reason')}
          className="c12"
          rows={3}
          hint={t('reasonHint')}
          {...f.form.field('reason')}
        />
        <FileField
          label={t('evidence')}
          className="c12"
          accept={proofKinds}
          hint={t('evidenceHint', { n: proof.megabytes })}
          error={f.form.errors.attechment}
          onChange={(file) => void proof.choose(f.form, file)}
          data-path="attechment"
        />
      </div>
    </FormDialog>
  )
}
