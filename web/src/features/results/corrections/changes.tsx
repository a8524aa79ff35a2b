import { officeResultChanges } from '@podium/contract/results/calls-corrections'
import type { ResultSet } from '@podium/contract/results/calls-office'
import { useState } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { officeWords } from '../words-office.ts'
import { ChangedResults } from './changed-results.tsx'

const pageSize = 50

/** What a computed correction changes against the version that schools have seen, before anybody approves it. */
export function OfficeChanges({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(officeResultChanges, {
    query: { setId: String(set.setId), page: String(page), pageSize: String(pageSize) },
  })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (data && (data.version === null || data.total === 0)) return null
  const caption = t('changesCaption', { n: data?.version ?? set.version - 1 })
  return (
    <section className="res-changes">
      <h2>{caption}</h2>
      <ChangedResults
        caption={caption}
        rows={data?.data}
        paging={{ total: data?.total ?? 0, page, size: pageSize, onPage: setPage }}
      />
    </section>
  )
}
