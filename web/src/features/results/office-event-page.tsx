import { marksTemplate } from '@podium/contract/results/calls'
import { importMarks, type ResultSet } from '@podium/contract/results/calls-office'
import { istDay } from '@podium/contract/season'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { useFilters } from '#shell/filters.ts'
import { useLeavePageQuestion } from '#shell/form-frame.tsx'
import { count, Day, dayText, keepDatesTogether, Moment, nothing } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSeasonOf } from '#shell/season.ts'
import { useAttempt } from '#shell/use-action.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { FileField } from '#ui/file-field.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SeasonTrack } from '#ui/season-track.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import {
  eventName,
  hasResults,
  jobOf,
  nextStep,
  type OfficeEvent,
  resultEventCalls,
  shownState,
  useOfficeEvent,
  workingSet,
} from './office-event.ts'
import { type OfficeStep, officeFilters, officeSteps } from './office-filters.ts'
import { officeWords, Problem, StateBadge, useReason } from './office-parts.tsx'
import { ImportOutcome, JobProgress } from './office-read.tsx'
import './results.css'
import './office.css'

/** All versions of an event's results, newest first: who did what, and when schools could see them. */
function Versions({ of: { sets } }: { of: OfficeEvent }) {
  const t = officeWords.use()
  return (
    <section aria-label={t('versions')}>
      <h2 className="res-head row mb-3">{t('versions')}</h2>
      <DataTable
        caption={t('versionsCaption')}
        rows={sets}
        rowKey={(set) => String(set.setId)}
        empty={<EmptyState icon="upload">{t('noVersions')}</EmptyState>}
        cardColumns={2}
        columns={columnsOf(t, [
          {
            key: 'version',
            title: true,
            cell: (set: ResultSet) => lines(t('versionNo', { n: set.version }), set.fileName, set.reason),
          },
          { key: 'state', cell: (set) => <StateBadge state={shownState(set)} /> },
          { key: 'rows', num: true, cell: (set) => count(set.rows) },
          { key: 'rules', num: true, cell: (set) => set.rulesVersion || nothing },
          { key: 'imported', cell: (set) => lines(set.importedBy, <Day value={set.importedAt} />) },
          { key: 'computedBy', cell: (set) => set.computedBy || nothing },
          { key: 'approvedBy', cell: (set) => set.approvedBy || nothing },
          { key: 'visibleFrom', card: 'wide', cell: (set) => <Moment value={set.releaseAt} /> },
        ])}
      />
    </section>
  )
}

const AnomaliesStep = lazyPart(() => import('./marks/anomalies.tsx'), 'AnomaliesStep')
const ComputeStep = lazyPart(() => import('./ranking/steps.tsx'), 'ComputeStep')
const PreviewStep = lazyPart(() => import('./release/preview.tsx'), 'PreviewStep')
const ApproveStep = lazyPart(() => import('./ranking/steps.tsx'), 'ApproveStep')
const ReleaseStep = lazyPart(() => import('./release/release.tsx'), 'ReleaseStep')
const OfficeCertificates = lazyPart(() => import('./certificates/office.tsx'), 'OfficeCertificates')
const Holds = lazyPart(() => import('./release/holds.tsx'), 'Holds')

/** The page of one event: the steps from the marks file to the release, then its versions and withheld schools. */
export function OfficeResultEventPage() {
  const t = officeWords.use()
  const { eventYearId } = useParams({ strict: false })
  const { data, error, refetch } = useOfficeEvent(Number(eventYearId))
  useSeasonOf(data?.event.season, officePaths.results)
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="form" page />
  const { event } = data
  return (
    <div className="stack">
      <div>
        <PageHeader
          title={eventName(event)}
          fact={t('eventFact', {
            season: event.season,
            maximum: event.maximumMarks,
            sections: event.sections.length,
            rules: event.rulesVersion,
          })}>
          <Link to={officePaths.results}>{t('back')}</Link>
        </PageHeader>
        <Steps of={data} />
      </div>
      <Versions of={data} />
      <Suspense fallback={<Skeleton shape="table" rows={2} />}>
        {event.visible && <OfficeCertificates eventYearId={event.eventYearId} setId={event.visible.setId} />}
        <Holds eventYearId={event.eventYearId} />
      </Suspense>
    </div>
  )
}

