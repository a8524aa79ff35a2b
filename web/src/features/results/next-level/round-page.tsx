import { approveNextLevel, type NextLevelRound } from '@podium/contract/results/calls-next-level'
import { exportNextLevel } from '@podium/contract/results/calls-next-level-list'
import { istDay } from '@podium/contract/season'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { count, dayText } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeasonOf } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SeasonTrack } from '#ui/season-track.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { officeWords, roundCalls, useInvitations, useRound } from './use-round.ts'
import './next-level.css'

const TermsDialog = lazyDialog(() => import('./dialogs.tsx'), 'TermsDialog')
const SendDialog = lazyDialog(() => import('./dialogs.tsx'), 'SendDialog')
const RemindDialog = lazyDialog(() => import('./dialogs.tsx'), 'RemindDialog')

const steps = ['release', 'list', 'approve', 'send', 'answers'] as const
type Step = (typeof steps)[number]

const reached: Record<NextLevelRound['stage'], Step> = {
  none: 'list',
  draft: 'approve',
  approved: 'send',
  sending: 'send',
  sent: 'answers',
}

/** The steps of a list and the next action. */
function RoundProgress({ round }: { round: NextLevelRound }) {
  const t = officeWords.use()
  const now = round.visibleVersion === null ? 'release' : reached[round.stage]
  const day = dayText(round.answerBy)
  const isOver = round.stage === 'sent' && round.answerBy !== null && round.answerBy < istDay(new Date())
  const facts: Partial<Record<Step, string>> = {
    ...(round.visibleVersion === null ? {} : { release: t('versionNo', { n: round.visibleVersion }) }),
    ...(round.madeBy ? { list: t('by', { name: round.madeBy }) } : {}),
    ...(round.approvedBy ? { approve: t('by', { name: round.approvedBy }) } : {}),
    ...(round.stage === 'sent' && round.answerBy
      ? { answers: t(isOver ? 'closedAfter' : 'until', { day }) }
      : {}),
  }
  return (
    <Panel padded={false} className="nl-progress">
      <SeasonTrack
        label={t('progress')}
        steps={steps.map((step) => {
          const offset = steps.indexOf(step) - steps.indexOf(now)
          return {
            key: step,
            state: offset < 0 || isOver ? 'done' : offset === 0 ? 'now' : 'later',
            label: t(`step_${step}`),
            ...(facts[step] ? { fact: facts[step] } : {}),
          }
        })}
      />
      <div className="pad stack">
        <Next round={round} />
      </div>
    </Panel>
  )
}

function Next({ round }: { round: NextLevelRound }) {
  const t = officeWords.use()
  const translate = useSentences()
  const { job, stage } = round
  return (
    <>
      {stage === 'sending' && job ? (
        <ProgressBar label={t('sending')} total={Math.max(1, job.total)} done={job.done}>
          {t('sendingProgress', { done: count(job.done), n: count(job.total) })}
        </ProgressBar>
      ) : (
        <p>{sentenceOf(round, t)}</p>
      )}
      {job?.state === 'failed' && <Note kind="bad">{translate(job.error ?? '')}</Note>}
      {round.withheld > 0 && <Note kind="due">{t('withheldHint', { n: round.withheld })}</Note>}
      {round.nobody > 0 && stage !== 'sending' && (
        <Note kind="due">{t('nobodyHint', { n: round.nobody })}</Note>
      )}
      <RoundActions round={round} />
    </>
  )
}

function sentenceOf(round: NextLevelRound, t: ReturnType<typeof officeWords.use>) {
  const counts = { n: round.schools, children: count(round.children) }
  if (round.visibleVersion === null) return t('hint_release')
  if (round.stage === 'none') return t('hint_none', { n: count(round.eligibleNow) })
  if (round.stage === 'draft') return t('hint_draft', counts)
  if (round.stage === 'approved') return t('hint_approved', counts)
  return t('hint_sent', {
    yes: count(round.yes),
    no: count(round.no),
    waiting: count(round.waiting),
    n: round.open,
  })
}

