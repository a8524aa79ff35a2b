import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue-event'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue-season'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'

const shown = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]

/** Everything shown of seasons and events is asked for again. */
export function useRenew(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all(shown.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
  }, [client])
}

/** Does something and says so; a refusal is said too. What is shown is renewed either way. */
export function useActing(): (act: () => Promise<unknown>, done: string) => Promise<boolean> {
  const renew = useRenew()
  const say = useSentences()
  return async (act, done) => {
    try {
      await act()
      toast.success(done)
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return false
    } finally {
      await renew()
    }
  }
}
