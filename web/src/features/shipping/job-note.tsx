import { cancelDispatchJob, dispatchJobState } from '@podium/contract/shipping/calls-orders'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { endpointQuery, useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { shownOfDispatch, useMayWrite } from './orders/data.ts'
import { words } from './words.ts'

const looksEvery = 1_000

/** The packing whose end was shown last: it is told on one page, not on all of dispatch. */
let told: string | undefined

/** The packing of many schools: counted while it runs, told once when it has ended, on the page that is open then or the next one. */
export function JobNote() {
  const t = words.use()
  const say = useSentences()
  const renew = useInvalidate(shownOfDispatch)
  const mayWrite = useMayWrite()
  const stop = useEndpointMutation(cancelDispatchJob, { onSettled: () => renew() })
  const [closed, setClosed] = useState(told)
  const { data } = useQuery({
    ...endpointQuery(dispatchJobState, { query: {} }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.job?.state) ? looksEvery : false),
  })
  const job = data?.job
  const running = isUnderWay(job?.state)
  const ended = job && !running ? job.jobId : undefined
  useEffect(() => {
    if (ended) void renew()
  }, [ended, renew])
  useEffect(() => {
    if (!ended) return
    return () => {
      told = ended
    }
  }, [ended])
  if (!job || closed === job.jobId) return null
  if (running)
    return (
      <section className="panel od-job" aria-live="polite">
        <ProgressBar
          label={t('packing')}
          total={Math.max(1, job.total)}
          done={job.done}
          aside={
            <Button
              kind="text"
              busy={stop.isPending}
              disabled={mayWrite ? undefined : t('mayNotWrite')}
              onClick={() => stop.mutate({ body: { jobId: job.jobId } })}
            >
              {t('stop')}
            </Button>
          }
        >
          {t('packingSays', { done: job.done, n: job.total })}
        </ProgressBar>
      </section>
    )
  const { packets = 0, schools = 0 } = job.outcome
  return (
    <div className="mb-4">
      <Note kind={job.state === 'done' ? 'ok' : job.state === 'failed' ? 'bad' : 'info'}>
        {job.state === 'failed'
          ? say(job.error ?? '')
          : t(job.state === 'done' ? 'packedAll' : 'packingStopped', { packets, n: schools })}{' '}
        <Button kind="text" onClick={() => setClosed(job.jobId)}>
          {t('hide')}
        </Button>
      </Note>
    </div>
  )
}

const isUnderWay = (state: string | undefined) => state === 'waiting' || state === 'running'
