import {
  cancelLetters,
  type LetterRun,
  letterFile,
  letterPlan,
  letterRuns,
} from '@podium/contract/schools/calls-letters'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery, useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { sizeText } from '#ui/size-text.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const looksEvery = 1_000
const isUnderWay = ({ state }: Pick<LetterRun, 'state'>) => state === 'waiting' || state === 'running'

/** The print jobs: counted while they run, fetched PDF by PDF as soon as each is ready. */
export function LetterRuns() {
  const t = words.use()
  const client = useQueryClient()
  const runs = useQuery({
    ...endpointQuery(letterRuns, {}),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? looksEvery : false),
  })
  const busy = runs.data?.data.some(isUnderWay) ?? false
  // What was printed has a code now: the figures above follow.
  useEffect(() => {
    if (!busy) void client.invalidateQueries({ queryKey: [letterPlan.path] })
  }, [busy, client])
  if (runs.isError && !runs.data) return <LoadProblem error={runs.error} retry={runs.refetch} />
  return (
    <Panel title={t('runs')}>
      {!runs.data && <Skeleton shape="text" rows={3} />}
      {runs.data?.data.length === 0 && <EmptyState icon="print" title={t('runsNone')} />}
      {runs.data?.data.map((run) => (
        <Run key={run.jobId} run={run} />
      ))}
    </Panel>
  )
}

function Run({ run }: { run: LetterRun }) {
  const t = words.use()
  const say = useSentences()
  const stop = useEndpointMutation(cancelLetters, { renews: [letterRuns] })
  return (
    <section className="letters-run stack">
      <header>
        <div>
          <h3>{t('runTitle', { n: run.total, language: t(`in_${run.language}`) })}</h3>
          <span className="quiet">
            {run.by}, <Moment value={run.at} />
          </span>
        </div>
        {isUnderWay(run) && (
          <Button
            kind="text"
            busy={stop.isPending}
            onClick={() => stop.mutate({ body: { jobId: run.jobId } })}
          >
            {t('stop')}
          </Button>
        )}
      </header>
      <div className="stack" aria-live="polite">
        {run.state === 'waiting' && <p className="quiet">{t('waiting')}</p>}
        {run.state === 'running' && (
          <ProgressBar label={t('making')} total={Math.max(1, run.total)} done={run.done}>
            {t('makingSays', { done: count(run.done), n: count(run.total) })}
          </ProgressBar>
        )}
        {run.state === 'failed' && <Note kind="bad">{say(run.error ?? '')}</Note>}
        {run.state === 'cancelled' && <Note kind="info">{t('stopped')}</Note>}
        {run.state === 'done' && <Outcome run={run} />}
      </div>
      <Files run={run} />
    </section>
  )
}

function Outcome({ run }: { run: LetterRun }) {
  const t = words.use()
  const said = [
    t('doneSays', { n: run.total - run.left }),
    run.made > 0 && t('made', { n: run.made }),
    run.renewed > 0 && t('renewed', { n: run.renewed }),
    run.left > 0 && t('left', { n: run.left }),
  ].filter((line) => line !== false)
  return (
    <>
      <p>{said.join(' · ')}</p>
      {run.files.length === 0 && <p className="quiet">{t('over')}</p>}
    </>
  )
}

function Files({ run }: { run: LetterRun }) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState<number>()
  if (run.files.length === 0) return null
  const fetchFile = async (piece: number) => {
    setBusy(piece)
    try {
      await download(letterFile, { body: { jobId: run.jobId, piece } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <>
      <ul className="letters-files" aria-label={t('files')}>
        {run.files.map((file) => (
          <li key={file.piece}>
            <span>
              {file.name}{' '}
              <small>
                {t('schoolsOf', { n: file.schools })}, {sizeText(file.bytes)}
              </small>
            </span>
            <Button
              icon="download"
              busy={busy === file.piece}
              aria-label={t('fetch', { name: file.name })}
              onClick={() => void fetchFile(file.piece)}
            >
              {t(file.piece === 0 ? 'zip' : 'pdf')}
            </Button>
          </li>
        ))}
      </ul>
      <p className="quiet">
        {t('until')} <Moment value={run.until} />
      </p>
    </>
  )
}
