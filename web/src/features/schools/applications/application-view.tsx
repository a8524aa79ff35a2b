import type { Application, LikelySchool } from '@podium/contract/schools/calls-applications'
import { type Ref, useId } from 'react'
import { Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { Badge } from '#ui/badge.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Icon } from '#ui/icon.tsx'
import { type ComparedField, comparedFields, likeness } from './comparison.ts'
import { words } from './words.ts'

interface ApplicationViewProps {
  application: Application
  /** The known school to lay beside it. */
  known?: LikelySchool
  titleRef: Ref<HTMLHeadingElement>
}

/** All that an application says, beside what is known of a school that may be the same. */
export function ApplicationView({ application, known, titleRef }: ApplicationViewProps) {
  const t = words.use()
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
            {known && <th scope="col">{t('known', { code: known.schCode })}</th>}
          </tr>
        </thead>
        <tbody>
          {comparedFields.map((field) => (
            <Row key={field} field={field} application={application} known={known} />
          ))}
          <tr>
            <th scope="row">{t('country')}</th>
            <td>{application.country}</td>
            {known && <td />}
          </tr>
        </tbody>
      </table>
      <section className="sec">
        <h3>{t('applicant')}</h3>
        <KeyValues>
          <KeyValue label={t('applicantName')}>{application.applicantName}</KeyValue>
          <KeyValue label={t('designation')}>{application.applicantDesignation || '–'}</KeyValue>
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

/** What was asked back last, and the answer. */
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
  known?: LikelySchool
}

function Row({ field, application, known }: RowProps) {
  const t = words.use()
  const said = (text: string) => text || <span className="quiet">{t('notGiven')}</span>
  const like = known && likeness(field, application, known)
  return (
    <tr className={like === 'differs' ? 'differs' : undefined}>
      <th scope="row">{t(field)}</th>
      <td>{said(application[field])}</td>
      {known && (
        <td>
          <span className="appl-known">
            <span>{said(known[field])}</span>
            {like === 'same' && <Icon name="check" small />}
            {like === 'differs' && <Icon name="warning" small />}
            {(like === 'same' || like === 'differs') && <span className="sr">, {t(like)}</span>}
          </span>
        </td>
      )}
    </tr>
  )
}
