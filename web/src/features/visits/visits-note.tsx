import './visits.css'
import { type SchoolVisit, schoolVisits } from '@podium/contract/visits'
import { Moment } from '#shell/format.tsx'
import { useActionName } from '#shell/history/line-parts.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'

/** Tells a school that the foundation acted in its portal: who, when, why, and what was done. Nothing where it did not. */
export function VisitsNote() {
  const t = words.use()
  const asked = useEndpoint(schoolVisits)
  const visiting = useSession()?.visit !== undefined
  if (asked.isPending) return <Skeleton shape="text" rows={0} />
  const visits = asked.data?.data ?? []
  if (visits.length === 0 || visiting) return null
  const lasting = visits.some(({ endedAt }) => endedAt === null)
  return (
    <div className="visits-note">
      <Note kind={lasting ? 'due' : 'info'}>
        <details>
          <summary>{lasting ? t('now') : t('title', { n: visits.length })}</summary>
          <ul className="stack">
            {visits.map((visit) => (
              <Visit key={visit.id} visit={visit} />
            ))}
          </ul>
        </details>
      </Note>
    </div>
  )
}

function Visit({ visit }: { visit: SchoolVisit }) {
  const t = words.use()
  const nameOf = useActionName()
  const { officer, account, reason, acts } = visit
  return (
    <li>
      <b>{t('line', { officer, account, reason })}</b>
      <br />
      <Moment value={visit.startedAt} /> –{' '}
      {visit.endedAt === null ? t('untilNow') : <Moment value={visit.endedAt} />}
      <br />
      {acts.length === 0 ? (
        t('nothingDone')
      ) : (
        <>
          {t('done')}: {acts.map(({ action }) => nameOf(action)).join(', ')}
        </>
      )}
    </li>
  )
}
