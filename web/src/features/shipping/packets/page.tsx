import { orderStatuses, packetContents } from '@podium/contract/shipping/calls'
import { exportPackets, officeCouriers, packetMarks } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { count } from '#shell/format.tsx'
import { choicesOf, ListFilters, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { PageHeader } from '#ui/panel.tsx'
import { type Packets, useMayWrite, usePackets, words } from '../data.tsx'
import { JobNote } from '../list-head.tsx'
import { PacketsTable, usePacketColumns } from './table.tsx'
import '../shipping.css'

const markWords = {
  '': 'all',
  differs: 'markDiffers',
  confirmed: 'markConfirmed',
  numberless: 'markNumberless',
} as const

/** The filters of parcels: number, school, state, contents and courier. The states show their number of parcels. */
function PacketFilters({ packets, view }: { packets: Packets; view: ReactNode }) {
  const t = words.use()
  const { filters, list } = packets
  const couriers = useEndpoint(officeCouriers).data?.data ?? []
  const places = usePlaceChoices(filters.shown.state)
  const counts = list.data?.counts
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('packetSearchHint') },
        status: {
          label: t('status'),
          all: t('all'),
          choices: choicesOf(orderStatuses, (status) =>
            counts ? `${t(status)} (${count(counts[status] ?? 0)})` : t(status),
          ),
        },
        contents: { label: t('contents'), all: t('all'), choices: choicesOf(packetContents, t) },
        state: { label: t('state'), all: t('all'), choices: places.states },
        courier: {
          label: t('courier'),
          all: t('all'),
          choices: couriers.map(({ courierId, name }) => ({ value: String(courierId), label: name })),
        },
        mark: { label: t('mark'), choices: choicesOf(packetMarks, (mark) => t(markWords[mark])) },
      }}
      view={view}
    />
  )
}

const FileDialog = lazyDialog(() => import('./dialogs.tsx'), 'FileDialog')
const ScanDialog = lazyDialog(() => import('./scan-dialog.tsx'), 'ScanDialog')
const CouriersDialog = lazyDialog(() => import('./dialogs.tsx'), 'CouriersDialog')

/** All parcels, to print, hand over and track, one at a time or in bulk. */
export function PacketsPage() {
  const t = words.use()
  const packets = usePackets()
  const [open, setOpen] = useState<'file' | 'couriers' | 'scan'>()
  const disabledReason = useMayWrite() ? undefined : t('mayNotWrite')
  const columns = usePacketColumns()
  const view = useListView('packets', columns)
  const total = packets.list.data?.total
  const close = () => setOpen(undefined)
  const couriers = useEndpoint(officeCouriers).data?.data ?? []
  const { fetchFile } = useDownloads<string>()
  const uploads = couriers
    .filter(({ active, uploadColumns }) => active && uploadColumns.length > 0)
    .map(({ courierId, name }) => ({
      label: t('exportFor', { name }),
      onChoose: () =>
        void fetchFile(`courier ${courierId}`, exportPackets, {
          body: { ...packets.asked, format: 'xlsx', forCourier: courierId },
        }),
    }))
  return (
    <>
      <PageHeader
        title={t('packetsTitle')}
        fact={total !== undefined && t(packets.set > 0 ? 'packetsFiltered' : 'packetsFact', { n: total })}
      >
        <Link to={officePaths.bookOrders} className={buttonClass('text')}>
          {t('toDue')}
        </Link>
        <ListDownloads
          endpoint={exportPackets}
          bodyOf={(format) => ({ ...packets.asked, format })}
          more={disabledReason === undefined ? uploads : []}
        />
        <Button icon="truck" onClick={() => setOpen('couriers')}>
          {t('couriers')}
        </Button>
        <Button icon="upload" disabled={disabledReason} onClick={() => setOpen('file')}>
          {t('courierFile')}
        </Button>
        <Button kind="primary" icon="box" disabled={disabledReason} onClick={() => setOpen('scan')}>
          {t('scan')}
        </Button>
      </PageHeader>
      <JobNote />
      <PacketFilters packets={packets} view={view.tools} />
      <PacketsTable packets={packets} columns={view.columns} />
      {open === 'file' && <FileDialog season={packets.season} onClose={close} />}
      {open === 'scan' && <ScanDialog season={packets.season} onClose={close} />}
      {open === 'couriers' && <CouriersDialog onClose={close} />}
    </>
  )
}
