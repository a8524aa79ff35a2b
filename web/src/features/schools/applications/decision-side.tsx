import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { Assigned } from '#shell/assignments/assigned.tsx'
import type { CallError } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { sameNumber } from './comparison.ts'
import type { ApplicationDetail, DecisionProps } from './decision.ts'
import { words } from './words.ts'

type Same = LikelySchool['same'][number]

const sameWords = {
  udise: 'sameUdise',
  affiliation: 'sameAffiliation',
  name: 'sameName',
  pin: 'samePin',
  phone: 'samePhone',
  similar_name: 'sameSimilarName',
} as const satisfies Record<Same, string>

interface LikelySchoolsProps {
  likely: readonly LikelySchool[]
  /** The one that stands beside the application. */
  compared: number | undefined
  onCompare: (schId: number) => void
  onJoin: (school: LikelySchool) => void
  /** Why one may not decide. */
  mayNot?: string
}

/** The known schools that may be the applicant's, the likeliest first, each with what speaks for it. */
function LikelySchools({ likely, compared, onCompare, onJoin, mayNot }: LikelySchoolsProps) {
  const t = words.use()
  if (likely.length === 0)
    return (
      <div className="sec">
        <h3>{t('likelyNone')}</h3>
        <p className="hint">{t('likelyNoneText')}</p>
      </div>
    )
  return (
    <div className="sec">
      <h3>{t('likely', { n: likely.length })}</h3>
      <ul className="appl-likely">
        {likely.map((school) => (
          <li key={school.schId} className={school.schId === compared ? 'on' : undefined}>
            <b>{school.schName}</b>
            <span className="mt">
              {school.schCode}, {school.city} · {t('staffCount', { n: school.staffCount })}
            </span>
            <ul className="appl-same" aria-label={t('sameFields')}>
              {school.same.map((kind) => (
                <li key={kind}>
                  <Badge
                    tone={kind === 'similar_name' || kind === 'pin' ? 'info' : 'ok'}
                    icon={kind === 'similar_name' ? 'info' : 'check'}
                  >
                    {t(sameWords[kind])}
                  </Badge>
                </li>
              ))}
            </ul>
            <span className="acts">
              <Button disabled={mayNot} onClick={() => onJoin(school)}>
                {t('join')}
                <span className="sr">: {school.schName}</span>
              </Button>
              {likely.length > 1 && (
                <Button
                  kind="text"
                  aria-pressed={school.schId === compared}
                  onClick={() => onCompare(school.schId)}
                >
                  {t(school.schId === compared ? 'compared' : 'compare')}
                  <span className="sr">: {school.schName}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const ApproveDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.ApproveDialog })))
const JoinDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.JoinDialog })))
const AskDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.AskDialog })))
const RejectDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.RejectDialog })))

interface DecisionSideProps {
  detail: ApplicationDetail
  compared: number | undefined
  onCompare: (schId: number) => void
  onDone: DecisionProps['onDone']
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
  const { id, assignee } = detail.application
  const assigned = (
    <div className="sec">
      <Assigned kind="application" id={id} to={assignee} waits={open} decides={decides} />
    </div>
  )
  if (!open)
    return (
      <>
        <Decided detail={detail} />
        {assignee && assigned}
      </>
    )

  const mayNot = may ? undefined : t('mayNotDecide')
  const close = () => setAsking(undefined)
  const dialog = {
    detail,
    onClose: () => {
      close()
      const from = cameFrom.current
      if (from instanceof HTMLElement) requestAnimationFrame(() => from.focus())
    },
    onDone: (...done: Parameters<DecisionProps['onDone']>) => {
      close()
      onDone(...done)
    },
    onRefused: (cause: CallError) => {
      const forAll = onRefused(cause)
      if (forAll) close()
      return forAll
    },
  }
  return (
    <>
      {assigned}
      <LikelySchools
        likely={detail.likely}
        compared={compared}
        onCompare={onCompare}
        onJoin={(school) => ask({ what: 'join', school })}
        mayNot={mayNot}
      />
      <div className="end">
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

/** Where an approved school is, and its letter. */
export function SchoolLinks({ school }: { school: { schId: number; schCode: string } }) {
  const t = words.use()
  const params = { id: String(school.schId) }
  return (
    <>
      <Link to={officePaths.school} params={params}>
        {t('openSchool', { code: school.schCode })}
      </Link>
      {' · '}
      <Link to={officePaths.school} params={params} search={{ tab: 'link' }}>
        {t('itsLetter')}
      </Link>
    </>
  )
}

function Decided({ detail }: { detail: ApplicationDetail }) {
  const t = words.use()
  const { reviewState, decidedAt, reason } = detail.application
  const approved = reviewState === 'approved'
  return (
    <div className="sec">
      <Badge kind={approved ? 'verified' : 'rejected'}>
        {t(approved ? 'approvedOn' : 'rejectedOn', { moment: dayText(decidedAt) })}
      </Badge>
      {detail.school && (
        <p className="mt-4">
          <SchoolLinks school={detail.school} />
        </p>
      )}
      {reason && (
        <>
          <h3 className="mt-4">{t('reasonGiven')}</h3>
          <p>{reason}</p>
        </>
      )}
    </div>
  )
}
