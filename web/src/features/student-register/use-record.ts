import { officeStudent } from '@podium/contract/students-record'
import { officeStudents } from '@podium/contract/students-register'
import { useParams } from '@tanstack/react-router'
import { type Answer, CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint, useRenew } from '#shell/query.ts'
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

/** Everything that shows a child: asked for anew after each change. */
export const shownOfStudents = [officeStudent, officeStudents]

/** Does something and says so, or says why not; then the latest state is shown. Answers what was done. */
export function useDoing(): <T>(
  act: () => Promise<T>,
  done?: (answer: T) => string,
) => Promise<T | undefined> {
  const renew = useRenew(shownOfStudents)
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
