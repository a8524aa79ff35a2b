import type { AnswerOf } from '@podium/contract/endpoint'
import { officeSchool } from '@podium/contract/schools-record'
import { officeSchools, type RegisterRow } from '@podium/contract/schools-register'
import { setSchoolsStanding } from '@podium/contract/schools-write'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { type SeveralProps, useSeveral } from '#shell/several.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { words } from './words.ts'

interface DialogProps extends SeveralProps<RegisterRow> {
  /** What they are to be */
  active: boolean
}
type Done = AnswerOf<typeof setSchoolsStanding>['done']

/** Switches the schools that are marked off, or on again, all for one reason; says what is left and why. */
export function StandingManyDialog(props: DialogProps) {
  const { active, onClose } = props
  const t = words.use()
  const { asked, act, outcome, end } = useSeveral(props, {
    renews: [officeSchools, officeSchool],
    said: (done: Done) => t(active ? 'onDoneMany' : 'offDoneMany', { n: done.length }),
  })
  const f = usePortalForm({
    schema: z.object({ reason: setSchoolsStanding.body.shape.reason }),
    initialValues: { reason: '' },
    save: ({ reason }) => {
      const body = { schools: asked.map(({ id, version }) => ({ id, version })), active, reason }
      return act((idempotencyKey) => call(setSchoolsStanding, { body, idempotencyKey }))
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
