import { lazyDialog } from '#ui/lazy-part.ts'
import '../office.css'
import type { BodyOf } from '@podium/contract/endpoint'
import {
  cancelLetters,
  type LetterCodes,
  type LetterLanguages,
  type LetterPlan,
  type LetterRun,
  letterCodes,
  letterFile,
  letterLanguages,
  letterPlan,
  letterRuns,
  startLetters,
} from '@podium/contract/schools/calls-mailings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { isInProgress, JobFiles } from '#shell/jobs/job-panel.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/schools-letters.json'
import { letterFilters, schoolFilterKeys } from '../filters.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-letters.json'))

const pollInterval = 1_000

/** The print jobs: progress while they run, each PDF downloadable as soon as it is ready. */
function LetterRuns() {
  const t = words.use()
  const client = useQueryClient()
  const runs = useQuery({
    ...endpointQuery(letterRuns, {}),
    refetchInterval: ({ state }) =>
      state.data?.data.some((run) => isInProgress(run.state)) ? pollInterval : false,
  })
  const busy = runs.data?.data.some((run) => isInProgress(run.state)) ?? false
  // Printed schools now have a code, so the figures above change.
  useEffect(() => {
    if (!busy) void client.invalidateQueries({ queryKey: [letterPlan.path] })
  }, [busy, client])
  if (runs.isError && !runs.data) return <LoadProblem error={runs.error} retry={runs.refetch} />
  return (
    <Panel title={t('runs')}>
      {!runs.data && <Skeleton shape="text" rows={3} />}
      {runs.data?.data.length === 0 && <EmptyState icon="print" title={t('runsNone')} />}
      <div className="ruled">
        {runs.data?.data.map((run) => (
          <Run key={run.jobId} run={run} />
        ))}
      </div>
    </Panel>
  )
}

function Run({ run }: { run: LetterRun }) {
  const t = words.use()
  const translate = useSentences()
  const { busy, act } = useAction([letterRuns])
  return (
    <section className="stack">
      <header className="row between">
        <div>
          <h3>{t('runTitle', { n: run.total, language: t(`in_${run.language}`) })}</h3>
          <span className="quiet">
            {run.by}, <Moment value={run.at} />
          </span>
        </div>
        {isInProgress(run.state) && (
          <Button
            kind="text"
            busy={busy}
            onClick={() => void act(() => call(cancelLetters, { body: { jobId: run.jobId } }))}>
            {t('stop')}
          </Button>
        )}
      </header>
      <div className="stack" aria-live="polite">
        {run.state === 'waiting' && <p className="quiet">{t('waiting')}</p>}
        {run.state === 'running' && (
          <ProgressBar label={t('making')} total={Math.max(1, run.total)} done={run.done}>
            {t('makingProgress', { done: count(run.done), n: count(run.total) })}
          </ProgressBar>
        )}
        {run.state === 'failed' && <Note kind="bad">{translate(run.error ?? '')}</Note>}
        {run.state === 'cancelled' && <Note kind="info">{t('stopped')}</Note>}
        {run.state === 'done' && <Outcome run={run} />}
      </div>
      <Files run={run} />
    </section>
  )
}

function Outcome({ run }: { run: LetterRun }) {
  const t = words.use()
  const facts = [
    t('doneHint', { n: run.total - run.left }),
    run.made > 0 && t('made', { n: run.made }),
    run.renewed > 0 && t('renewed', { n: run.renewed }),
    run.left > 0 && t('left', { n: run.left }),
  ].filter((line) => line !== false)
  return (
    <>
      <p>{facts.join(' · ')}</p>
      {run.files.length === 0 && <p className="quiet">{t('over')}</p>}
    </>
  )
}

function Files({ run: { jobId, files, until } }: { run: LetterRun }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<number>()
  return (
    <JobFiles
      files={files.map(({ piece: part, schools: n, ...file }) => ({
        ...file,
        part,
        contents: t('schoolsOf', { n }),
      }))}
      until={until}
      busy={busy}
      onFetch={(piece) => void fetchFile(piece, letterFile, { body: { jobId, piece } })}
    />
  )
}

const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

type LetterRequest = Omit<BodyOf<typeof startLetters>, 'language' | 'codes' | 'schools'>

