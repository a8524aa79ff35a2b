import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue-event'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue-season'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useRenew } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'

/** Everything shown of seasons and events. */
export const shownOfCatalogue = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]

/** Does something and says so; a refusal is said too. What is shown is renewed either way. */
export function useActing(): (act: () => Promise<unknown>, done: string) => Promise<boolean> {
  const renew = useRenew(shownOfCatalogue)
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
