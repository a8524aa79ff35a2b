import { officeMe } from '@podium/contract/staff'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff-people'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useRenew } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'

/** Whatever shows the office's people and their sessions. */
export const shownOfStaff = [staffList, staffSessions, ownSessions, officeMe]

/** Does something to the office's people, says so or why not, and asks anew for what is shown of them. */
export function useAct() {
  const renew = useRenew(shownOfStaff)
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
      await renew()
      setBusy(false)
    }
  }
  return { busy, act }
}
