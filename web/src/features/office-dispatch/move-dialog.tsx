import { cancelPacket, movePackets, resendPacket } from '@podium/contract/dispatch-packets'
import { optionalText, text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { Step } from './packets-bar.tsx'
import { useRenewDispatch } from './use-due.ts'
import { words } from './words.ts'

const schema = z.object({
  to: z.enum(['In transit', 'Delivered', 'Returned'], messages.reasonRequired),
  remark: optionalText(300),
})

interface MoveDialogProps {
  ids: readonly number[]
  steps: readonly Step[]
  onClose: () => void
  onDone?: () => void
}

/** Writes the next step of parcels into their track, with a remark that the school reads. */
export function MoveDialog({ ids, steps, onClose, onDone }: MoveDialogProps) {
  const t = words.use()
  const renew = useRenewDispatch()
  const f = usePortalForm({
    schema,
    initialValues: { to: steps[0] ?? 'In transit', remark: '' },
    save: async ({ to, remark }) => {
      const { moved, left } = await call(movePackets, { body: { ids: [...ids], to, remark } }).finally(renew)
      toast.success(left > 0 ? t('movedSome', { n: moved, left }) : t('moved', { n: moved }))
      onDone?.()
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('moveTitle', { n: ids.length })} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <RadioField
              label={t('step')}
              name="to"
              choices={steps.map((step) => ({ value: step, label: t(step) }))}
              key={f.form.key('to')}
              {...f.form.getInputProps('to')}
            />
            <TextArea
              label={t('remark')}
              hint={t('remarkHint')}
              optional
              rows={2}
              key={f.form.key('remark')}
              {...f.form.getInputProps('remark')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('abort')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('moveNow')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

interface AgainDialogProps {
  packet: { packetId: number; version: number }
  what: 'resend' | 'cancel'
  onClose: () => void
  /** With the id of the new parcel, where there is one */
  onDone: (made: number | undefined) => void
}

const reason = z.object({ remark: text(messages.reasonRequired, 300) })

/** Sends again what came back, or takes a parcel apart; both with a reason that stands in the track. */
export function AgainDialog({ packet, what, onClose, onDone }: AgainDialogProps) {
  const t = words.use()
  const renew = useRenewDispatch()
  const { packetId, version } = packet
  const f = usePortalForm({
    schema: reason,
    initialValues: { remark: '' },
    draftKey: `${what}.${packetId}`,
    save: async ({ remark }) => {
      const body = { packetId, version, remark }
      if (what === 'cancel') {
        await call(cancelPacket, { body }).finally(renew)
        toast.success(t('cancelDone', { id: packetId }))
        onDone(undefined)
      } else {
        const made = await call(resendPacket, { body }).finally(renew)
        toast.success(t('resendDone', { id: made.packetId }))
        onDone(made.packetId)
      }
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t(`${what}Title`, { id: packetId })} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t(`${what}Says`)}</p>
            <TextArea
              label={t('reason')}
              rows={3}
              data-autofocus
              key={f.form.key('remark')}
              {...f.form.getInputProps('remark')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('back')}</Button>
          <Button type="submit" kind={what === 'cancel' ? 'danger-filled' : 'primary'} busy={f.saving}>
            {t(what)}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
