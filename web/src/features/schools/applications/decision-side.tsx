import type { Application, LikelySchool } from '@podium/contract/schools/calls-applications'
import { Link } from '@tanstack/react-router'
import { type Ref, useCallback, useId, useRef, useState } from 'react'
import { Assigned } from '#shell/assignments/assigned.tsx'
import type { CallError } from '#shell/call.ts'
import { dayText, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import {
  type ApplicationDetail,
  type ComparedField,
  comparedFields,
  compareField,
  type DecisionProps,
  findSameNumber,
} from './comparison.ts'
import { words } from './use-queue.ts'

interface LikelySchoolsProps {
  likely: readonly LikelySchool[]
  /** Id of the school shown beside the application. */
  compared: number | undefined
  onCompare: (schId: number) => void
  onJoin: (school: LikelySchool) => void
  /** Why the user can't decide. */
  refusal?: string
}

/** Known schools that may be the applicant's, the most likely first, each with the reasons. */
function LikelySchools({ likely, compared, onCompare, onJoin, refusal }: LikelySchoolsProps) {
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
                    icon={kind === 'similar_name' ? 'info' : 'check'}>
                    {t(`same_${kind}`)}
                  </Badge>
                </li>
              ))}
            </ul>
            <span className="acts">
              <Button disabled={refusal} onClick={() => onJoin(school)}>
                {t('join')}
                <span className="sr">: {school.schName}</span>
              </Button>
              {likely.length > 1 && (
                <Button
                  kind="text"
                  aria-pressed={school.schId === compared}
                  onClick={() => onCompare(school.schId)}>
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

const ApproveDialog = lazyDialog(() => import('./dialogs.tsx'), 'ApproveDialog')
const JoinDialog = lazyDialog(() => import('./dialogs.tsx'), 'JoinDialog')
const AskDialog = lazyDialog(() => import('./dialogs.tsx'), 'AskDialog')
const RejectDialog = lazyDialog(() => import('./dialogs.tsx'), 'RejectDialog')

interface DecisionSideProps {
  detail: ApplicationDetail
  compared: number | undefined
  onCompare: (schId: number) => void
  onDone: DecisionProps['onDone']
  onRefused: (cause: CallError) => boolean
}

type OpenDecision = { action: 'approve' | 'reject' | 'ask' } | { action: 'join'; school: LikelySchool }

/** Known schools that are likely the same, and the decision; for a decided application, the outcome. */
export function DecisionSide({ detail, compared, onCompare, onDone, onRefused }: DecisionSideProps) {
  const t = words.use()
  const may = useMay('schools.decide')
  const [asking, setAsking] = useState<OpenDecision>()
  const open = detail.application.decidedAt === null
  const decides = may && open
  const cameFrom = useRef<Element>(null)
  const openDecision = useCallback((decision: OpenDecision) => {
    cameFrom.current = document.activeElement
    setAsking(decision)
  }, [])
  const approve = useCallback(() => openDecision({ action: 'approve' }), [openDecision])
  const reject = useCallback(() => openDecision({ action: 'reject' }), [openDecision])
  const twin = findSameNumber(detail.likely)
  const link = useCallback(() => twin && openDecision({ action: 'join', school: twin }), [openDecision, twin])
  // If the school is already known, a habitual key press must not create a second school with the same number.
  useKey('a', decides && !twin ? approve : undefined)
  useKey('l', decides && twin ? link : undefined)
  const askBack = useCallback(() => openDecision({ action: 'ask' }), [openDecision])
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
        <ApplicationDecision detail={detail} />
        {assignee && assigned}
      </>
    )

  const refusal = may ? undefined : t('mayNotDecide')
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
        onJoin={(school) => openDecision({ action: 'join', school })}
        refusal={refusal}
      />
      <div className="end">
        {twin ? (
          <>
            {refusal && <p className="hint">{refusal}</p>}
            <Button kind="primary" big shortcut={may ? 'L' : undefined} disabled={refusal} onClick={link}>
              {t('linkTo', { code: twin.schCode })}
            </Button>
            <Note kind="due">{t(twinWords(twin), { code: twin.schCode })}</Note>
            <Button disabled={refusal ?? (twin.same.includes('udise') && t('udiseOnce'))} onClick={approve}>
              {t('approve')}
            </Button>
          </>
        ) : (
          <>
            <p className="hint">{refusal ?? t('newCode', { code: detail.proposedCode })}</p>
            <Button kind="primary" big shortcut={may ? 'A' : undefined} disabled={refusal} onClick={approve}>
              {t('approve')}
            </Button>
          </>
        )}
        <Button shortcut={may ? 'B' : undefined} disabled={refusal} onClick={askBack}>
          {t(detail.application.reviewState === 'asked' ? 'askAgain' : 'askBack')}
        </Button>
        <Button kind="danger" shortcut={may ? 'R' : undefined} disabled={refusal} onClick={reject}>
          {t('reject')}
        </Button>
      </div>

      {asking?.action === 'approve' && <ApproveDialog {...dialog} />}
      {asking?.action === 'join' && <JoinDialog {...dialog} school={asking.school} />}
      {asking?.action === 'ask' && <AskDialog {...dialog} />}
      {asking?.action === 'reject' && <RejectDialog {...dialog} />}
    </>
  )
}

