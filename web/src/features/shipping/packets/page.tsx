import { orderStatuses, packetContents } from '@podium/contract/shipping/calls'
import { exportPackets, officeCouriers, packetMarks } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { choicesOf, ListPage, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { useMayWrite, usePackets, words } from '../data.tsx'
import { JobNote } from '../list-head.tsx'
import { type BulkStep, PacketsBar, PacketsDialog, PrintAll, usePacketColumns } from './table.tsx'
import '../shipping.css'

const markWords = {
  '': 'all',
  differs: 'markDiffers',
  confirmed: 'markConfirmed',
  numberless: 'markNumberless',
} as const

const FileDialog = lazyDialog(() => import('./dialogs.tsx'), 'FileDialog')
const ScanDialog = lazyDialog(() => import('./scan-dialog.tsx'), 'ScanDialog')
const CouriersDialog = lazyDialog(() => import('./dialogs.tsx'), 'CouriersDialog')

/** All parcels, to print, hand over and track, one at a time or in bulk. */
export function PacketsPage() {
  const t = words.use()
  const { season, filters, asked, list, set } = usePackets()
  const [open, setOpen] = useState<'file' | 'couriers' | 'scan'>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [step, setStep] = useState<BulkStep>()
  const disabledReason = useMayWrite() ? undefined : t('mayNotWrite')
  const { data } = list
  // Rows that have left the list no longer count as selected: actions apply only to visible rows.
  const chosen = (data?.data ?? []).filter(({ packetId }) => selected.has(String(packetId)))
  const clear = () => setSelected(new Set())
  const close = () => setOpen(undefined)
  const counts = data?.counts
  const places = usePlaceChoices(filters.shown.state)
  const couriers = useEndpoint(officeCouriers).data?.data ?? []
  const { fetchFile } = useDownloads<string>()
  const uploads = couriers
    .filter(({ active, uploadColumns }) => active && uploadColumns.length > 0)
    .map(({ courierId, name }) => ({
      label: t('exportFor', { name }),
      onChoose: () =>
        void fetchFile(`courier ${courierId}`, exportPackets, {
          body: { ...asked, format: 'xlsx', forCourier: courierId },
        }),
    }))
  return (
    <>
      <ListPage
        name="packets"
        title={t('packetsTitle')}
        fact={data && t(set > 0 ? 'packetsFiltered' : 'packetsFact', { n: data.total })}
        note={<JobNote />}
        list={list}
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
        ahead={data && data.total > 0 && <PrintAll filters={asked} total={data.total} />}
        className="od-packets"
        cardColumns={2}
        caption={t('packetsTitle')}
        columns={usePacketColumns()}
        rowKey={(row) => String(row.packetId)}
        gone={(row) => row.status === 'Cancelled'}
        folds={(row) => t('packetNo', { id: row.packetId })}
        selection={{
          selected: new Set(chosen.map(({ packetId }) => String(packetId))),
          onChange: setSelected,
          selectable: (row) => row.status !== 'Cancelled',
          name: (row) => t('packetOf', { id: row.packetId, name: row.schName }),
        }}
        bulk={<PacketsBar rows={chosen} onOpen={setStep} onClear={clear} />}
        nothing={t('nothing')}
        nothingHint={t('nothingHint')}
        empty={
          <EmptyState icon="box" title={t('noPackets')}>
            {t('noPacketsHint')}
          </EmptyState>
        }>
        <Link to={officePaths.bookOrders} className={buttonClass('text')}>
          {t('toDue')}
        </Link>
        <ListDownloads
          endpoint={exportPackets}
          bodyOf={(format) => ({ ...asked, format })}
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
      </ListPage>
      {step && <PacketsDialog {...step} onClose={() => setStep(undefined)} onDone={clear} />}
      {open === 'file' && <FileDialog season={season} onClose={close} />}
      {open === 'scan' && <ScanDialog season={season} onClose={close} />}
      {open === 'couriers' && <CouriersDialog onClose={close} />}
    </>
  )
}
