import type { officePaymentProof, officePaymentReceipt } from '@podium/contract/payments/calls-verification'
import type { waiverEvidence } from '@podium/contract/payments/calls-waivers'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, IconButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/file-view.json'
import { type CallError, callFile } from './call.ts'
import { useSentences } from './language/sentences.ts'
import { defineWords } from './language/words.ts'
import { fetchFile } from './use-downloads.ts'
import './file-view.css'

const words = defineWords<typeof en>(import.meta.glob('#words/*/file-view.json'))

const zooms = [0.5, 0.75, 1, 1.5, 2, 3] as const
const wholePage = 2
/** Payment proofs have one or two pages; of a longer PDF the first ones are shown. */
const maxPages = 20

/** A file that needs the session; the server can also send each page as an image. */
interface ViewedFile {
  call: typeof officePaymentProof | typeof officePaymentReceipt | typeof waiverEvidence
  id: number
  /** Its description for screen readers */
  label: string
}

/** Shows an image or PDF in the page, to zoom, rotate and download. The server renders the pages of a PDF as images. */
export function FileView({ file, title }: { file: ViewedFile; title?: ReactNode }) {
  const t = words.use()
  const [step, setStep] = useState(wholePage)
  const [turns, setTurns] = useState(0)
  const save = () => void fetchFile(file.call, { query: { id: String(file.id) } })
  return (
    <div className="file-view">
      <div className="hd">
        {title}
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
        <IconButton icon="rotate" label={t('rotate')} onClick={() => setTurns((turns + 1) % 4)} />
        <IconButton icon="download" label={t('download')} onClick={save} />
      </div>
      <Pages file={file} zoom={zooms[step] ?? 1} turns={turns} onSave={save} />
    </div>
  )
}

/** Shows a file in a dialog. */
export function FileDialog({ file, onClose }: { file: ViewedFile; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={file.label}>
      <FileView file={file} />
    </Dialog>
  )
}

interface ShownProps {
  file: ViewedFile
  zoom: number
  turns: number
  onSave: () => void
}

/** Shows the pages below each other, each requested once the one before has arrived; the first answer has the total. */
function Pages({ file, zoom, turns, onSave }: ShownProps) {
  const t = words.use()
  const [pages, setPages] = useState(1)
  const [loaded, setCome] = useState(0)
  const shown = Math.min(pages, maxPages, loaded + 1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="sheets" aria-label={file.label} tabIndex={0}>
      {Array.from({ length: shown }, (_, index) => (
        <Page
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
          key={index}
          file={file}
          page={index + 1}
          pages={pages}
          zoom={zoom}
          turns={turns}
          onSave={onSave}
          onPageCount={setPages}
          onLoaded={() => setCome(Math.max(loaded, index + 1))}
        />
      ))}
      {loaded >= maxPages && pages > maxPages && (
        <Note>
          {t('firstPages', { n: maxPages, pages })}{' '}
          <button type="button" className="lk" onClick={onSave}>
            {t('download')}
          </button>
        </Note>
      )}
    </section>
  )
}

interface PageProps extends ShownProps {
  page: number
  pages: number
  onPageCount: (pages: number) => void
  onLoaded: () => void
}

function Page({ file, page, pages, zoom, turns, onSave, onPageCount, onLoaded }: PageProps) {
  const t = words.use()
  const { address, problem, retry } = usePage(file, page, onPageCount)
  if (problem) return <Problem problem={problem} retry={retry} onSave={onSave} />
  if (!address) return <Skeleton shape="text" rows={8} />
  const label = pages === 1 ? file.label : t('pageOf', { page, pages, name: file.label })
  return <Picture address={address} label={label} zoom={zoom} turns={turns} onLoaded={onLoaded} />
}

/** The error of a file the server can't render; it can still be downloaded. */
function Problem({ problem, retry, onSave }: { problem: CallError; retry: () => void; onSave: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const actions = (
    <>
      {problem.code === 'file.no_preview' && (
        <Button icon="download" onClick={onSave}>
          {t('download')}
        </Button>
      )}
      <Button onClick={retry}>{t('tryAgain')}</Button>
    </>
  )
  return (
    <div role="alert">
      <EmptyState icon="warning" title={translate(problem.message)} actions={actions} />
    </div>
  )
}

/** Loads a page with the session's token as an object URL, and revokes the previous one. */
function usePage({ call, id }: ViewedFile, page: number, onPageCount: (pages: number) => void) {
  const [address, setAddress] = useState<string>()
  const [problem, setProblem] = useState<CallError>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reads the same page again; the callback is stable
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let address: string | undefined
    setAddress(undefined)
    setProblem(undefined)
    callFile(call, { query: { id: String(id), page: String(page) }, signal })
      .then(({ blob, pages }) => {
        if (signal.aborted) return
        address = URL.createObjectURL(blob)
        setAddress(address)
        onPageCount(pages)
      })
      .catch((cause: CallError) => {
        if (!signal.aborted) setProblem(cause)
      })
    return () => {
      stop.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [call, id, page, tries])
  return { address, problem, retry: () => setTries(tries + 1) }
}

interface PictureProps {
  address: string
  label: string
  zoom: number
  turns: number
  onLoaded?: () => void
}

/** An image whose box has the rotated shape. */
function Picture({ address, label, zoom, turns, onLoaded }: PictureProps) {
  const [shape, setShape] = useState(0.8)
  const sideways = turns % 2 === 1
  return (
    <div
      className="sheet"
      style={{ width: `min(${zoom * 100}%, ${zoom * 560}px)`, aspectRatio: sideways ? 1 / shape : shape }}>
      <img
        src={address}
        alt={label}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setShape(naturalWidth / Math.max(1, naturalHeight))
          onLoaded?.()
        }}
        style={{
          width: sideways ? `${shape * 100}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  )
}
