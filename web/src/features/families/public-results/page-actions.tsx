import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { words } from './words.ts'

/** Hands the page on by the device's own way, or copies its address; prints it. */
export function PageActions({ name }: { name: string }) {
  const t = words.use()
  const [said, setSaid] = useState('')
  const share = async () => {
    const url = window.location.href
    try {
      if (navigator.share) await navigator.share({ title: t('shareText', { name }), url })
      else {
        await navigator.clipboard.writeText(url)
        setSaid(t('copied'))
      }
    } catch (cause) {
      // Closing the device's own dialog is no failure.
      if (!(cause instanceof DOMException && cause.name === 'AbortError')) setSaid(t('copyFailed'))
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
      <p role="status">{said}</p>
    </div>
  )
}
