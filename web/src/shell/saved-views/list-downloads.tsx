import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { CallError } from '../call.ts'
import { download } from '../download.ts'
import { useSentences } from '../language/sentences.ts'
import { words } from './words.ts'

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

interface Props<E extends Endpoint> {
  endpoint: E
  bodyOf: (format: 'xlsx' | 'csv') => BodyOf<E>
  /** What is downloaded, where a page has more than one list */
  of?: string | undefined
  /** Why nobody may download it here */
  lock?: string | undefined
}

/** What an office list shows by its filters as a file in both formats; the call leaves the audit line. */
export function ListDownloads<E extends Endpoint>({ endpoint, bodyOf, of, lock }: Props<E>) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState<string>()
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(format)
    try {
      await download(endpoint, { body: bodyOf(format) })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      icon="download"
      busy={busy === format}
      disabled={lock}
      aria-label={of ? t('downloadOf', { of, format: label }) : t('download', { format: label })}
      onClick={() => void fetchFile(format)}
    >
      {label}
    </Button>
  ))
}
