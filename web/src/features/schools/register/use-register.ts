import { officeSchools } from '@podium/contract/schools/calls-register'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { registerFilters } from './filters.ts'

/** The schools that the address asks for, and what is asked; `money` where the role may read what they owe. */
export function useRegister() {
  const season = useSeason()
  const filters = useFilters(registerFilters)
  const { page, ...wanted } = filters.values
  const asked = { FYear: season, ...wanted }
  const list = useEndpoint(officeSchools, { query: { ...asked, page: String(page) } })
  const set = filters.countSet(
    'search',
    'state',
    'district',
    'standing',
    'due',
    'staff',
    'contacts',
    'followUp',
  )
  const money = useSession()?.permissions?.includes('payments.read') ?? false
  return { season, filters, asked, list, set, money }
}

export type Register = ReturnType<typeof useRegister>
