import { approveResults, type ResultSet } from '@podium/contract/results/calls-office'
import { Moment } from '#shell/format.tsx'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { useReason } from '../allowed.ts'
import { shownOfEvents } from '../office-event.ts'
import { Summary } from '../office-summary.tsx'
import { Problem } from '../problem.tsx'
import { Papers } from '../ranking/paper-comparison.tsx'
import { officeWords } from '../words-office.ts'

/** A second person approves; whoever imported or computed it reads why not. */
export function ApproveStep({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const renew = useInvalidate(shownOfEvents)
  const approve = useEndpointMutation(approveResults, {
    onSettled: renew,
    onSuccess: () => toast.success(t('approvedToast', { n: set.version })),
  })
  const off = reason(set.can.approve)
  return (
    <>
      <Panel title={t('approve')}>
        <div className="stack">
          <p>{t('approveSays')}</p>
          <p className="quiet">
            {t('approveWho', { importer: set.importedBy, computer: set.computedBy })}{' '}
            <Moment value={set.computedAt} />
          </p>
          {set.earlyReason && <Note kind="due">{t('earlyImported', { why: set.earlyReason })}</Note>}
          {set.approvedBy ? (
            <Note kind="ok">
              {t('approvedFact', { name: set.approvedBy })}, <Moment value={set.approvedAt} />
            </Note>
          ) : (
            <div>
              <Button
                kind="primary"
                icon="check"
                busy={approve.isPending}
                disabled={off}
                onClick={() => approve.mutate({ body: { setId: set.setId, seen: set.seen } })}
              >
                {t('approveNow', { n: set.version })}
              </Button>
              {off && <p className="hint">{off}</p>}
            </div>
          )}
          <Problem error={approve.error} />
        </div>
      </Panel>
      <Papers setId={set.setId} />
      <Summary set={set} />
    </>
  )
}
