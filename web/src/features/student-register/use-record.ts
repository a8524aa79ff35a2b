import { officeStudent } from '@podium/contract/students-record'
import { officeStudents } from '@podium/contract/students-register'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type Answer, CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'

export type StudentOne = Answer<typeof officeStudent>

/** The child that the address names. */
export function useStudent() {
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeStudent, { query: { id } })
  // Earlier data stays while the next loads: it is not the child that was asked for.
  const data = record.data?.student.id === Number(id) ? record.data : undefined
  return { record, data }
}

/** Everything shown of a child is asked for again. */
export function useRenew(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const stale = [officeStudent, officeStudents]
    await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
  }, [client])
}

/** Does something and says so, or says why not; then the latest state is shown. Answers what was done. */
export function useDoing(): <T>(
  act: () => Promise<T>,
  done?: (answer: T) => string,
) => Promise<T | undefined> {
  const renew = useRenew()
  const say = useSentences()
  return async (act, done) => {
    try {
      const answer = await act()
      if (done) toast.success(done(answer))
      return answer
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return undefined
    } finally {
      await renew()
    }
  }
}
