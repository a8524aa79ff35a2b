import { useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/families-public-results-rest.json'

// Parts of the result page that load later, with their words: sharing, and what is shown instead of a result.

const words = defineWords<typeof en>(import.meta.glob('#words/*/families-public-results-rest.json'))

/** Shares the page through the device, or copies its address; prints it. */
export function PageActions({ name }: { name: string }) {
  const t = words.use()
  const [message, setMessage] = useState('')
  const share = async () => {
    const url = window.location.href
    try {
      if (navigator.share) await navigator.share({ title: t('shareText', { name }), url })
      else {
        await navigator.clipboard.writeText(url)
        setMessage(t('copied'))
      }
    } catch (cause) {
      // Cancelling the device's share dialog is not an error.
      if (!(cause instanceof DOMException && cause.name === 'AbortError')) setMessage(t('copyFailed'))
    }
  }
  return (
    <div className="rp-acts no-print">
      <Button kind="primary" icon="share" wide onClick={() => void share()}>
        {t('share')}
      </Button>
      <Button icon="print" wide onClick={() => window.print()}>
        {t('print')}
      </Button>
      <p role="status">{message}</p>
    </div>
  )
}

/** The server's message and “Try again”. */
export function Problem({ message, retry }: { message: string; retry: () => void }) {
  const translate = useSentences()
  return (
    <ErrorState level={1} retry={retry}>
      {translate(message)}
    </ErrorState>
  )
}

const stateIcons = { unknown: 'search', over: 'lock', awaited: 'clock' } as const

/** Why a link leads to no result. */
export function NoResult({ state }: { state: keyof typeof stateIcons }) {
  const t = words.use()
  return (
    <EmptyState icon={stateIcons[state]} level={1} title={t(`${state}Title`)}>
      {t(state)}
    </EmptyState>
  )
}
