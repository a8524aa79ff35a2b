import { optionalText } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import {
  addressLabels,
  cancelPacket,
  dispatchPackets,
  movePackets,
  type moveStatuses,
  officeCouriers,
  officePacket,
  officePackets,
  resendPacket,
  savePacketCourier,
} from '@podium/contract/shipping/calls-packets'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { FormDialog, ListProblem, useAsOpened, useFormDialog } from '#shell/form-dialog.tsx'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { dispatchCalls, useUndoMove, words } from '../data.tsx'

const sendSchema = z.object({
  courierId: z.string().check(z.minLength(1, messages.courierRequired)),
  consignmentNo: optionalText(60),
  weightGrams: z.union(
    [
      z.literal(''),
      z
        .int(messages.weightWhole)
        .check(z.minimum(1, messages.weightWhole), z.maximum(100_000, messages.weightWhole)),
    ],
    messages.weightWhole,
  ),
  remark: optionalText(300),
})

/** Details of a parcel that has been handed over, to be corrected. */
interface ParcelFacts {
  packetId: number
  version: number
  courierId: number | null
  consignmentNo: string
  weightGrams: number | null
}

interface SendDialogProps {
  ids: readonly number[]
  known?: ParcelFacts
  /** Selected ones that stay as they are */
  left?: number
  onClose: () => void
  onDone?: () => void
}

/** Hands parcels to a courier, or corrects the details of one. Number and weight are only for a single parcel. */
export function SendDialog({ ids, known: shown, left: others = 0, onClose, onDone }: SendDialogProps) {
  const t = words.use()
  const known = useAsOpened(shown)
  const list = useEndpoint(officeCouriers)
  const couriers = list.data?.data ?? []
  const isSingle = ids.length === 1
  const f = useFormDialog({
    schema: sendSchema,
    initialValues: {
      courierId: known?.courierId ? String(known.courierId) : '',
      consignmentNo: known?.consignmentNo ?? '',
      weightGrams: known?.weightGrams ?? ('' as number | ''),
      remark: '',
    },
    draftKey: `send.${known ? `${known.packetId}.${known.version}` : ids.join('.').slice(0, 60)}`,
    save: async (values) => {
      const consignment = {
        courierId: Number(values.courierId),
        consignmentNo: values.consignmentNo,
        weightGrams: values.weightGrams === '' ? null : values.weightGrams,
      }
      if (known) {
        const { packetId, version } = known
        await call(savePacketCourier, { body: { packetId, version, ...consignment } })
        return t('saved')
      }
      const body = { ids: [...ids], ...consignment, remark: values.remark }
      const { moved, left } = await call(dispatchPackets, { body })
      return left > 0 ? t('sentSome', { n: moved, left }) : t('sent', { n: moved })
    },
    invalidates: dispatchCalls,
    done: (saved) => saved,
    onDone: () => {
      onDone?.()
      onClose()
    },
    onClose,
  })
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={known ? t('courierDetails') : t('sendTitle', { n: ids.length })}
      size="small"
      save={known ? t('save') : t('sendNow', { n: ids.length })}>
      {!known && <p className="quiet">{t('sendHint')}</p>}
      {others > 0 && <Note>{t('othersNotPacked', { n: others })}</Note>}
      <SelectField
        label={t('courier')}
        empty={t('chooseCourier')}
        choices={couriers
          .filter(({ active, courierId }) => active || courierId === known?.courierId)
          .map(({ courierId, name }) => ({ value: String(courierId), label: name }))}
        {...field('courierId')}
      />
      <ListProblem error={list.data ? null : list.error} retry={list.refetch} />
      {isSingle ? (
        <>
          <TextField label={t('consignmentNo')} optional {...field('consignmentNo')} />
          <NumberField label={t('weightGrams')} optional {...field('weightGrams')} />
        </>
      ) : (
        <Note kind="info">{t('numbersLater')}</Note>
      )}
      {!known && <TextArea label={t('remark')} optional rows={2} {...field('remark')} />}
    </FormDialog>
  )
}

