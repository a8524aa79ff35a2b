import { optionalText } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import {
  cancelPacket,
  type movedTo,
  movePackets,
  resendPacket,
} from '@podium/contract/shipping/calls-packets'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfDispatch } from '../orders/data.ts'
import { words } from '../words.ts'

export type Step = (typeof movedTo)[number]

const schema = z.object({
  to: z.enum(['In transit', 'Delivered', 'Returned'], messages.reasonRequired),
  remark: optionalText(300),
})

interface MoveDialogProps {
  ids: readonly number[]
  steps: readonly Step[]
  /** Selected ones that stay as they are */
  left?: number
  onClose: () => void
  onDone?: () => void
}

/** Writes the next step of parcels into their track, with a remark that the school reads. */
export function MoveDialog({ ids, steps, left: others = 0, onClose, onDone }: MoveDialogProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfDispatch)
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
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('moveTitle', { n: ids.length })}
      size="small"
      save={t('moveNow')}
    >
      {others > 0 && <Note>{t('othersNotAway', { n: others })}</Note>}
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
    </FormDialog>
  )
}

interface AgainDialogProps {
  packet: { packetId: number; version: number }
  what: 'resend' | 'cancel'
  onClose: () => void
  /** With the id of the new parcel, where there is one */
  onDone: (made: number | undefined) => void
}

/** Sends again what came back, or takes a parcel apart; both with a reason that stands in the track. */
export function AgainDialog({ packet, what, onClose, onDone }: AgainDialogProps) {
  const t = words.use()
  const { packetId, version } = packet
  const act = async (remark: string) => {
    const body = { packetId, version, remark }
    if (what === 'resend') return (await call(resendPacket, { body })).packetId
    await call(cancelPacket, { body })
    return undefined
  }
  return (
    <ReasonDialog
      title={t(`${what}Title`, { id: packetId })}
      says={t(`${what}Says`)}
      rule={resendPacket.body.shape.remark}
      action={t(what)}
      danger={what === 'cancel'}
      back={t('back')}
      draftKey={`${what}.${packetId}`}
      act={act}
      invalidates={shownOfDispatch}
      done={(made) => t(`${what}Done`, { id: made ?? packetId })}
      onDone={(made) => {
        onDone(made)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
