import '../office.css'
import { exportPackets } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { officePaths } from '#shell/paths.ts'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Downloads } from '../downloads.tsx'
import { JobNote } from '../job-note.tsx'
import { useMayWrite } from '../orders/data.ts'
import { words } from '../words.ts'
import { usePackets } from './data.ts'
import { PacketFilters } from './filter-row.tsx'
import { PacketsTable, usePacketColumns } from './table.tsx'

const FileDialog = lazy(() => import('./file-dialog.tsx').then((m) => ({ default: m.FileDialog })))
const CouriersDialog = lazy(() =>
  import('./couriers-dialog.tsx').then((m) => ({ default: m.CouriersDialog })),
)

/** All parcels: printed, handed over, followed, in ones and in hundreds. */
export function PacketsPage() {
  const t = words.use()
  const packets = usePackets()
  const [open, setOpen] = useState<'file' | 'couriers'>()
  const mayNot = useMayWrite() ? undefined : t('mayNotWrite')
  const columns = usePacketColumns()
  const view = useListView('packets', columns)
  const total = packets.list.data?.total
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHeader
        title={t('packetsTitle')}
        fact={total !== undefined && t(packets.set > 0 ? 'packetsFiltered' : 'packetsFact', { n: total })}
      >
        <Link to={officePaths.bookOrders} className={buttonClass('text')}>
          {t('toDue')}
        </Link>
        <Downloads fetch={exportPackets} body={packets.asked} />
        <Button icon="truck" onClick={() => setOpen('couriers')}>
          {t('couriers')}
        </Button>
        <Button kind="primary" icon="upload" disabled={mayNot} onClick={() => setOpen('file')}>
          {t('courierFile')}
        </Button>
      </PageHeader>
      <JobNote />
      <PacketFilters packets={packets} view={view.tools} />
      <PacketsTable packets={packets} columns={view.columns} />
      <Suspense>
        {open === 'file' && <FileDialog season={packets.season} onClose={close} />}
        {open === 'couriers' && <CouriersDialog onClose={close} />}
      </Suspense>
    </>
  )
}
