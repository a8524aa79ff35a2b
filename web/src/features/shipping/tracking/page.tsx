import '../shipping.css'
import { getOrder, getQuestionPaperStatus, type Packet } from '@podium/contract/shipping/calls'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Moment, nothing, placeText } from '#shell/format.tsx'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { ListTable } from '#shell/list-table.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { OrderStatus, words } from './order-status.tsx'

const TrackDialog = lazyDialog(() => import('./dialog.tsx'), 'TrackDialog')

interface Props {
  list: ComponentProps<typeof ListTable>['list']
  caption: string
  rows: readonly Packet[] | undefined
  empty: ReactNode
}

/** A list of parcels, each with its tracking behind «View Detail» (specification, 2.13). */
function PacketsTable(table: Props) {
  const t = words.use()
  const [open, setOpen] = useState<Packet>()
  const columns: Column<Packet>[] = columnsOf(t, [
    {
      key: 'packetId',
      title: true,
      cell: ({ packetId }) => (
        <>
          <span className="packet-word">{t('packet')} </span>
          {packetId}
        </>
      ),
    },
    { key: 'customer', card: 'wide', cell: (packet) => <Customer packet={packet} /> },
    { key: 'contents', cell: ({ contents }) => t(contents) },
    { key: 'status', cell: ({ orderStatus }) => <OrderStatus of={orderStatus} /> },
    { key: 'received', cell: (packet) => <Receipt packet={packet} /> },
    {
      key: 'entryDate',
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
          onPointerEnter={() => void TrackDialog.load()}
          onClick={() => setOpen(packet)}>
          {t('viewDetail')}
        </Button>
      ),
    },
  ])
  return (
    <>
      <ListTable
        {...table}
        className="packets"
        columns={columns}
        rowKey={({ packetId }) => String(packetId)}
        cardColumns={2}
      />
      {open && <TrackDialog packet={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** Whether the school has confirmed the receipt. Delivered parcels wait for the confirmation. */
function Receipt({ packet: { confirmed, orderStatus } }: { packet: Packet }) {
  const t = words.use()
  if (confirmed) return <Badge kind="verified">{t('receivedAll')}</Badge>
  return orderStatus === 'Delivered' ? <Badge kind="waiting">{t('toConfirm')}</Badge> : nothing
}

function Customer({ packet }: { packet: Packet }) {
  const t = words.use()
  const language = useLanguage()
  return (
    <address className="customer">
      <b>{packet.customerName}</b>
      <span>
        {packet.address}, {placeText(packet.city, packet.state, countryName(language, packet.country))}{' '}
        {packet.pincode}
      </span>
      <span className="nowrap">{t('phone', { phone: packet.phoneNo })}</span>
    </address>
  )
}

/** The page Importantlink/trackorder: the school's parcels of books and awards. */
export function TrackOrderPage() {
  const t = words.use()
  const season = useSeason()
  const orders = useEndpoint(getOrder, { query: { FYear: season } })
  return (
    <>
      <PageHeader title={t('trackTitle')} fact={t('trackFact', { season })} />
      <PacketsTable
        list={orders}
        caption={t('trackTitle')}
        rows={orders.data?.data}
        empty={
          <EmptyState
            icon="truck"
            title={t('trackEmptyTitle')}
            actions={
              <Link to={paths.managePayment} className={buttonClass('secondary')}>
                {t('managePayments')}
              </Link>
            }>
            {t('trackEmpty')}
          </EmptyState>
        }
      />
    </>
  )
}

/** The page Importantlink/QuctionStatus: the parcels of question papers, or «Not Applicable» if there are none. */
export function QuestionPapersPage() {
  const t = words.use()
  const season = useSeason()
  const papers = useEndpoint(getQuestionPaperStatus, { query: { FYear: season } })
  return (
    <>
      <PageHeader title={t('papersTitle')} fact={t('papersFact', { season })} />
      <PacketsTable
        list={papers}
        caption={t('papersTitle')}
        rows={papers.data && (papers.data.data ?? [])}
        empty={
          <EmptyState icon="file" title={t('papersEmptyTitle')}>
            {t('papersEmpty')}
          </EmptyState>
        }
      />
    </>
  )
}
