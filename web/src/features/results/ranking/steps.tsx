import {
  approveResults,
  computeResults,
  decidePapers,
  type Paper,
  type ResultSet,
  resultPapers,
  resultsSummary,
} from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call } from '#shell/call.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { count, Day, Moment } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { hasResults, jobOf, type OfficeEvent, resultEventCalls, shownState } from '../office-event.ts'
import { officeFilters } from '../office-filters.ts'
import { officeWords, Problem, useReason } from '../office-parts.tsx'
import { ReleaseLink } from '../office-read.tsx'
import { Summary, sumOf } from '../office-summary.tsx'

/** Computes ranks, medals, prizes, awards and eligibility, then shows the figures of the version. */
export function ComputeStep({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const translate = useSentences()
  const reason = useReason()
  const { busy, error, attempt } = useAttempt(resultEventCalls)
  const job = set.state === 'computing' ? jobOf(set) : undefined
  const disabled = reason(set.can.compute)
  const failed = set.state === 'computing' && !job
  return (
    <>
      <Panel title={t('compute')}>
        <div className="stack">
          <p>{t('computeHint', { rules: of.event.rulesVersion })}</p>
          {failed && <Note kind="bad">{t('computeFailed', { why: translate(set.job?.error ?? '') })}</Note>}
          {job ? (
            <div aria-live="polite">
              <ProgressBar label={t('computing')} total={Math.max(job.total, 1)} done={job.done}>
                {t('computeRunning', { version: set.version })} {t('leaveFreely')}
              </ProgressBar>
            </div>
          ) : (
            <div>
              <Button
                kind={hasResults(set) ? 'secondary' : 'primary'}
                busy={busy}
                disabled={disabled}
                onClick={() => void attempt(() => call(computeResults, { body: { setId: set.setId } }))}>
                {hasResults(set) ? t('computeAgain') : t('computeNow')}
              </Button>
              {disabled && <p className="hint">{disabled}</p>}
            </div>
          )}
          <Problem error={error} />
        </div>
      </Panel>
      {hasResults(set) && <Summary set={set} />}
    </>
  )
}

/** Approval by a second person. Whoever imported or computed the version sees why they cannot approve it. */
export function ApproveStep({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const { busy, error, attempt } = useAttempt(resultEventCalls)
  const [pressed, setPressed] = useState(false)
  const approve = () => {
    setPressed(true)
    return attempt(
      () => call(approveResults, { body: { setId: set.setId, seen: set.seen } }),
      () => toast.success(t('approvedToast', { n: set.version })),
    )
  }
  const disabled = reason(set.can.approve)
  return (
    <>
      <Panel title={t('approve')}>
        <div className="stack">
          <p>{t('approveHint')}</p>
          <p className="quiet">
            {t('approveWho', { importer: set.importedBy, computer: set.computedBy })}{' '}
            <Moment value={set.computedAt} />
          </p>
          {set.earlyReason && <Note kind="due">{t('earlyImported', { why: set.earlyReason })}</Note>}
          <ApproveFacts set={set} />
          {set.approvedBy ? (
            <Note kind="ok">
              {t('approvedFact', { name: set.approvedBy })}, <Moment value={set.approvedAt} />
              {shownState(set) === 'approved' && (
                <div className="acts">
                  <ReleaseLink focused={pressed} />
                </div>
              )}
            </Note>
          ) : (
            <div>
              <Button
                kind="primary"
                icon="check"
                busy={busy}
                disabled={disabled}
                onClick={() => void approve()}>
                {t('approveNow', { n: set.version })}
              </Button>
              {disabled && <p className="hint">{disabled}</p>}
            </div>
          )}
          <Problem error={error} />
        </div>
      </Panel>
      <Papers setId={set.setId} />
      <Summary set={set} />
    </>
  )
}

/** What is approved: how many results, and what of the file is not in them or not as it was. */
function ApproveFacts({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const { data } = useEndpoint(resultsSummary, { query: { setId: String(set.setId) } })
  // The summary below says why, if it cannot be loaded.
  if (!data) return <Skeleton shape="text" rows={3} />
  const { classes, rows, withheld } = data
  const { excluded, asAbsent, corrected, missing } = rows
  const absent = sumOf(classes, 'absent')
  const facts = [
    t('correctedResults', { results: sumOf(classes, 'present') + absent, absent, classes: classes.length }),
    excluded > 0 ? t('rowsExcluded', { n: excluded }) : t('rowsNoneExcluded'),
    asAbsent > 0 && t('rowsAsAbsent', { n: asAbsent }),
    corrected > 0 && t('rowsCorrected', { n: corrected }),
    missing > 0 && t('rowsMissing', { n: missing }),
    withheld.results > 0 && t('resultsWithheld', { n: withheld.results, schools: withheld.schools }),
  ].filter((fact) => fact !== false)
  return (
    <div>
      <ul className="bullets stack gap-1">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {excluded + asAbsent + corrected + missing > 0 && (
        <Link to="." search={officeFilters.validate({ step: 'anomalies', all: 'yes' })}>
          {t('toProblems')}
        </Link>
      )}
    </div>
  )
}

interface Line extends Paper {
  key: string
  className: string
  differs: boolean
  effect: number | null
  /** Whether this is the first row of its class; only that row names the class. */
  first: boolean
}

const figures = ['mean', 'p10', 'lower', 'median', 'upper', 'p90'] as const

/** Compares the papers of an event's dates, with a decision if they differ. Empty if all students sat on one date. */
function Papers({ setId }: { setId: number }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultPapers, { query: { setId: String(setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data || data.classes.length === 0) return null
  const rows = data.classes.flatMap(({ className, classId, papers, differs, effect }) =>
    papers.map(
      (paper, index): Line => ({
        ...paper,
        key: `${classId} ${paper.ordinal}`,
        className,
        differs,
        effect,
        first: index === 0,
      }),
    ),
  )
  const columns: Column<Line>[] = columnsOf(t, [
    {
      key: 'class',
      title: true,
      cell: (row) =>
        lines(
          translateSentence(row.className),
          <>
            {t('paperNo', { n: row.ordinal })}, <Day value={row.heldOn} />
          </>,
        ),
    },
    {
      key: 'hint',
      label: t('paperHint'),
      card: 'beside',
      cell: (row) => {
        if (!row.first) return null
        if (row.effect === null) return <span className="quiet">{t('papersFew')}</span>
        return row.differs ? (
          <Badge kind="doubt">{t('papersDiffer')}</Badge>
        ) : (
          <span className="quiet">{t('papersSimilar')}</span>
        )
      },
    },
    { key: 'sat', label: t('present'), num: true, card: 'said', cell: (row) => count(row.sat) },
    { key: 'schools', num: true, cell: (row) => count(row.schools) },
    ...figures.map(
      (key): Column<Line> => ({
        key,
        label: t(key),
        num: true,
        ...(key === 'mean' || key === 'median' ? { card: 'said' } : {}),
        cell: (row) => row[key].toFixed(1),
      }),
    ),
  ])
  return (
    <Panel title={t('papersTitle')} padded={false}>
      <div className="res-lead stack">
        <p>{t('papersHint')}</p>
        {data.decision && (
          <Note kind="ok">
            {data.decision.note} <span className="under">{t('byFact', { name: data.decision.by })}, </span>
            <Moment value={data.decision.at} />
          </Note>
        )}
        {data.differ && !data.decision && (
          <PaperDecisionForm setId={setId} seen={data.seen} allowed={data.canDecide} />
        )}
      </div>
      <DataTable
        caption={t('papersCaption')}
        className="inset"
        compact
        rows={rows}
        rowKey={(row) => row.key}
        columns={columns}
        folds={(row) => `${translateSentence(row.className)}, ${t('paperNo', { n: row.ordinal })}`}
        cardColumns={2}
      />
    </Panel>
  )
}

const paperCalls = [...resultEventCalls, resultPapers]

function PaperDecisionForm({
  setId,
  seen,
  allowed,
}: {
  setId: number
  seen: string
  allowed: true | string
}) {
  const t = officeWords.use()
  const reason = useReason()
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const { busy, error, attempt } = useAttempt(paperCalls)
  const disabled = reason(allowed)
  const submit = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    setTried(true)
    focusFirstError(submitted.currentTarget)
    if (note.trim() === '' || disabled) return
    void attempt(
      () => call(decidePapers, { body: { setId, seen, note } }),
      () => toast.success(t('papersDecided')),
    )
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Note kind="due">{t('papersOpen')}</Note>
      <TextArea
        label={t('papersWhy')}
        value={note}
        maxLength={500}
        error={tried && note.trim() === '' ? t('noteMissing') : undefined}
        onChange={(changed) => setNote(changed.currentTarget.value)}
      />
      <Problem error={error} />
      <div>
        <Button type="submit" kind="primary" busy={busy} disabled={disabled}>
          {t('papersAccept')}
        </Button>
        {disabled && <p className="hint">{disabled}</p>}
      </div>
    </form>
  )
}
