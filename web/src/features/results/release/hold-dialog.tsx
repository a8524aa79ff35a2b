import type { AnswerOf } from '@podium/contract/endpoint'
import {
  holdResults,
  officeResultEvent,
  officeResultEvents,
  resultHolds,
  unholdResults,
} from '@podium/contract/results/calls-office'
import * as z from 'zod/mini'
import { CallError } from '#shell/call.ts'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useEndpointMutation } from '#shell/query.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { Problem } from '../office-parts.tsx'
import { officeWords } from '../words-office.tsx'

export type Hold = AnswerOf<typeof resultHolds>['data'][number]

const invalidates = [resultHolds, officeResultEvent, officeResultEvents]
const fields = z.pick(holdResults.body, { schCode: true, reason: true })

/** Holds back the results of one school, with a reason that stays in the office. */
export function HoldDialog({ eventYearId, onClose }: { eventYearId: number; onClose: () => void }) {
  const t = officeWords.use()
  const hold = useEndpointMutation(holdResults, { invalidates })
  const f = usePortalForm({
    schema: fields,
    initialValues: { schCode: '', reason: '' },
    save: async ({ schCode, reason }) => {
      const code = schCode.toUpperCase()
      try {
        await hold.mutateAsync({ body: { eventYearId, schCode: code, reason } })
      } catch (cause) {
        if (!(cause instanceof CallError && cause.code === 'not_found')) throw cause
        const message = t('noSuchSchool')
        throw new CallError(message, cause.status, cause.code, [{ path: 'schCode', message }])
      }
      toast.success(t('heldToast', { code }))
      onClose()
    },
  })
  return (
    <FormDialog of={f} onClose={onClose} title={t('holdTitle')} size="small" save={t('holdNow')}>
      <TextField
        label={t('schoolCode')}
        data-autofocus
        key={f.form.key('schCode')}
        {...f.form.getInputProps('schCode')}
      />
      <TextArea
        label={t('reason')}
        hint={t('holdSays')}
        key={f.form.key('reason')}
        {...f.form.getInputProps('reason')}
      />
    </FormDialog>
  )
}

interface LiftProps {
  eventYearId: number
  hold: Hold
  onClose: () => void
}

/** Lets a held school see its results. */
export function LiftDialog({ eventYearId, hold, onClose }: LiftProps) {
  const t = officeWords.use()
  const lift = useEndpointMutation(unholdResults, {
    invalidates,
    onSuccess: () => {
      toast.success(t('liftedToast', { name: hold.schName }))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('liftTitle', { name: hold.schName })}
      action={t('lift')}
      busy={lift.isPending}
      onCancel={onClose}
      onConfirm={() => lift.mutate({ body: { eventYearId, schCode: hold.schCode } })}
    >
      <p>{t('liftSays')}</p>
      <Problem error={lift.error} />
    </ConfirmDialog>
  )
}