const twinWords = ({ same }: LikelySchool) => (same.includes('udise') ? 'twinUdise' : 'twinAffiliation')

/** Links to the approved school and to its letter. */
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

function ApplicationDecision({ detail }: { detail: ApplicationDetail }) {
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
          <p>{translateSentence(reason)}</p>
        </>
      )}
    </div>
  )
}

interface ApplicationViewProps {
  application: Application
  /** The known school to compare with. */
  school?: LikelySchool
  titleRef: Ref<HTMLHeadingElement>
}

/** All details of an application, beside those of a school that may be the same. */
export function ApplicationView({ application, school, titleRef }: ApplicationViewProps) {
  const t = words.use()
  const language = useLanguage()
  const id = useId()
  return (
    <>
      <div className="hd">
        <h2 id={id} ref={titleRef} tabIndex={-1}>
          {application.schName}
        </h2>
        <span>
          {t('received')} <Moment value={application.submittedAt} />
        </span>
      </div>
      <Questions application={application} />
      <table className="appl-table" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">{t('field')}</span>
            </th>
            <th scope="col">{t('applied')}</th>
            {school && <th scope="col">{t('known', { code: school.schCode })}</th>}
          </tr>
        </thead>
        <tbody>
          {comparedFields.map((field) => (
            <Row key={field} field={field} application={application} school={school} />
          ))}
          <tr>
            <th scope="row">{t('country')}</th>
            <td>{countryName(language, application.country)}</td>
            {school && <td />}
          </tr>
        </tbody>
      </table>
      <section className="sec">
        <h3>{t('applicant')}</h3>
        <KeyValues>
          <KeyValue label={t('applicantName')}>{application.applicantName}</KeyValue>
          <KeyValue label={t('designation')}>
            {translateSentence(application.applicantDesignation) || '–'}
          </KeyValue>
          <KeyValue label={t('email')} copy={application.applicantEmail}>
            {application.applicantEmail}
          </KeyValue>
          <KeyValue label={t('mobile')} copy={application.applicantMobile || undefined}>
            {application.applicantMobile || '–'}
          </KeyValue>
        </KeyValues>
      </section>
      <div className="sec">
        <RecordHistory kind="application" id={application.id} />
      </div>
    </>
  )
}

/** The last question to the applicant, and the answer. */
function Questions({ application }: { application: Application }) {
  const t = words.use()
  const { question, askedAt, askedBy, answer, answeredAt, reviewState } = application
  if (!askedAt) return null
  return (
    <section className={answeredAt ? 'appl-asked answered' : 'appl-asked'}>
      <h3>
        {t('askedBy', { name: askedBy })} <Moment value={askedAt} />
      </h3>
      <p>{question}</p>
      {answeredAt ? (
        <>
          <h3>
            {t('answered')} <Moment value={answeredAt} />
          </h3>
          <p>{answer || <span className="quiet">{t('answeredByDetails')}</span>}</p>
        </>
      ) : (
        reviewState === 'asked' && <Badge kind="waiting">{t('answerWaits')}</Badge>
      )}
    </section>
  )
}

interface RowProps {
  field: ComparedField
  application: Application
  school?: LikelySchool
}

function Row({ field, application, school }: RowProps) {
  const t = words.use()
  const valueOrMissing = (text: string) =>
    translateSentence(text) || <span className="quiet">{t('notGiven')}</span>
  const like = school && compareField(field, application, school)
  return (
    <tr className={like === 'differs' ? 'differs' : undefined}>
      <th scope="row">{t(field)}</th>
      <td>{valueOrMissing(application[field])}</td>
      {school && (
        <td>
          <span className="appl-known">
            <span>{valueOrMissing(school[field])}</span>
            {like === 'same' && <Icon name="check" small />}
            {like === 'differs' && <Icon name="warning" small />}
            {(like === 'same' || like === 'differs') && <span className="sr">, {t(like)}</span>}
          </span>
        </td>
      )}
    </tr>
  )
}
