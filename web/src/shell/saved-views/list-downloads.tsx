import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { MenuButton } from '#ui/menu-button.tsx'
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

/** What an office list shows by its filters as a file, behind one button for both formats; the call leaves the audit line. */
export function ListDownloads<E extends Endpoint>({ endpoint, bodyOf, of, lock }: Props<E>) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(true)
    try {
      await download(endpoint, { body: bodyOf(format) })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <MenuButton
      icon="download"
      label={t('export')}
      name={of ? t('exportOf', { of }) : undefined}
      busy={busy}
      disabled={lock}
      items={formats.map(({ format, label }) => ({ label, onChoose: () => void fetchFile(format) }))}
    />
  )
}
