import {
  courierForm,
  type OfficeCourier,
  officeCouriers,
  saveCourier,
} from '@podium/contract/shipping/calls-packets'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useMayWrite } from '../orders/data.ts'
import { words } from '../words.ts'

/** The couriers that parcels are handed to: a small list, added to and changed in one place. */
export function CouriersDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const couriers = useEndpoint(officeCouriers)
  const [editing, setEditing] = useState<OfficeCourier | 'new'>()
  if (editing)
    return (
      <CourierDialog
        key={editing === 'new' ? 0 : editing.courierId}
        courier={editing === 'new' ? undefined : editing}
        onClose={() => setEditing(undefined)}
      />
    )
  return (
    <Dialog opened onClose={onClose} title={t('couriers')}>
      <DialogBody>
        {couriers.data ? (
          <CourierList couriers={couriers.data.data} onEdit={setEditing} />
        ) : couriers.isError ? (
          <LoadProblem error={couriers.error} retry={() => couriers.refetch()} />
        ) : (
          <Skeleton shape="text" rows={4} />
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
        <NewCourier onClick={() => setEditing('new')} />
      </DialogFoot>
    </Dialog>
  )
}

function NewCourier({ onClick }: { onClick: () => void }) {
  const t = words.use()
  return (
    <Button
      kind="primary"
      icon="plus"
      disabled={useMayWrite() ? undefined : t('mayNotWrite')}
      onClick={onClick}
    >
      {t('newCourier')}
    </Button>
  )
}

interface ListProps {
  couriers: readonly OfficeCourier[]
  onEdit: (courier: OfficeCourier) => void
}

function CourierList({ couriers, onEdit }: ListProps) {
  const t = words.use()
  const mayNot = useMayWrite() ? undefined : t('mayNotWrite')
  if (couriers.length === 0) return <p>{t('noCouriers')}</p>
  return (
    <ul className="od-couriers">
      {couriers.map((courier) => (
        <li key={courier.courierId}>
          <span>
            <b>{courier.name}</b> {!courier.active && <Badge kind="inactive">{t('inactive')}</Badge>}
            <small>
              {t('packetsCount', { n: courier.packets })}
              {courier.linkTemplate !== '' && `, ${courier.linkTemplate}`}
            </small>
          </span>
          <Button
            icon="edit"
            disabled={mayNot}
            aria-label={t('editCourier', { name: courier.name })}
            onClick={() => onEdit(courier)}
          >
            {t('edit')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function CourierDialog({ courier, onClose }: { courier: OfficeCourier | undefined; onClose: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const f = usePortalForm({
    schema: courierForm,
    initialValues: {
      name: courier?.name ?? '',
      linkTemplate: courier?.linkTemplate ?? '',
      active: courier?.active ?? true,
    },
    draftKey: `courier.${courier?.courierId ?? 0}.${courier?.version ?? 0}`,
    save: async (values) => {
      const body = { ...values, courierId: courier?.courierId ?? 0, version: courier?.version }
      await call(saveCourier, { body }).finally(() =>
        client.invalidateQueries({ queryKey: [officeCouriers.path] }),
      )
      toast.success(t('saved'))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={courier ? courier.name : t('newCourier')}
      {...(courier ? { fact: t('packetsCount', { n: count(courier.packets) }) } : {})}
      size="small"
    >
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <TextField label={t('courierName')} key={f.form.key('name')} {...f.form.getInputProps('name')} />
            <TextField
              label={t('courierLink')}
              hint={t('courierLinkHint')}
              optional
              key={f.form.key('linkTemplate')}
              {...f.form.getInputProps('linkTemplate')}
            />
            <CheckField
              label={t('courierActive')}
              key={f.form.key('active')}
              {...f.form.getInputProps('active', { type: 'checkbox' })}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('back')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('save')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
