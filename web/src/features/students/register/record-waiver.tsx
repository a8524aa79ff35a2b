import { Link } from '@tanstack/react-router'
import { dayText } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { Note } from '#ui/note.tsx'
import type { StudentOne } from './use-record.ts'
import { words } from './words-record.ts'

/** That a waiver waits, was granted or declined; nothing where none was asked for. */
export function WaiverNote({ one: { waiver } }: { one: StudentOne }) {
  const t = words.use()
  if (!waiver || waiver.state === 'withdrawn') return null
  if (waiver.state === 'asked')
    return (
      <Note kind="due">
        {t('waiverAsked', { name: waiver.askedBy, day: dayText(waiver.askedAt), reason: waiver.reason })}{' '}
        <Link to={officePaths.waivers}>{t('toWaivers')}</Link>
      </Note>
    )
  const approved = waiver.state === 'approved'
  return (
    <Note kind={approved ? 'ok' : 'info'}>
      {t(approved ? 'waiverApproved' : 'waiverDeclined', {
        day: dayText(waiver.decidedAt),
        reason: approved ? waiver.reason : waiver.decision,
      })}
    </Note>
  )
}
