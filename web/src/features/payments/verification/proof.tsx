import { type OfficePayment, officePaymentProof } from '@podium/contract/payments/calls-verification'
import { useEffect, useState } from 'react'
import { callFile } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { IconButton } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const zooms = [0.5, 0.75, 1, 1.5, 2, 3] as const
const whole = 2

/** The proof behind the session: a picture to zoom and turn, or a PDF in the browser's own viewer. */
export function Proof({ payment }: { payment: OfficePayment }) {
  const t = words.use()
  const [step, setStep] = useState(whole)
  const [turns, setTurns] = useState(0)
  const picture = payment.proofType.startsWith('image/')
  const save = () =>
    download(officePaymentProof, { query: { id: String(payment.id) } }).catch((cause: Error) =>
      toast.error(cause.message),
    )
  return (
    <>
      <div className="hd">
        <h2>{payment.proofName}</h2>
        {picture && (
          <>
            <IconButton
              icon="zoom-out"
              label={t('zoomOut')}
              disabled={step === 0}
              onClick={() => setStep(step - 1)}
            />
            <IconButton
              icon="zoom-in"
              label={t('zoomIn')}
              disabled={step === zooms.length - 1}
              onClick={() => setStep(step + 1)}
            />
            <IconButton icon="rotate" label={t('turn')} onClick={() => setTurns((turns + 1) % 4)} />
          </>
        )}
        <IconButton icon="download" label={t('downloadProof')} onClick={() => void save()} />
      </div>
      <Sheet payment={payment} picture={picture} zoom={zooms[step] ?? 1} turns={turns} />
    </>
  )
}

/** Fetches the proof with the session's token and gives it an address of this page; the old one is given back. */
function useBlob(id: number) {
  const [address, setAddress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads the same proof again
  useEffect(() => {
    const stop = new AbortController()
    let made: string | undefined
    setAddress(undefined)
    setProblem(undefined)
    callFile(officePaymentProof, { query: { id: String(id) }, signal: stop.signal })
      .then(({ blob }) => {
        if (stop.signal.aborted) return
        made = URL.createObjectURL(blob)
        setAddress(made)
      })
      .catch((cause: Error) => {
        if (!stop.signal.aborted) setProblem(cause.message)
      })
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, tries])
  return { address, problem, retry: () => setTries(tries + 1) }
}

interface SheetProps {
  payment: OfficePayment
  picture: boolean
  zoom: number
  turns: number
}

function Sheet({ payment, picture, zoom, turns }: SheetProps) {
  const t = words.use()
  const say = useSentences()
  const { address, problem, retry } = useBlob(payment.id)
  const label = t('proofOf', { name: payment.proofName })
  if (problem) return <ErrorState retry={retry}>{say(problem)}</ErrorState>
  if (!address) return <Skeleton shape="text" rows={8} />
  if (!picture) {
    return (
      <div className="proof pdf">
        <iframe src={address} title={label} />
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="proof" aria-label={label} tabIndex={0}>
      <Picture address={address} label={label} zoom={zoom} turns={turns} />
    </section>
  )
}

interface PictureProps {
  address: string
  label: string
  zoom: number
  turns: number
}

/** A picture that keeps its room when it is turned: the sheet has the shape that is seen. */
function Picture({ address, label, zoom, turns }: PictureProps) {
  const [shape, setShape] = useState(0.8)
  const sideways = turns % 2 === 1
  return (
    <div
      className="sheet"
      style={{
        width: `min(${zoom * 100}%, ${zoom * 560}px)`,
        aspectRatio: sideways ? 1 / shape : shape,
      }}
    >
      <img
        src={address}
        alt={label}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setShape(naturalWidth / Math.max(1, naturalHeight))
        }
        style={{
          width: sideways ? `${shape * 100}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  )
}
