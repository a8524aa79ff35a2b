import type { PacketRow } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { pagingOf } from '#shell/paging.ts'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { words } from '../words.ts'
import { type Asked, PacketsBar, PacketsDialog, PrintAll } from './bar.tsx'
import type { Packets } from './data.ts'

/** The parcels as a table, cards on a phone; selected ones are printed, handed over and moved on together. */
export function PacketsTable({ packets, columns }: { packets: Packets; columns: Column<PacketRow>[] }) {
  const t = words.use()
  const say = useSentences()
  const { list, filters } = packets
  const { data, error, isPlaceholderData, refetch } = list
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked>()
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  // A row that has left the list is not selected any more: nothing happens to what is not in sight.
  const chosen = (data?.data ?? []).filter(({ packetId }) => selected.has(String(packetId)))
  const ids = chosen.map(({ packetId }) => packetId)
  const clear = () => setSelected(new Set())
  return (
    <>
      {data && data.total > 0 && <PrintAll filters={packets.asked} total={data.total} />}
      <DataTable
        className="od-packets"
        caption={t('packetsTitle')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => String(row.packetId)}
        stale={isPlaceholderData}
        gone={(row) => row.status === 'Cancelled'}
        selection={{
          selected: new Set(ids.map(String)),
          onChange: setSelected,
          selectable: (row) => row.status !== 'Cancelled',
          name: (row) => t('packetOf', { id: row.packetId, name: row.schName }),
        }}
        bulk={<PacketsBar rows={chosen} onOpen={setAsked} onClear={clear} />}
        {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
        empty={<Nothing packets={packets} />}
        {...pagingOf(data, filters)}
      />
      {asked && (
        <Suspense>
          <PacketsDialog {...asked} onClose={() => setAsked(undefined)} onDone={clear} />
        </Suspense>
      )}
    </>
  )
}

export function usePacketColumns(): Column<PacketRow>[] {
  const t = words.use()
  return [
    {
      key: 'packet',
      label: t('packet'),
      title: true,
      cell: (row) => (
        <Link className="nowrap" to={officePaths.packet} params={{ id: String(row.packetId) }}>
          {t('packetNo', { id: row.packetId })}
        </Link>
      ),
    },
    {
      key: 'school',
      label: t('school'),
      card: 'wide',
      cell: (row) => (
        <>
          {row.schName}
          <span className="under">
            {row.schCode}, {row.city}, {row.state}
          </span>
        </>
      ),
    },
    { key: 'status', label: t('status'), cell: (row) => <StatusBadge of={row.status} /> },
    {
      key: 'contents',
      label: t('contents'),
      cell: (row) => (
        <>
          {t(row.contents)}
          {row.copies > 0 && <span className="under">{t('copies', { n: row.copies })}</span>}
        </>
      ),
    },
    {
      key: 'courier',
      label: t('courier'),
      card: 'wide',
      cell: (row) =>
        row.courierName === '' ? (
          '–'
        ) : (
          <>
            {row.courierName}
            <span className="under code nowrap">
              {row.consignmentNo === '' ? t('noNumber') : row.consignmentNo}
            </span>
          </>
        ),
    },
    {
      key: 'weight',
      label: t('weight'),
      num: true,
      cell: (row) => (row.weightGrams === null ? '–' : t('kg', { kg: (row.weightGrams / 1000).toFixed(1) })),
    },
    {
      key: 'changed',
      label: t('lastStep'),
      num: true,
      card: 'wide',
      cell: (row) => <Moment value={row.changedAt} />,
    },
    {
      key: 'receipt',
      label: t('receipt'),
      cell: (row) =>
        row.confirmed ? (
          <Badge kind={row.differs ? 'doubt' : 'verified'}>{t(row.differs ? 'differs' : 'confirmed')}</Badge>
        ) : (
          '–'
        ),
    },
  ]
}

function Nothing({ packets }: { packets: Packets }) {
  const t = words.use()
  if (packets.set === 0)
    return (
      <EmptyState icon="box" title={t('noPackets')}>
        {t('noPacketsSays')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon="search"
      title={t('nothing')}
      actions={<Button onClick={packets.filters.clear}>{t('clear')}</Button>}
    >
      {t('nothingSays')}
    </EmptyState>
  )
}
