import '../shipping.css'
import type { Packet } from '@podium/contract/shipping/calls'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Moment, placeText } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { OrderStatus } from './order-status.tsx'
import { words } from './words.ts'

const openDialog = () => import('./dialog.tsx').then((m) => ({ default: m.TrackDialog }))
const TrackDialog = lazy(openDialog)

interface Props {
  caption: string
  rows: readonly Packet[] | undefined
  stale: boolean
  empty: ReactNode
}

/** The parcels of a list, each with its way behind «View Detail» (specification, 2.13). */
export function PacketsTable({ caption, rows, stale, empty }: Props) {
  const t = words.use()
  const [open, setOpen] = useState<Packet>()
  const columns: Column<Packet>[] = [
    {
      key: 'packetId',
      label: t('packetId'),
      title: true,
      cell: ({ packetId }) => (
        <>
          <span className="packet-word">{t('packet')} </span>
          {packetId}
        </>
      ),
    },
    { key: 'customer', label: t('customer'), card: 'wide', cell: (packet) => <Customer packet={packet} /> },
    { key: 'contents', label: t('contents'), cell: ({ contents }) => t(contents) },
    { key: 'status', label: t('status'), cell: ({ orderStatus }) => <OrderStatus of={orderStatus} /> },
    { key: 'received', label: t('received'), cell: (packet) => <Receipt packet={packet} /> },
    {
      key: 'entryDate',
      label: t('entryDate'),
      num: true,
      card: 'wide',
      cell: ({ creationDate }) => <Moment value={creationDate} />,
    },
    {
      key: 'detail',
      label: t('viewDetail'),
      act: true,
      cell: (packet) => (
        <Button
          aria-label={t('viewDetailOf', { id: packet.packetId })}
          onPointerEnter={() => void openDialog()}
          onClick={() => setOpen(packet)}
        >
          {t('viewDetail')}
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataTable
        className="packets"
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={({ packetId }) => String(packetId)}
        empty={empty}
        stale={stale}
        cardColumns={2}
      />
      {open && (
        <Suspense>
          <TrackDialog packet={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the school has said that it has arrived; a delivered one waits for that. */
function Receipt({ packet: { confirmed, orderStatus } }: { packet: Packet }) {
  const t = words.use()
  if (confirmed) return <Badge kind="verified">{t('receivedAll')}</Badge>
  return orderStatus === 'Delivered' ? <Badge kind="waiting">{t('toConfirm')}</Badge> : '–'
}

function Customer({ packet }: { packet: Packet }) {
  const t = words.use()
  return (
    <address className="customer">
      <b>{packet.customerName}</b>
      <span>
        {packet.address}, {placeText(packet.city, packet.state, packet.country)} {packet.pincode}
      </span>
      <span className="nowrap">{t('phone', { phone: packet.phoneNo })}</span>
    </address>
  )
}
