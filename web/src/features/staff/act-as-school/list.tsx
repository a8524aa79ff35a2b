import type { ActingSession } from '@podium/contract/staff/calls-act-as-school'
import { Moment } from '#shell/format.tsx'
import { useActionName } from '#shell/history/line-parts.tsx'
import { defineWords } from '#shell/language/words.ts'
import { Note } from '#ui/note.tsx'
import type en from '#words/en/staff-act-as-school.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/staff-act-as-school.json'))

/** The foundation's sign-ins as this school: who, when, why, and what was done. */
export function ActingSessionsList({ sessions }: { sessions: readonly ActingSession[] }) {
  const t = words.use()
  const lasting = sessions.some(({ endedAt }) => endedAt === null)
  return (
    <Note className="mb-5" kind={lasting ? 'due' : 'info'}>
      <details>
        <summary>{lasting ? t('now') : t('title', { n: sessions.length })}</summary>
        <ul className="stack mt-3">
          {sessions.map((session) => (
            <ActingSessionItem key={session.id} session={session} />
          ))}
        </ul>
      </details>
    </Note>
  )
}

function ActingSessionItem({ session }: { session: ActingSession }) {
  const t = words.use()
  const nameOf = useActionName()
  const { officer, account, reason, acts } = session
  return (
    <li>
      <b>{t('line', { officer, account, reason })}</b>
      <br />
      <Moment value={session.startedAt} /> –{' '}
      {session.endedAt === null ? t('untilNow') : <Moment value={session.endedAt} />}
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
