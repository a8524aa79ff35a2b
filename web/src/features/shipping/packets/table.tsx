import { istTime } from '@podium/contract/season'
import { maxPackets, packingLists, type ShownPacket } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Day, nothing, placeText } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { type Packets, StatusBadge, stopWords, useMayWrite, words } from '../data.tsx'
import type { Step } from './packet-dialogs.tsx'

const SendDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'SendDialog')
const MoveDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'MoveDialog')
const LabelsDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'LabelsDialog')

/** The bulk actions that open a dialog. */
type ManyPackets = 'send' | 'labels' | 'move'

export interface BulkStep {
  what: ManyPackets
  ids: readonly number[]
  /** For a next step: the steps allowed for at least one of them */
  steps?: readonly Step[]
  /** How many selected parcels the action does not apply to; they are not changed */
  left: number
}

interface BarProps {
  rows: readonly ShownPacket[]
  onOpen: (asked: BulkStep) => void
  onClear: () => void
}

/** The bulk actions for the selected parcels. */
export function PacketsBar({ rows, onOpen, onClear }: BarProps) {
  const t = words.use()
  const disabledReason = useMayWrite() ? undefined : t('mayNotWrite')
  const { busy, fetchFile } = useDownloads<string>()
  const ids = rows.map(({ packetId }) => packetId)
  const packed = rows.filter(({ status, stopped }) => status === 'Packed' && !stopped)
  const away = rows.filter(({ status }) => status === 'Dispatched' || status === 'In transit')
  const steps: Step[] = away.some(({ status }) => status === 'Dispatched')
    ? ['In transit', 'Delivered', 'Returned']
    : ['Delivered', 'Returned']
  const open = (what: ManyPackets, fitting: readonly ShownPacket[]) =>
    onOpen({ what, ids: fitting.map(({ packetId }) => packetId), steps, left: rows.length - fitting.length })
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length })}</b>
      </span>
      <Button
        icon="print"
        busy={busy === 'lists'}
        disabled={disabledReason}
        onClick={() => void fetchFile('lists', packingLists, { body: { ids } })}>
        {t('packingLists')}
      </Button>
      <Button icon="print" disabled={disabledReason} onClick={() => open('labels', rows)}>
        {t('labels')}
      </Button>
      <Button
        icon="truck"
        disabled={disabledReason ?? (packed.length > 0 ? undefined : t('nonePacked'))}
        onClick={() => open('send', packed)}>
        {t('send')}
      </Button>
      <Button
        icon="arrow"
        disabled={disabledReason ?? (away.length > 0 ? undefined : t('noneDispatched'))}
        onClick={() => open('move', away)}>
        {t('nextStep')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unselect')}
      </Button>
    </>
  )
}

interface DialogProps extends BulkStep {
  onClose: () => void
  onDone: () => void
}

/** Rendered next to the list, not in the bar: the action may remove the parcels from the list, and so the bar. */
export function PacketsDialog({ what, steps, ...props }: DialogProps) {
  const { ids, onClose } = props
  if (what === 'labels') return <LabelsDialog body={{ ids }} n={ids.length} onClose={onClose} />
  if (what === 'send') return <SendDialog {...props} />
  return <MoveDialog {...props} steps={steps ?? []} />
}

/** Prints papers for all parcels that match the filters, on all pages. */
export function PrintAll({ filters, total }: { filters: Packets['asked']; total: number }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<string>()
  const [labels, setLabels] = useState(false)
  const mayWrite = useMayWrite()
  const tooMany = total > maxPackets ? t('tooMany', { n: maxPackets }) : undefined
  const disabledReason = mayWrite ? tooMany : t('mayNotWrite')
  return (
    <div className="row mb-2">
      <span className="quiet">{t('forAll', { n: total })}</span>
      <Button
        kind="text"
        icon="print"
        disabled={disabledReason}
        busy={busy === 'lists'}
        onClick={() => void fetchFile('lists', packingLists, { body: { filters } })}>
        {t('packingLists')}
      </Button>
      <Button kind="text" icon="print" disabled={disabledReason} onClick={() => setLabels(true)}>
        {t('labels')}
      </Button>
      {labels && <LabelsDialog body={{ filters }} n={total} onClose={() => setLabels(false)} />}
    </div>
  )
}

export function usePacketColumns(): Column<ShownPacket>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'packet',
      title: true,
      cell: (row) => (
        <Link className="nowrap" to={officePaths.packet} params={{ id: String(row.packetId) }}>
          {t('packetNo', { id: row.packetId })}
        </Link>
      ),
    },
    {
      key: 'school',
      card: 'lead wide',
      cell: (row) => lines(row.schName, `${row.schCode}, ${placeText(row.city, row.state)}`),
    },
    {
      key: 'status',
      card: 'lead',
      cell: ({ status, stopped }) =>
        lines(
          <StatusBadge of={status} />,
          stopped && <Badge kind="doubt">{t(stopWords[stopped].badge)}</Badge>,
        ),
    },
    {
      key: 'contents',
      cell: (row) => lines(t(row.contents), row.copies > 0 && t('copies', { n: row.copies })),
    },
    {
      key: 'courier',
      card: 'wide',
      cell: (row) =>
        row.courierName === ''
          ? nothing
          : lines(row.courierName, <span className="code nowrap">{row.consignmentNo || t('noNumber')}</span>),
    },
    {
      key: 'weight',
      num: true,
      cell: (row) =>
        row.weightGrams === null ? nothing : t('kg', { kg: (row.weightGrams / 1000).toFixed(1) }),
    },
    {
      key: 'changed',
      label: t('lastStep'),
      num: true,
      card: 'wide',
      cell: (row) =>
        lines(
          <Day value={row.changedAt} />,
          <span className="nowrap">{istTime(new Date(row.changedAt))}</span>,
        ),
    },
    {
      key: 'receipt',
      cell: (row) =>
        row.confirmed ? (
          <Badge kind={row.differs ? 'doubt' : 'verified'}>{t(row.differs ? 'differs' : 'confirmed')}</Badge>
        ) : (
          nothing
        ),
    },
  ])
}