function Steps({ of }: { of: OfficeEvent }) {
  const t = officeWords.use()
  const { values } = useFilters(officeFilters)
  const set = workingSet(of)
  const next = nextStep(set)
  // A computed version is previewed before it is approved.
  const shown = values.step || (set?.state === 'computed' ? 'preview' : next)
  return (
    <div className="stack">
      <Panel padded={false}>
        <OfficeTrack set={set} next={next} shown={shown} />
      </Panel>
      {set?.state === 'imported' && shown !== 'import' && <ImportOutcome set={set} shown={shown} />}
      <Suspense fallback={<Skeleton shape="table" rows={4} />}>
        {shown === 'import' && <ImportStep of={of} set={set} />}
        {shown !== 'import' && !set && <Panel title={t(shown)}>{t('needsImport')}</Panel>}
        {set && shown === 'anomalies' && <AnomaliesStep of={of} set={set} />}
        {set && shown === 'compute' && <ComputeStep of={of} set={set} />}
        {set && !hasResults(set) && ['preview', 'approve', 'release'].includes(shown) && (
          <Panel title={t(shown)}>{t('needsCompute')}</Panel>
        )}
        {set && hasResults(set) && shown === 'preview' && <PreviewStep set={set} event={of.event} />}
        {set && hasResults(set) && shown === 'approve' && <ApproveStep set={set} />}
        {set && hasResults(set) && shown === 'release' && <ReleaseStep of={of} set={set} />}
      </Suspense>
    </div>
  )
}

interface OfficeTrackProps {
  set: ResultSet | undefined
  next: OfficeStep
  /** The step that is open below. */
  shown: OfficeStep
}

/** The steps to the release; each can be opened. */
function OfficeTrack({ set, next, shown }: OfficeTrackProps) {
  const t = officeWords.use()
  const reached = set?.state === 'released' ? officeSteps.length : officeSteps.indexOf(next)
  const facts = factsOf(set, t)
  return (
    <div className="res-track">
      <SeasonTrack
        label={t('steps')}
        steps={officeSteps.map((step, n) => ({
          key: step,
          state: n < reached ? 'done' : n === reached ? 'now' : 'later',
          label: t(step),
          fact: facts[step],
          link: (inside) => (
            <Link
              to="."
              search={officeFilters.validate({ step })}
              className={step === shown ? 'on' : undefined}
              aria-current={step === shown ? 'true' : undefined}>
              {inside}
            </Link>
          ),
        }))}
      />
    </div>
  )
}

function factsOf(set: ResultSet | undefined, t: ReturnType<typeof officeWords.use>) {
  const facts: Partial<Record<OfficeStep, string>> = {}
  if (!set) return facts
  facts.import = set.state === 'importing' ? t('importing') : t('rowsFact', { n: set.rows })
  if (set.state !== 'importing')
    facts.anomalies = set.openAnomalies > 0 ? t('openFact', { n: set.openAnomalies }) : t('noneOpen')
  if (set.state === 'computing') facts.compute = t('computing')
  if (hasResults(set) && set.computedBy) facts.compute = t('byFact', { name: set.computedBy })
  if (set.approvedBy) facts.approve = t('byFact', { name: set.approvedBy })
  const state = shownState(set)
  if (state === 'scheduled' || state === 'released') facts.release = t(state)
  return facts
}

/** Imports a marks file as the next version: template, file, progress and the outcome. */
function ImportStep({ of, set }: { of: OfficeEvent; set: ResultSet | undefined }) {
  const t = officeWords.use()
  const translate = useSentences()
  const { event, sets, can } = of
  const latest = sets[0]
  const job = set?.state === 'importing' ? jobOf(set) : undefined
  return (
    <Panel title={t('import')}>
      <div className="stack">
        <p className="quiet">{t('templateHint')}</p>
        <ul className="res-sections row gap-4" aria-label={t('sectionsLabel')}>
          {event.sections.map(({ name, maximum }) => (
            <li key={name}>
              {name} <span className="num">{t('outOf', { n: maximum })}</span>
            </li>
          ))}
        </ul>
        <Templates eventYearId={event.eventYearId} />
        {latest?.state === 'failed' && (
          <Note kind="bad">
            {t('importFailed', { file: latest.fileName, why: translate(latest.job?.error ?? '') })}
          </Note>
        )}
        {set && job && <JobProgress job={job} fileName={set.fileName} />}
        {set && !job && set.state !== 'importing' && <ImportOutcome set={set} shown="import" />}
        {!job && <ImportForm of={of} allowed={can.import} next={(latest?.version ?? 0) + 1} />}
      </div>
    </Panel>
  )
}