/** The eight labels of a sheet. A partly used sheet is continued from the chosen one. */
const places = [0, 1, 2, 3, 4, 5, 6, 7]

export function LabelsDialog({ body, n, onClose }: { body: object; n: number; onClose: () => void }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<string>()
  const [first, setFirst] = useState(0)
  const invalidate = useInvalidate([officePacket, officePackets])
  const print = async () => {
    if (!(await fetchFile('labels', addressLabels, { body: { ...body, first } }))) return
    // A packed parcel takes its school's new address with the label.
    void invalidate()
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('labelsTitle', { n })} size="small">
      <DialogBody>
        <div className="stack">
          <p>{t('labelsHint')}</p>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can not be a grid everywhere */}
          <div className="od-sheet" role="group" aria-label={t('firstLabel')}>
            {places.map((place) => (
              <button
                key={place}
                type="button"
                className={place < first ? 'used' : undefined}
                aria-pressed={place === first}
                aria-label={t('labelPlace', { n: place + 1 })}
                onClick={() => setFirst(place)}>
                {place + 1}
              </button>
            ))}
          </div>
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button kind="primary" icon="print" busy={busy !== undefined} onClick={() => void print()}>
          {t('labelsNow')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

export type Step = (typeof moveStatuses)[number]

const moveSchema = z.object({
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

/** Adds the next step to the tracking of parcels, with a remark that the school reads. */
export function MoveDialog({ ids, steps, left: others = 0, onClose, onDone }: MoveDialogProps) {
  const t = words.use()
  const undoOf = useUndoMove()
  const f = useFormDialog({
    schema: moveSchema,
    initialValues: { to: steps[0] ?? 'In transit', remark: '' },
    save: ({ to, remark }) => call(movePackets, { body: { ids: [...ids], to, remark } }),
    invalidates: dispatchCalls,
    onDone: ({ moved, left, packets }) => {
      const message = left > 0 ? t('movedSome', { n: moved, left }) : t('moved', { n: moved })
      toast.success(message, undoOf(packets))
      onDone?.()
      onClose()
    },
    onClose,
  })
  return (
    <FormDialog of={f} title={t('moveTitle', { n: ids.length })} size="small" save={t('moveNow')}>
      {others > 0 && <Note>{t('othersNotDispatched', { n: others })}</Note>}
      <RadioField
        label={t('step')}
        name="to"
        choices={steps.map((step) => ({ value: step, label: t(step) }))}
        {...f.form.field('to')}
      />
      <TextArea label={t('remark')} hint={t('remarkHint')} optional rows={2} {...f.form.field('remark')} />
    </FormDialog>
  )
}

interface ResendOrCancelProps {
  packet: { packetId: number; version: number }
  action: 'resend' | 'cancel'
  onClose: () => void
  /** Receives the id of the new parcel, if any */
  onDone: (made: number | undefined) => void
}

/** Resends a returned parcel, or cancels a parcel. The reason is saved in the tracking. */
export function ResendOrCancelDialog({ packet, action, onClose, onDone }: ResendOrCancelProps) {
  const t = words.use()
  const { packetId, version } = packet
  const act = async (remark: string) => {
    const body = { packetId, version, remark }
    if (action === 'resend') return (await call(resendPacket, { body })).packetId
    await call(cancelPacket, { body })
    return undefined
  }
  return (
    <ReasonDialog
      title={t(`${action}Title`, { id: packetId })}
      description={t(`${action}Hint`)}
      rule={resendPacket.body.shape.remark}
      action={t(action)}
      danger={action === 'cancel'}
      back={t('back')}
      draftKey={`${action}.${packetId}`}
      act={act}
      invalidates={dispatchCalls}
      done={(made) => t(`${action}Done`, { id: made ?? packetId })}
      onDone={(made) => {
        onDone(made)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
