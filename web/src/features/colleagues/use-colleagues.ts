import { getColleagues } from '@podium/contract/colleagues'
import { getSignOffs } from '@podium/contract/signoff'
import { useQueryClient } from '@tanstack/react-query'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { toast } from '#ui/toast.tsx'

/**
 * Does something with the people of the school and says so; a refusal is said too, and in every case the latest state
 * is shown. Answers whether it was done.
 */
export function useDoing(): (act: () => Promise<unknown>, done: string) => Promise<boolean> {
  const client = useQueryClient()
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
      // Who coordinates decides about signing lists off.
      const stale = [getColleagues, getSignOffs]
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    }
  }
}