function Templates({ eventYearId }: { eventYearId: number }) {
  const t = officeWords.use()
  const save = (format: 'xlsx' | 'csv') =>
    fetchFile(marksTemplate, { query: { eventYearId: String(eventYearId), format } })
  return (
    <div className="acts">
      <Button icon="download" onClick={() => void save('csv')}>
        {t('templateCsv')}
      </Button>
      <Button icon="download" onClick={() => void save('xlsx')}>
        {t('templateXlsx')}
      </Button>
    </div>
  )
}

interface ImportFormProps {
  of: OfficeEvent
  allowed: true | string
  next: number
}

function ImportForm({ of: { event }, allowed, next }: ImportFormProps) {
  const t = officeWords.use()
  const allows = useReason()
  const { busy, error, attempt } = useAttempt(resultEventCalls)
  const [answer, setAnswer] = useState<Answer<typeof importMarks>>()
  const [file, setFile] = useState<File | null>(null)
  const [reason, setReason] = useState('')
  const [early, setEarly] = useState('')
  const [tried, setTried] = useState(false)

  const corrects = event.visible !== null
  const toCome = event.lastExamOn !== null && event.lastExamOn > istDay(new Date())
  const explained = !toCome || early.trim() !== ''
  const complete = (!corrects || reason.trim() !== '') && explained
  /** Whether the server has the file and the reasons as they are now */
  const isSent = useRef(false)
  const isLost = () => !busy && !isSent.current && (file !== null || `${reason}${early}`.trim() !== '')
  const leaving = useLeavePageQuestion(isLost, false, 'step')
  const send = (again: 'true' | 'false') => {
    if (!file || !complete || allowed !== true) return
    const query = {
      eventYearId: String(event.eventYearId),
      version: String(next),
      again,
      reason,
      early,
    } as const
    setAnswer(undefined)
    void attempt(async () => {
      setAnswer(await call(importMarks, { query, file }))
      isSent.current = true
    })
  }
  const submit = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    setTried(true)
    focusFirstError(submitted.currentTarget)
    send('false')
  }
  return (
    <form
      className="stack"
      onSubmit={submit}
      onChange={() => {
        isSent.current = false
      }}
      noValidate>
      {leaving}
      <FileField
        label={t('file')}
        hint={t('fileHint')}
        accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        error={tried && !file ? t('fileMissing') : undefined}
        onChange={(chosen) => {
          setFile(chosen)
          isSent.current = false
          setAnswer(undefined)
        }}
      />
      {event.newest && <ReplacementHint of={event} />}
      {toCome && (
        <>
          <Note kind="bad">{keepDatesTogether(t('earlyMarks', { day: dayText(event.lastExamOn) }))}</Note>
          <TextArea
            label={t('earlyReason')}
            hint={t('earlyHint')}
            value={early}
            maxLength={300}
            error={tried && !explained ? t('noteMissing') : undefined}
            onChange={(changed) => setEarly(changed.currentTarget.value)}
          />
        </>
      )}
      {corrects && (
        <TextArea
          label={t('correctionReason')}
          hint={t('correctionHint')}
          value={reason}
          maxLength={300}
          error={tried && reason.trim() === '' ? t('correctionMissing') : undefined}
          onChange={(changed) => setReason(changed.currentTarget.value)}
        />
      )}
      <Problem error={error} />
      {answer?.same && (
        <Note>
          {t('sameFile', { n: answer.version })}{' '}
          <Button kind="text" onClick={() => send('true')}>
            {t('readAgain')}
          </Button>
        </Note>
      )}
      <div>
        <Button type="submit" kind="primary" icon="upload" busy={busy} disabled={allows(allowed)}>
          {next === 1 ? t('importNow') : t('importAgain', { n: next })}
        </Button>
        {allowed !== true && <p className="hint">{allows(allowed)}</p>}
      </div>
    </form>
  )
}

/** Explains what another file does to the current version. */
function ReplacementHint({ of: { newest, visible } }: { of: OfficeEvent['event'] }) {
  const t = officeWords.use()
  if (newest && newest.state !== 'released' && newest.setId !== visible?.setId)
    return <p className="hint">{t('replaces', { n: newest.version })}</p>
  return visible && <p className="hint">{t('corrects', { n: visible.version })}</p>
}
