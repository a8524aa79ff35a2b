import { mostPackets, type PacketRow, packingLists } from '@podium/contract/shipping/calls-packets'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { useFetchFile } from '../downloads.tsx'
import { useMayWrite } from '../orders/data.ts'
import { words } from '../words.ts'
import type { Packets } from './data.ts'
import type { Step } from './move-dialog.tsx'

const SendDialog = lazy(() => import('./send-dialog.tsx').then((m) => ({ default: m.SendDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((m) => ({ default: m.MoveDialog })))
const LabelsDialog = lazy(() => import('./labels-dialog.tsx').then((m) => ({ default: m.LabelsDialog })))

/** What is asked before it is done with several parcels. */
export type ManyPackets = 'send' | 'labels' | 'move'

export interface Asked {
  what: ManyPackets
  ids: readonly number[]
  /** For a next step: what may follow for at least one of them */
  steps?: readonly Step[]
  /** How many of the selected ones it does not fit: they stay as they are */
  left: number
}

interface BarProps {
  rows: readonly PacketRow[]
  onOpen: (asked: Asked) => void
  onClear: () => void
}

/** What is done with the parcels that are selected. */
export function PacketsBar({ rows, onOpen, onClear }: BarProps) {
  const t = words.use()
  const mayNot = useMayWrite() ? undefined : t('mayNotWrite')
  const { busy, fetchFile } = useFetchFile()
  const ids = rows.map(({ packetId }) => packetId)
  const packed = rows.filter(({ status }) => status === 'Packed')
  const away = rows.filter(({ status }) => status === 'Dispatched' || status === 'In transit')
  const steps: Step[] = away.some(({ status }) => status === 'Dispatched')
    ? ['In transit', 'Delivered', 'Returned']
    : ['Delivered', 'Returned']
  const open = (what: ManyPackets, fitting: readonly PacketRow[]) =>
    onOpen({
      what,
      ids: fitting.map(({ packetId }) => packetId),
      steps,
      left: rows.length - fitting.length,
    })
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length })}</b>
      </span>
      <Button
        icon="print"
        busy={busy === 'lists'}
        onClick={() => void fetchFile('lists', packingLists, { ids })}
      >
        {t('packingLists')}
      </Button>
      <Button icon="print" onClick={() => open('labels', rows)}>
        {t('labels')}
      </Button>
      <Button
        icon="truck"
        disabled={mayNot ?? (packed.length > 0 ? undefined : t('nonePacked'))}
        onClick={() => open('send', packed)}
      >
        {t('send')}
      </Button>
      <Button
        icon="arrow"
        disabled={mayNot ?? (away.length > 0 ? undefined : t('noneAway'))}
        onClick={() => open('move', away)}
      >
        {t('nextStep')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unselect')}
      </Button>
    </>
  )
}

interface DialogProps extends Asked {
  onClose: () => void
  onDone: () => void
}

/** Stands beside the list, not in its bar: what is done may take the parcels off the list, and the bar with them. */
export function PacketsDialog({ what, steps, ...its }: DialogProps) {
  const { ids, onClose } = its
  if (what === 'labels') return <LabelsDialog body={{ ids }} n={ids.length} onClose={onClose} />
  if (what === 'send') return <SendDialog {...its} />
  return <MoveDialog {...its} steps={steps ?? []} />
}

/** Papers for all parcels that the filters leave, pages that are not shown among them. */
export function PrintAll({ filters, total }: { filters: Packets['asked']; total: number }) {
  const t = words.use()
  const { busy, fetchFile } = useFetchFile()
  const [labels, setLabels] = useState(false)
  const tooMany = total > mostPackets ? t('tooMany', { n: mostPackets }) : undefined
  return (
    <div className="od-all">
      <span className="quiet">{t('forAll', { n: total })}</span>
      <Button
        kind="text"
        icon="print"
        disabled={tooMany}
        busy={busy === 'lists'}
        onClick={() => void fetchFile('lists', packingLists, { filters })}
      >
        {t('packingLists')}
      </Button>
      <Button kind="text" icon="print" disabled={tooMany} onClick={() => setLabels(true)}>
        {t('labels')}
      </Button>
      {labels && (
        <Suspense>
          <LabelsDialog body={{ filters }} n={total} onClose={() => setLabels(false)} />
        </Suspense>
      )}
    </div>
  )
}
