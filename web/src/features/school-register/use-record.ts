import { officeSchool, officeSchoolHistory, officeSchoolYears } from '@podium/contract/schools-record'
import { officeSchools } from '@podium/contract/schools-register'
import { officeMe } from '@podium/contract/staff'
import { useParams } from '@tanstack/react-router'
import { type Answer, CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint, useRenew } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { toast } from '#ui/toast.tsx'

export type SchoolOne = Answer<typeof officeSchool>

/** The school that the address names, with its people, contacts and link. */
export function useRecord() {
  const season = useSeason()
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeSchool, { query: { id, FYear: season } })
  // Earlier data stays while the next loads: it is not the school that was asked for.
  const data = record.data?.school.id === Number(id) ? record.data : undefined
  return { id, season, record, data }
}

/** Everything that shows a school: asked for anew after each change. */
export const shownOfSchools = [officeSchool, officeSchoolYears, officeSchoolHistory, officeSchools, officeMe]

/**
 * Does something to a school and says so. A refusal is said too, and after one of 409 the latest state is shown.
 * Answers whether it was done.
 */
export function useDoing(): (act: () => Promise<unknown>, done: string) => Promise<boolean> {
  const renew = useRenew(shownOfSchools)
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
