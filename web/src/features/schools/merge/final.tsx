import { type MergeField, mergeJob, mergeSchools } from '@podium/contract/schools/calls-merge'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { Preview } from './data.ts'
import { words } from './words.ts'

interface FinalProps {
  preview: Preview
  take: readonly MergeField[]
}

const asksEvery = 1_500

/** Merges at once, or follows the job that does it; then the school that stays is shown. */
function useMerging({ preview: { stays, leaves, seen }, take }: FinalProps) {
  const t = words.use()
  const say = useSentences()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ text: string; field: string }>()
  const [jobId, setJob] = useState('')
  const done = useCallback(async () => {
    toast.success(t('done', { leaves: leaves.schCode, stays: stays.schCode }))
    await navigate({ to: officePaths.school, params: { id: String(stays.id) } })
    await client.invalidateQueries()
  }, [t, client, navigate, leaves.schCode, stays.schCode, stays.id])
  const job = useQuery({
    ...endpointQuery(mergeJob, { query: { jobId } }),
    enabled: jobId !== '',
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' || state.data?.state === 'running' ? asksEvery : false,
  }).data
  const state = jobId === '' ? undefined : job?.state
  useEffect(() => {
    if (state === 'done') void done()
  }, [state, done])
  const merge = async (typed: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const versions = { staysVersion: stays.version, leavesVersion: leaves.version }
      const body = { stays: stays.id, leaves: leaves.id, ...versions, seen, take: [...take], typed }
      const answer = await call(mergeSchools, { body })
      if (answer.jobId === '') await done()
      else setJob(answer.jobId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      const issue = cause.issues?.[0]
      setProblem({ text: say(issue?.message ?? cause.message), field: issue?.path ?? '' })
      await client.invalidateQueries()
    } finally {
      setBusy(false)
    }
  }
  const failed = state === 'failed' || state === 'cancelled' ? say(job?.error ?? '') : undefined
  const working = jobId !== '' && failed === undefined
  return { merge, busy: busy || working, working, problem: failed ? { text: failed, field: '' } : problem }
}

/** Says that it can't be taken back, asks for the code to be typed, and merges. */
export function Final(props: FinalProps) {
  const t = words.use()
  const { stays, leaves, blocks } = props.preview
  const [typed, setTyped] = useState('')
  const { merge, busy, working, problem } = useMerging(props)
  const right = typed.trim().toUpperCase() === leaves.schCode
  const names = { leaves: leaves.schCode, stays: stays.schCode }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (right && blocks.length === 0 && !busy) void merge(typed)
  }
  return (
    <Panel title={t('mergeTitle')}>
      <form className="merge-final" onSubmit={send}>
        <Note kind="due">
          <strong>{t('final')}</strong> {t('finalSays', { leaves: leaves.schName, stays: stays.schName })}
        </Note>
        {problem && problem.field !== 'typed' && <Note kind="bad">{problem.text}</Note>}
        {working && <Note>{t('working')}</Note>}
        <TextField
          label={t('typed', { code: leaves.schCode })}
          autoComplete="off"
          autoCapitalize="characters"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem?.field === 'typed' ? problem.text : undefined}
        />
        <Button
          type="submit"
          kind="danger-filled"
          busy={busy}
          disabled={blocks.length > 0 ? t('blocked') : right ? undefined : t('typeFirst')}
        >
          {t('merge', names)}
        </Button>
      </form>
    </Panel>
  )
}
