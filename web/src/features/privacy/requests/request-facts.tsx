import type { DataRequest } from '@podium/contract/privacy/calls'
import { count, Day, Moment } from '#shell/format.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import type en from '#words/en/privacy-requests.json'
import { RequestState } from './request-columns.tsx'
import { words } from './words.ts'

/** What is known of a request. */
export function RequestFacts({ request }: { request: DataRequest }) {
  const t = words.use()
  const went = Object.entries(request.outcome)
    .map(([table, n]) => `${t(`went_${table}` as keyof typeof en)}: ${count(n)}`)
    .join(' · ')
  return (
    <KeyValues>
      <KeyValue label={t('child')}>
        {request.studentName === '' ? t('erasedChild') : request.studentName}, {request.place}
      </KeyValue>
      <KeyValue label={t('school')}>{request.schName}</KeyValue>
      <KeyValue label={t('asked')}>
        <Moment value={request.askedAt} />
      </KeyValue>
      <KeyValue label={t('due')}>
        <Day value={request.dueOn} />
      </KeyValue>
      <KeyValue label={t('state')}>
        <RequestState request={request} />
      </KeyValue>
      {request.words !== '' && <KeyValue label={t('words')}>{request.words}</KeyValue>}
      {request.reach !== '' && <KeyValue label={t('reach')}>{request.reach}</KeyValue>}
      {request.checkedBy !== '' && (
        <KeyValue label={t('checked')}>
          {t(`method_${request.checkMethod}` as keyof typeof en)}, {request.checkedBy},{' '}
          <Moment value={request.checkedAt} />
          {request.checkNote !== '' && <span className="under">{request.checkNote}</span>}
        </KeyValue>
      )}
      {request.records > 0 && <KeyValue label={t('records')}>{count(request.records)}</KeyValue>}
      {request.decidedBy !== '' && (
        <KeyValue label={t('decided')}>
          {request.decidedBy}, <Moment value={request.decidedAt} />
          {request.decision !== '' && <span className="under">{request.decision}</span>}
        </KeyValue>
      )}
      {went !== '' && <KeyValue label={t('went')}>{went}</KeyValue>}
    </KeyValues>
  )
}
