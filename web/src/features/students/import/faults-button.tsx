import { importFaults } from '@podium/contract/students/calls-import-preview'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { deskWords } from './words.ts'

/** The rows that are not imported, as a spreadsheet with their reasons. */
export function FaultsButton({ importId, n }: { importId: string; n: number }) {
  const t = deskWords.use()
  const [fetching, setFetching] = useState(false)
  const fetchFile = async () => {
    setFetching(true)
    try {
      await download(importFaults, { query: { importId } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(translateSentence(cause.message))
    }
    setFetching(false)
  }
  return (
    <p className="dk-behind">
      <span className="hint">{t('left', { n })}</span>
      <Button icon="download" busy={fetching} onClick={() => void fetchFile()}>
        {t('faultsFile')}
      </Button>
    </p>
  )
}
