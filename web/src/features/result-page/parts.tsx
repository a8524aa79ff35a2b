import type { PublicResult } from '@podium/contract/results-public'
import { useState } from 'react'
import { dayText } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { type T, words } from './words.ts'

/** Prizes, awards and the way on, a line each. */
export function Honours({ lines, label }: { lines: readonly string[]; label: string }) {
  if (lines.length === 0) return null
  return (
    <ul className="rp-honours" aria-label={label}>
      {lines.map((line) => (
        <li key={line}>
          <Icon name="medal" />
          {line}
        </li>
      ))}
    </ul>
  )
}

/** When it was released, whether it was corrected, and who reads this page. */
export function Footnote({ of, t }: { of: PublicResult; t: T }) {
  return (
    <p className="rp-foot">
      {t('released', { day: dayText(of.releasedAt) })} {of.version > 1 && t('corrected', { n: of.version })}{' '}
      {t('shortName')}
    </p>
  )
}

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
