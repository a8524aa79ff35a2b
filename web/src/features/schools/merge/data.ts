import { mergeCandidates, previewMerge } from '@podium/contract/schools/calls-merge'
import { useParams } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint, useFreshQuery } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { mergeFilters } from './filters.ts'

export type Preview = Answer<typeof previewMerge>

/** The school of the address, those that may be the same, and, once one is chosen, the two side by side. */
export function useMerge() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const filters = useFilters(mergeFilters)
  const { other, search } = filters.values
  const mayMerge = useSession()?.permissions?.includes('schools.merge') ?? false
  const candidates = useEndpoint(mergeCandidates, { query: { id: String(id), search }, enabled: other === 0 })
  const preview = useFreshQuery(previewMerge, {
    query: { stays: String(id), leaves: String(other) },
    enabled: other !== 0 && mayMerge,
  })
  // Earlier data stays while the next loads: it is not the pair that was asked for.
  const fits = preview.data?.stays.id === id && preview.data.leaves.id === other
  return { id, other, filters, mayMerge, candidates, preview, data: fits ? preview.data : undefined }
}

export type Merge = ReturnType<typeof useMerge>
