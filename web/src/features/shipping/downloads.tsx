import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

/** Fetches a file and says why where there is none. Answers whether it came. */
export function useFetchFile() {
  const say = useSentences()
  const [busy, setBusy] = useState<string>()
  const fetchFile = async (name: string, endpoint: Endpoint, body: object): Promise<boolean> => {
    setBusy(name)
    try {
      await download(endpoint, { body })
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, fetchFile }
}

/** The list as a spreadsheet, in either format. */
export function Downloads({ fetch, body }: { fetch: Endpoint; body: object }) {
  const t = words.use()
  const { busy, fetchFile } = useFetchFile()
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      icon="download"
      busy={busy === format}
      aria-label={t('download', { format: label })}
      onClick={() => void fetchFile(format, fetch, { ...body, format })}
    >
      {label}
    </Button>
  ))
}
