import { officeMe } from '@podium/contract/staff'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff-people'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'

/** Does something to the office's people, says so or why not, and asks anew for what is shown of them. */
export function useAct() {
  const client = useQueryClient()
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      toast.success(done)
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return false
    } finally {
      const stale = [staffList, staffSessions, ownSessions, officeMe]
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
      setBusy(false)
    }
  }
  return { busy, act }
}
