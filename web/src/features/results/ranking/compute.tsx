import { computeResults, type ResultSet } from '@podium/contract/results/calls-office'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { useReason } from '../allowed.ts'
import { hasResults, jobOf, type OfficeEvent, shownOfEvents } from '../office-event.ts'
import { Summary } from '../office-summary.tsx'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'

/** Ranks, medals, prizes, awards, eligibility; and the version in figures once it is done. */
export function ComputeStep({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const say = useSentences()
  const reason = useReason()
  const renew = useInvalidate(shownOfEvents)
  const compute = useEndpointMutation(computeResults, { onSettled: renew })
  const job = set.state === 'computing' ? jobOf(set) : undefined
  const off = reason(set.can.compute)
  const failed = set.state === 'computing' && !job
  return (
    <>
      <Panel title={t('compute')}>
        <div className="stack">
          <p>{t('computeSays', { rules: of.event.rulesVersion })}</p>
          {failed && <Note kind="bad">{t('computeFailed', { why: say(set.job?.error ?? '') })}</Note>}
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
                busy={compute.isPending}
                disabled={off}
                onClick={() => compute.mutate({ body: { setId: set.setId } })}
              >
                {hasResults(set) ? t('computeAgain') : t('computeNow')}
              </Button>
              {off && <p className="hint">{off}</p>}
            </div>
          )}
          <Problem error={compute.error} />
        </div>
      </Panel>
      {hasResults(set) && <Summary set={set} />}
    </>
  )
}
