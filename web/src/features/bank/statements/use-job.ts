import { bankLineOne, bankLines } from '@podium/contract/bank/calls'
import { bankJob } from '@podium/contract/bank/calls-statements'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpointQuery } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'
import type { Lines } from './use-lines.ts'
import { words } from './words.ts'

/** Follows the comparing or booking that was begun here, by its id, and says what came of it once it is done. */
export function useJob({ filters }: Lines): (jobId: string) => void {
  const t = words.use()
  const client = useQueryClient()
  const [jobId, setJobId] = useState<string>()
  const { data } = useQuery({
    ...endpointQuery(bankJob, { query: { jobId: jobId ?? '' } }),
    // Never the end of the work before this one.
    placeholderData: undefined,
    enabled: jobId !== undefined,
    refetchInterval: 1000,
  })
  const job = data?.job
  useEffect(() => {
    if (!job || job.state === 'waiting' || job.state === 'running') return
    setJobId(undefined)
    for (const { path } of [bankLines, bankLineOne]) void client.invalidateQueries({ queryKey: [path] })
    if (job.kind === 'bank-match') {
      if (job.state === 'done') toast.success(t('compared', { exact: job.exact, likely: job.likely }))
      else toast.error(t('comparingEnded'))
      return
    }
    // The line that stood open was perhaps booked with the others: on to the first that is left.
    if (job.booked > 0 && ['first', 'exact'].includes(filters.values.state)) filters.change({ id: 0 })
    if (job.booked > 0) toast.success(t('doneAll', { n: job.booked }))
    if (job.skipped > 0) toast.error(t('skipped', { n: job.skipped }))
    if (job.state !== 'done') toast.error(t('bookingEnded'))
  }, [job, client, t, filters])
  return setJobId
}
