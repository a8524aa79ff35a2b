import { messages } from '@podium/contract/messages'
import { askOfficeWaiver, waiverReason } from '@podium/contract/payments/calls-waivers'
import type { OfficeStudent } from '@podium/contract/students/calls-record'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { proofKinds, useProof } from '#shell/use-proof.ts'
import { FileField } from '#ui/file-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

/** What is typed; `attechment` is the chosen file's name, so what counts is whether there is a file. */
const typedWith = (isChosen: () => boolean) =>
  z.object({
    reason: waiverReason,
    attechment: z.string().check(z.refine(isChosen, messages.evidenceRequired)),
  })

/** Asks that a child's fee be waived; what is typed stays until it is sent. */
export function WaiverDialog({ student, onClose }: { student: OfficeStudent; onClose: () => void }) {
  const t = words.use()
  const proof = useProof()
  const renew = useInvalidate(shownOfStudents)
  const [key] = useState(() => crypto.randomUUID())
  const [schema] = useState(() => typedWith(proof.isChosen))
  const f = usePortalForm({
    schema,
    initialValues: { reason: '', attechment: '' },
    draftKey: `waiver.${student.id}`,
    save: async ({ reason }) => {
      const body = {
        studentId: student.id,
        reason,
        ...(await proof.take(messages.evidenceRequired)),
      }
      await call(askOfficeWaiver, { idempotencyKey: key, body }).finally(renew)
      toast.success(t('waiveDone'))
      onClose()
    },
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('waiveTitle', { name: student.studentName })}
      size="small"
      save={t('ask')}
    >
      <p>{t('waiveSays')}</p>
      <TextArea
        label={t('waiveReason')}
        rows={3}
        data-autofocus
        key={f.form.key('reason')}
        {...f.form.getInputProps('reason')}
      />
      <FileField
        label={t('evidence')}
        accept={proofKinds}
        hint={t('evidenceHint', { n: proof.megabytes })}
        error={f.form.errors.attechment}
        onChange={(file) => void proof.choose(f.form, file)}
        data-path="attechment"
      />
    </FormDialog>
  )
}
