import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import type { CallError } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useSession } from '#shell/session.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { sameNumber } from './comparison.ts'
import type { ApplicationDetail } from './decision.ts'
import { LikelySchools } from './likely-schools.tsx'
import { words } from './words.ts'

const ApproveDialog = lazy(() => import('./approve-dialog.tsx').then((m) => ({ default: m.ApproveDialog })))
const JoinDialog = lazy(() => import('./join-dialog.tsx').then((m) => ({ default: m.JoinDialog })))
const AskDialog = lazy(() => import('./ask-dialog.tsx').then((m) => ({ default: m.AskDialog })))
const RejectDialog = lazy(() => import('./reject-dialog.tsx').then((m) => ({ default: m.RejectDialog })))

interface DecisionSideProps {
  detail: ApplicationDetail
  compared: number | undefined
  onCompare: (schId: number) => void
  onDone: (said: string) => void
  onRefused: (cause: CallError) => boolean
}

type Asking = { what: 'approve' | 'reject' | 'ask' } | { what: 'join'; school: LikelySchool }

/** The known schools that are likely the same, and the decision; of a decided application what was decided. */
export function DecisionSide({ detail, compared, onCompare, onDone, onRefused }: DecisionSideProps) {
  const t = words.use()
  const may = useSession()?.permissions?.includes('schools.decide') ?? false
  const [asking, setAsking] = useState<Asking>()
  const open = detail.application.decidedAt === null
  const decides = may && open
  const cameFrom = useRef<Element>(null)
  const ask = useCallback((what: Asking) => {
    cameFrom.current = document.activeElement
    setAsking(what)
  }, [])
  const approve = useCallback(() => ask({ what: 'approve' }), [ask])
  const reject = useCallback(() => ask({ what: 'reject' }), [ask])
  const twin = sameNumber(detail.likely)
  const link = useCallback(() => twin && ask({ what: 'join', school: twin }), [ask, twin])
  // With a twin, the key of a habit must not make a second school of the same number.
  useKey('a', decides && !twin ? approve : undefined)
  useKey('l', decides && twin ? link : undefined)
  const askBack = useCallback(() => ask({ what: 'ask' }), [ask])
  useKey('r', decides ? reject : undefined)
  useKey('b', decides ? askBack : undefined)
  if (!open) return <Decided detail={detail} />

  const mayNot = may ? undefined : t('mayNotDecide')
  const close = () => setAsking(undefined)
  const dialog = {
    detail,
    onClose: () => {
      close()
      const from = cameFrom.current
      if (from instanceof HTMLElement) requestAnimationFrame(() => from.focus())
    },
    onDone: (said: string) => {
      close()
      onDone(said)
    },
    onRefused: (cause: CallError) => {
      const forAll = onRefused(cause)
      if (forAll) close()
      return forAll
    },
  }
  return (
    <>
      <LikelySchools
        likely={detail.likely}
        compared={compared}
        onCompare={onCompare}
        onJoin={(school) => ask({ what: 'join', school })}
        mayNot={mayNot}
      />
      <div className="appl-end">
        {twin ? (
          <>
            {mayNot && <p className="hint">{mayNot}</p>}
            <Button kind="primary" big shortcut={may ? 'L' : undefined} disabled={mayNot} onClick={link}>
              {t('linkTo', { code: twin.schCode })}
            </Button>
            <Note kind="due">{t(twinWords(twin), { code: twin.schCode })}</Note>
            <Button disabled={mayNot ?? (twin.same.includes('udise') && t('udiseOnce'))} onClick={approve}>
              {t('approve')}
            </Button>
          </>
        ) : (
          <>
            <p className="hint">{mayNot ?? t('newCode', { code: detail.proposedCode })}</p>
            <Button kind="primary" big shortcut={may ? 'A' : undefined} disabled={mayNot} onClick={approve}>
              {t('approve')}
            </Button>
          </>
        )}
        <Button shortcut={may ? 'B' : undefined} disabled={mayNot} onClick={askBack}>
          {t(detail.application.reviewState === 'asked' ? 'askAgain' : 'askBack')}
        </Button>
        <Button kind="danger" shortcut={may ? 'R' : undefined} disabled={mayNot} onClick={reject}>
          {t('reject')}
        </Button>
      </div>
      <Suspense>
        {asking?.what === 'approve' && <ApproveDialog {...dialog} />}
        {asking?.what === 'join' && <JoinDialog {...dialog} school={asking.school} />}
        {asking?.what === 'ask' && <AskDialog {...dialog} />}
        {asking?.what === 'reject' && <RejectDialog {...dialog} />}
      </Suspense>
    </>
  )
}

const twinWords = ({ same }: LikelySchool) => (same.includes('udise') ? 'twinUdise' : 'twinAffiliation')

function Decided({ detail }: { detail: ApplicationDetail }) {
  const t = words.use()
  const { reviewState, decidedAt, reason } = detail.application
  const approved = reviewState === 'approved'
  return (
    <div className="appl-sec">
      <Badge kind={approved ? 'verified' : 'rejected'}>
        {t(approved ? 'approvedOn' : 'rejectedOn', { moment: dayText(decidedAt) })}
      </Badge>
      {reason && (
        <>
          <h3 className="appl-reason">{t('reasonGiven')}</h3>
          <p>{reason}</p>
        </>
      )}
    </div>
  )
}
