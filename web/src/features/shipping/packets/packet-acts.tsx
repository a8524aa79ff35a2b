import { mostCertificates, packetCertificates } from '@podium/contract/results/calls-certificates'
import { type OfficePacket, packingLists } from '@podium/contract/shipping/calls-packets'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { officePaths } from '#shell/paths.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { useFetchFile } from '../downloads.tsx'
import { words } from '../words.ts'

const SendDialog = lazy(() => import('./send-dialog.tsx').then((m) => ({ default: m.SendDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((m) => ({ default: m.MoveDialog })))
const AgainDialog = lazy(() => import('./move-dialog.tsx').then((m) => ({ default: m.AgainDialog })))
const LabelsDialog = lazy(() => import('./labels-dialog.tsx').then((m) => ({ default: m.LabelsDialog })))

type Doing = 'send' | 'courier' | 'move' | 'resend' | 'cancel' | 'labels'

const away: readonly string[] = ['Dispatched', 'In transit', 'Delivered', 'Returned']

/** What can be done with a parcel in its state; what follows next stands last and is filled. */
export function PacketActs({ of }: { of: OfficePacket }) {
  const t = words.use()
  const { packet, lines, can } = of
  const { busy, fetchFile } = useFetchFile()
  const [doing, setDoing] = useState<Doing>()
  const mayNot = can.dispatch === 'access.denied' ? t('mayNotWrite') : undefined
  return (
    <>
      <Link to={officePaths.packets} className={buttonClass('text')}>
        {t('toPackets')}
      </Link>
      {lines.length > 0 && (
        <Button
          icon="print"
          busy={busy === 'list'}
          onClick={() => void fetchFile('list', packingLists, { ids: [packet.packetId] })}
        >
          {t('packingList')}
        </Button>
      )}
      <Certificates of={of} mayNot={mayNot} />
      {packet.status !== 'Cancelled' && (
        <Button icon="print" onClick={() => setDoing('labels')}>
          {t('label')}
        </Button>
      )}
      {away.includes(packet.status) && (
        <Button icon="edit" disabled={mayNot} onClick={() => setDoing('courier')}>
          {t('courierDetails')}
        </Button>
      )}
      {(can.cancel === true || (mayNot && packet.status === 'Packed')) && (
        <Button kind="danger" disabled={mayNot} onClick={() => setDoing('cancel')}>
          {t('takeApart')}
        </Button>
      )}
      {packet.status === 'Packed' && (
        <Button kind="primary" icon="truck" disabled={mayNot} onClick={() => setDoing('send')}>
          {t('send')}
        </Button>
      )}
      {can.move.length > 0 && (
        <Button
          kind={can.resend === true ? 'secondary' : 'primary'}
          icon="arrow"
          onClick={() => setDoing('move')}
        >
          {t('nextStep')}
        </Button>
      )}
      {can.resend === true && (
        <Button kind="primary" icon="rotate" onClick={() => setDoing('resend')}>
          {t('resend')}
        </Button>
      )}
      <Doings of={of} doing={doing} onClose={() => setDoing(undefined)} />
    </>
  )
}

/** The certificates that a parcel holds, to be printed: so many to a file. */
function Certificates({ of: { packet, lines }, mayNot }: { of: OfficePacket; mayNot: string | undefined }) {
  const t = words.use()
  const { busy, fetchFile } = useFetchFile()
  const all = lines.reduce((sum, { kind, quantity }) => (kind === 'certificate' ? sum + quantity : sum), 0)
  const parts = packet.status === 'Cancelled' ? 0 : Math.ceil(all / mostCertificates)
  return Array.from({ length: parts }, (_, at) => {
    const part = at + 1
    const to = Math.min(all, part * mostCertificates)
    return (
      <Button
        key={part}
        icon="print"
        busy={busy === `certificates ${part}`}
        disabled={mayNot}
        onClick={() =>
          void fetchFile(`certificates ${part}`, packetCertificates, { packetId: packet.packetId, part })
        }
      >
        {parts === 1 ? t('certificates') : t('certificatesPart', { from: at * mostCertificates + 1, to })}
      </Button>
    )
  })
}

interface DoingsProps {
  of: OfficePacket
  doing: Doing | undefined
  onClose: () => void
}

function Doings({ of: { packet, can }, doing, onClose }: DoingsProps) {
  const navigate = useNavigate()
  const ids = [packet.packetId]
  const goTo = (made: number | undefined) => {
    if (made !== undefined) void navigate({ to: officePaths.packet, params: { id: String(made) } })
  }
  return (
    <Suspense>
      {doing === 'send' && <SendDialog ids={ids} onClose={onClose} />}
      {doing === 'courier' && <SendDialog ids={ids} known={packet} onClose={onClose} />}
      {doing === 'move' && <MoveDialog ids={ids} steps={can.move.filter(isStep)} onClose={onClose} />}
      {(doing === 'resend' || doing === 'cancel') && (
        <AgainDialog packet={packet} what={doing} onClose={onClose} onDone={goTo} />
      )}
      {doing === 'labels' && <LabelsDialog body={{ ids }} n={1} onClose={onClose} />}
    </Suspense>
  )
}

const isStep = (step: string): step is 'In transit' | 'Delivered' | 'Returned' =>
  step === 'In transit' || step === 'Delivered' || step === 'Returned'
