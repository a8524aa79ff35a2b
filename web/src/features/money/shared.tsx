import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

type T = ReturnType<typeof words.use>

export function feeName(t: T, paymentFor: string): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return t(paymentFor === 'Book Fee' ? 'bookFee' : 'registrationFee')
}

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

interface DownloadsProps<E extends Endpoint> {
  endpoint: E
  bodyOf: (format: 'xlsx' | 'csv') => BodyOf<E>
}

/** A list as a file in both formats. */
export function Downloads<E extends Endpoint>({ endpoint, bodyOf }: DownloadsProps<E>) {
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
      aria-label={t('download', { format: label })}
      onClick={() => void fetchFile(format)}
    >
      {label}
    </Button>
  ))
}
