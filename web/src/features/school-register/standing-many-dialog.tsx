import type { AnswerOf } from '@podium/contract/endpoint'
import { officeSchool } from '@podium/contract/schools-record'
import { officeSchools, type RegisterRow } from '@podium/contract/schools-register'
import { setSchoolsStanding } from '@podium/contract/schools-write'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

interface DialogProps {
  rows: readonly RegisterRow[]
  /** What they are to be */
  active: boolean
  onClose: () => void
  /** Nothing is marked any more. */
  onDone: () => void
}

/** Switches the schools that are marked off, or on again, all for one reason; says what is left and why. */
export function StandingManyDialog({ rows, active, onClose, onDone }: DialogProps) {
  const t = words.use()
  const client = useQueryClient()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [outcome, setOutcome] = useState<AnswerOf<typeof setSchoolsStanding>>()
  const end = () => {
    onDone()
    onClose()
  }
  const f = usePortalForm({
    schema: z.object({ reason: setSchoolsStanding.body.shape.reason }),
    initialValues: { reason: '' },
    save: async ({ reason }) => {
      const schools = asked.map(({ id, version }) => ({ id, version }))
      const answer = await call(setSchoolsStanding, {
        body: { schools, active, reason },
        idempotencyKey: key,
      })
      for (const { path } of [officeSchools, officeSchool])
        void client.invalidateQueries({ queryKey: [path] })
      if (answer.refused.length > 0) setOutcome(answer)
      else {
        toast.success(t(active ? 'onDoneMany' : 'offDoneMany', { n: answer.done.length }))
        end()
      }
    },
  })
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAll')}
        says={t('notAllSays', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => {
          const school = asked.find((one) => one.id === id)
          return school ? `${school.schName} (${school.schCode})` : String(id)
        }}
        understood={t('understood')}
        onClose={end}
      />
    )
  const people = asked.reduce((sum, { staff }) => sum + staff, 0)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(active ? 'onTitleMany' : 'offTitleMany', { n: asked.length })}
      size="small"
    >
      <FormFrame of={f}>
        <DialogBody>
          <div className="stack">
            <p>{t(active ? 'onSaysMany' : 'offSaysMany', { people: count(people) })}</p>
            <TextArea
              label={t('reason')}
              rows={3}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={active ? 'primary' : 'danger-filled'} busy={f.saving}>
            {t(active ? 'switchOn' : 'switchOff')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
