import {
  type OfficePayment,
  officePaymentProof,
  officeProofPage,
  officeProofPages,
} from '@podium/contract/payments/calls-verification'
import { type ReactNode, useEffect, useState } from 'react'
import { callFile } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { tellRefusal } from '#shell/use-downloads.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './queue.tsx'

const zooms = [0.5, 0.75, 1, 1.5, 2, 3] as const
const whole = 2
/** A proof has one or two pages; of a longer PDF the first are shown. */
const mostPages = 20

/** The proof behind the session, to zoom and turn: a picture, or a PDF whose pages the server has drawn as pictures. */
export function Proof({ payment }: { payment: OfficePayment }) {
  const t = words.use()
  const [step, setStep] = useState(whole)
  const [turns, setTurns] = useState(0)
  const save = () =>
    void download(officePaymentProof, { query: { id: String(payment.id) } }).catch(tellRefusal)
  const Shown = payment.proofType.startsWith('image/') ? Photograph : Pages
  return (
    <>
      <div className="hd">
        <h2>{payment.proofName}</h2>
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
        <IconButton icon="download" label={t('downloadProof')} onClick={save} />
      </div>
      <Shown payment={payment} zoom={zooms[step] ?? 1} turns={turns} onSave={save} />
    </>
  )
}

/** A box that scrolls; it must be reachable by keyboard. */
function Sheets({ name, children }: { name: string; children: ReactNode }) {
  const t = words.use()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="proof" aria-label={t('proofOf', { name })} tabIndex={0}>
      {children}
    </section>
  )
}

interface ShownProps {
  payment: OfficePayment
  zoom: number
  turns: number
  onSave: () => void
}

function Photograph({ payment, zoom, turns }: ShownProps) {
  const t = words.use()
  const { address, problem, retry } = useBlob(payment.id)
  if (problem) return <Problem retry={retry}>{problem}</Problem>
  if (!address) return <Skeleton shape="text" rows={8} />
  return (
    <Sheets name={payment.proofName}>
      <Picture
        address={address}
        label={t('proofOf', { name: payment.proofName })}
        zoom={zoom}
        turns={turns}
      />
    </Sheets>
  )
}

/** One page beneath the other, each asked for once the one before has come. What can't be drawn can be downloaded. */
function Pages({ payment, zoom, turns, onSave }: ShownProps) {
  const t = words.use()
  const counted = useEndpoint(officeProofPages, { query: { id: String(payment.id) } })
  const [come, setCome] = useState(0)
  if (counted.isError) {
    return (
      <Problem retry={() => void counted.refetch()} onSave={onSave}>
        {counted.error.message}
      </Problem>
    )
  }
  if (!counted.data) return <Skeleton shape="text" rows={8} />
  const { pages } = counted.data
  const shown = Math.min(pages, mostPages, come + 1)
  return (
    <Sheets name={payment.proofName}>
      {Array.from({ length: shown }, (_, at) => (
        <Page
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
          key={at}
          payment={payment}
          page={at + 1}
          pages={pages}
          zoom={zoom}
          turns={turns}
          onSave={onSave}
          onCome={() => setCome(Math.max(come, at + 1))}
        />
      ))}
      {come >= mostPages && pages > mostPages && (
        <Note>
          {t('firstPages', { n: mostPages, pages })}{' '}
          <button type="button" className="lk" onClick={onSave}>
            {t('downloadProof')}
          </button>
        </Note>
      )}
    </Sheets>
  )
}

function Page(props: ShownProps & { page: number; pages: number; onCome: () => void }) {
  const { payment, page, pages, zoom, turns, onSave, onCome } = props
  const t = words.use()
  const { address, problem, retry } = useBlob(payment.id, page)
  if (problem) {
    return (
      <Problem retry={retry} onSave={onSave}>
        {problem}
      </Problem>
    )
  }
  if (!address) return <Skeleton shape="text" rows={8} />
  const label = t('pageOf', { page, pages, name: payment.proofName })
  return <Picture address={address} label={label} zoom={zoom} turns={turns} onCome={onCome} />
}

/** What the server can't draw can be downloaded. */
function Problem({ retry, onSave, children }: { retry: () => void; onSave?: () => void; children: string }) {
  const t = words.use()
  const say = useSentences()
  const actions = (
    <>
      {onSave && (
        <Button icon="download" onClick={onSave}>
          {t('downloadProof')}
        </Button>
      )}
      <Button onClick={retry}>{t('tryAgain')}</Button>
    </>
  )
  return (
    <div role="alert">
      <EmptyState icon="warning" title={say(children)} actions={actions} />
    </div>
  )
}

/** Fetches the proof, or a page of it, with the session's token and gives it an address of this page; the old one is given back. */
function useBlob(id: number, page?: number) {
  const [address, setAddress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads the same proof again
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let made: string | undefined
    setAddress(undefined)
    setProblem(undefined)
    const query = { id: String(id) }
    const asked =
      page === undefined
        ? callFile(officePaymentProof, { query, signal })
        : callFile(officeProofPage, { query: { ...query, page: String(page) }, signal })
    asked
      .then(({ blob }) => {
        if (signal.aborted) return
        made = URL.createObjectURL(blob)
        setAddress(made)
      })
      .catch((cause: Error) => {
        if (!signal.aborted) setProblem(cause.message)
      })
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, page, tries])
  return { address, problem, retry: () => setTries(tries + 1) }
}

interface PictureProps {
  address: string
  label: string
  zoom: number
  turns: number
  onCome?: () => void
}

/** A picture that keeps its room when it is turned: the sheet has the shape that is seen. */
function Picture({ address, label, zoom, turns, onCome }: PictureProps) {
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
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setShape(naturalWidth / Math.max(1, naturalHeight))
          onCome?.()
        }}
        style={{
          width: sideways ? `${shape * 100}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  )
}