/** Language and codes of the letters, and what that does to existing codes. */
function LetterForm({ request, plan }: { request: LetterRequest; plan: LetterPlan }) {
  const t = words.use()
  const [language, setLanguage] = useState<LetterLanguages>('en')
  const [codes, setCodes] = useState<LetterCodes>('keep')
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAction([letterRuns, letterPlan])
  const ends = codes === 'new' ? plan.printable + plan.unreadable : plan.unreadable
  const print = () => call(startLetters, { body: { ...request, language, codes, schools: plan.schools } })
  return (
    <Panel title={t('print')}>
      <div className="letters-form stack gap-4">
        <p>{t('pieces', { n: plan.pieces })}</p>
        <RadioField
          label={t('language')}
          name="language"
          value={language}
          choices={letterLanguages.map((value) => ({ value, label: t(`lang_${value}`) }))}
          onChange={(next) => setLanguage(next as LetterLanguages)}
        />
        <RadioField
          label={t('codes')}
          name="codes"
          value={codes}
          choices={letterCodes.map((value) => ({ value, label: t(`codes_${value}`) }))}
          onChange={(next) => setCodes(next as LetterCodes)}
        />
        <Consequences plan={plan} codes={codes} />
        <Button
          kind="primary"
          big
          icon="print"
          busy={busy}
          disabled={plan.schools === 0 ? t('none') : undefined}
          onClick={() => (ends > 0 ? setAsking(true) : void act(print))}>
          {t('printN', { n: plan.schools })}
        </Button>
      </div>
      {asking && (
        <ConfirmAction
          danger
          title={t('sureTitle', { n: ends })}
          action={t('sure')}
          act={print}
          invalidates={[letterRuns, letterPlan]}
          onClose={() => setAsking(false)}>
          {t('sureHint', { n: ends })}
        </ConfirmAction>
      )}
    </Panel>
  )
}

/** What printing does to links and codes, said beforehand. */
function Consequences({ plan, codes }: { plan: LetterPlan; codes: LetterCodes }) {
  const t = words.use()
  const hasNewCodes = codes === 'new'
  const lines = [
    plan.printable > 0 && !hasNewCodes && t('unchanged', { n: plan.printable }),
    plan.without > 0 && t('without', { n: plan.without }),
    plan.off > 0 && t('off', { n: plan.off }),
  ].filter((line) => line !== false)
  return (
    <>
      {lines.length > 0 && (
        <ul className="stack gap-2">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {hasNewCodes && plan.printable + plan.unreadable > 0 && (
        <Note kind="due">{t('renewAll', { n: plan.printable + plan.unreadable })}</Note>
      )}
      {!hasNewCodes && plan.unreadable > 0 && (
        <Note kind="due">{t('unreadable', { n: plan.unreadable })}</Note>
      )}
    </>
  )
}

/** Invitation letters for the schools in the URL: the effect on their codes, the print jobs, the files. */
export function LettersPage() {
  const t = words.use()
  const { values, countSet } = useFilters(letterFilters)
  const { ids, file, ...filterValues } = values
  const request = { FYear: useSeason(), ...values }
  const may = useMay('schools.codes')
  const plan = useEndpoint(letterPlan, { query: request, enabled: may })
  const set = countSet(...schoolFilterKeys)
  const n = plan.data ? plan.data.schools + plan.data.off : undefined
  const key = ids !== '' ? 'factChosen' : file !== '' ? 'factFile' : set > 0 ? 'factFiltered' : 'factAll'
  return (
    <>
      <PageHeader title={t('title')} fact={n !== undefined && t(key, { n, file: plan.data?.fileName ?? '' })}>
        {file !== '' ? (
          <Link to={officePaths.schoolImport} search={{ file }}>
            {t('backImport')}
          </Link>
        ) : (
          <Link to={officePaths.schools} search={ids === '' ? filterValues : {}}>
            {t('backRegister')}
          </Link>
        )}
      </PageHeader>
      {!may ? (
        <Note kind="due">{t('mayNot')}</Note>
      ) : (
        <div className="stack">
          {plan.isError && !plan.data ? (
            <LoadProblem error={plan.error} retry={plan.refetch} />
          ) : plan.data ? (
            <LetterForm request={request} plan={plan.data} />
          ) : (
            <Skeleton shape="form" />
          )}
          <LetterRuns />
        </div>
      )}
    </>
  )
}