type OpenDialog = 'terms' | 'send' | 'remind'

function RoundActions({ round }: { round: NextLevelRound }) {
  const t = officeWords.use()
  const reason = useDisabledReason(t('mayNot'))
  const { busy, act } = useAction(roundCalls)
  const [open, setOpen] = useState<OpenDialog>()
  const { eventYearId, version, stage, can } = round
  const approve = () =>
    act(() => call(approveNextLevel, { body: { eventYearId, version } }), t('approvedToast'))
  const close = () => setOpen(undefined)
  const hint =
    stage === 'none'
      ? reason(can.change)
      : stage === 'draft'
        ? reason(can.approve)
        : stage === 'approved' && reason(can.send)
  return (
    <>
      <div className="acts">
        <Button
          kind={stage === 'none' ? 'primary' : 'secondary'}
          icon={stage === 'none' ? 'plus' : 'edit'}
          disabled={reason(can.change)}
          onClick={() => setOpen('terms')}>
          {t(stage === 'none' ? 'make' : 'changeTerms')}
        </Button>
        {stage === 'draft' && (
          <Button
            kind="primary"
            icon="check"
            busy={busy}
            disabled={reason(can.approve)}
            onClick={() => void approve()}>
            {t('approve')}
          </Button>
        )}
        {(stage === 'draft' || stage === 'approved') && (
          <Button
            kind={stage === 'approved' ? 'primary' : 'secondary'}
            icon="mail"
            disabled={reason(can.send)}
            onClick={() => setOpen('send')}>
            {t('send', { n: round.schools })}
          </Button>
        )}
        {stage === 'sent' && (
          <Button kind="primary" icon="mail" disabled={reason(can.remind)} onClick={() => setOpen('remind')}>
            {t('remind', { n: round.due })}
          </Button>
        )}
      </div>
      {hint && <p className="hint">{hint}</p>}
      {open === 'terms' && <TermsDialog round={round} onClose={close} />}
      {open === 'send' && <SendDialog round={round} onClose={close} />}
      {open === 'remind' && <RemindDialog round={round} onClose={close} />}
    </>
  )
}

const RoundCounts = lazyPart(() => import('./round-views.tsx'), 'RoundCounts')
const RoundList = lazyPart(() => import('./round-list.tsx'), 'RoundList')
const CorrectionDifference = lazyPart(() => import('./round-views.tsx'), 'CorrectionDifference')

/** The page of one list of invitations: its steps, changes from a correction, counts and students. */
export function NextLevelRoundPage() {
  const t = officeWords.use()
  const { eventYearId } = useParams({ strict: false })
  const id = Number(eventYearId)
  const { data, error, refetch } = useRound(id)
  const children = useInvitations(id)
  const may = useMay('results.invite')
  useSeasonOf(data?.round.season, officePaths.nextLevel)
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="form" page />
  const { round } = data
  const listExists = round.stage !== 'none'
  return (
    <div className="stack">
      <PageHeader
        title={t('leads', { subject: round.subjectName, level: round.level })}
        fact={
          listExists
            ? t('roundFact', {
                season: round.season,
                eligible: count(round.eligible),
                invited: count(round.invited),
                version: round.listVersion ?? 0,
              })
            : round.season
        }>
        <Link to={officePaths.nextLevel}>{t('back')}</Link>
        {listExists && (
          <ListDownloads
            endpoint={exportNextLevel}
            bodyOf={(format) => ({ ...children.asked, format })}
            disabledReason={may ? undefined : t('mayNot')}
          />
        )}
      </PageHeader>
      <RoundProgress round={round} />
      {listExists && (
        <Suspense fallback={<Skeleton shape="table" rows={4} />}>
          {round.visibleVersion !== round.listVersion && <CorrectionDifference round={round} />}
          <RoundCounts of={data} filters={children.filters} />
          <RoundList round={round} of={children} states={data.states} />
        </Suspense>
      )}
      {listExists && <RecordHistory kind="next_level" id={id} />}
    </div>
  )
}
