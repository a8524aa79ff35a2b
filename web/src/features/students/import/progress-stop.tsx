import { cancelImport } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { importWords } from './words-progress.ts'

/** Ends an import that runs; what is saved by then stays. */
export function ImportStop({ importId }: { importId: string }) {
  const t = importWords.use()
  const client = useQueryClient()
  const [stopping, setStopping] = useState(false)
  const stop = async () => {
    setStopping(true)
    try {
      await call(cancelImport, { body: { importId } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(translateSentence(cause.message))
    }
    await client.invalidateQueries()
    setStopping(false)
  }
  return (
    <Button kind="danger" busy={stopping} onClick={() => void stop()}>
      {t('stop')}
    </Button>
  )
}
