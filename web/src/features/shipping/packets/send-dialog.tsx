import { optionalText } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { dispatchPackets, officeCouriers, savePacketCourier } from '@podium/contract/shipping/calls-packets'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfDispatch } from '../orders/data.ts'
import { words } from '../words.ts'

const schema = z.object({
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

/** A parcel that has been handed over already, whose details are corrected. */
interface Known {
  packetId: number
  version: number
  courierId: number | null
  consignmentNo: string
  weightGrams: number | null
}

interface SendDialogProps {
  ids: readonly number[]
  known?: Known
  /** Selected ones that stay as they are */
  left?: number
  onClose: () => void
  onDone?: () => void
}

/** Hands parcels to a courier, or corrects what is known of one that was. Number and weight belong to one parcel. */
export function SendDialog({ ids, known, left: others = 0, onClose, onDone }: SendDialogProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfDispatch)
  const couriers = useEndpoint(officeCouriers).data?.data ?? []
  const one = ids.length === 1
  const f = usePortalForm({
    schema,
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
        await call(savePacketCourier, { body: { packetId, version, ...consignment } }).finally(renew)
        toast.success(t('saved'))
      } else {
        const body = { ids: [...ids], ...consignment, remark: values.remark }
        const { moved, left } = await call(dispatchPackets, { body }).finally(renew)
        toast.success(left > 0 ? t('sentSome', { n: moved, left }) : t('sent', { n: moved }))
      }
      onDone?.()
      onClose()
    },
  })
  const field = (name: 'courierId' | 'consignmentNo' | 'weightGrams' | 'remark') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={known ? t('courierDetails') : t('sendTitle', { n: ids.length })}
      size="small"
      save={known ? t('save') : t('sendNow', { n: ids.length })}
    >
      {!known && <p className="quiet">{t('sendSays')}</p>}
      {others > 0 && <Note>{t('othersNotPacked', { n: others })}</Note>}
      <SelectField
        label={t('courier')}
        empty={t('chooseCourier')}
        choices={couriers
          .filter(({ active, courierId }) => active || courierId === known?.courierId)
          .map(({ courierId, name }) => ({ value: String(courierId), label: name }))}
        {...field('courierId')}
      />
      {one ? (
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
