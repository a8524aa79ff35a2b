import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'

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
