import { type ResultSet, withdrawRelease } from '@podium/contract/results/calls-office'
import { lazy, Suspense, useState } from 'react'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { useReason } from '../allowed.ts'
import { shownOfEvents } from '../office-event.ts'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** Takes back a release whose time has not come. */
export function Withdraw({ set }: { set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const renew = useInvalidate(shownOfEvents)
  const [asking, setAsking] = useState(false)
  const withdraw = useEndpointMutation(withdrawRelease, {
    onSettled: renew,
    onSuccess: () => setAsking(false),
  })
  return (
    <>
      <Button disabled={reason(set.can.withdraw)} onClick={() => setAsking(true)}>
        {t('withdraw')}
      </Button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            opened
            danger
            title={t('withdrawTitle')}
            action={t('withdraw')}
            busy={withdraw.isPending}
            onCancel={() => setAsking(false)}
            onConfirm={() => withdraw.mutate({ body: { setId: set.setId } })}
          >
            <p>{t('withdrawSays', { n: set.version })}</p>
            <Problem error={withdraw.error} />
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
