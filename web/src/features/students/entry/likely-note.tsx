import { translateSentence } from '#shell/language/sentences.ts'
import { Note } from '#ui/note.tsx'
import { words } from './words.ts'

/** A student just saved, with possible duplicates. */
export interface Saved {
  studentName: string
  likely: readonly {
    id: number
    studentName: string
    className: string
    section: string
    rollNo: number
  }[]
}

/** Points out possible duplicates. The student is already saved, so this only informs. */
export function LikelyNote({ saved, onDismiss }: { saved: Saved; onDismiss: () => void }) {
  const t = words.use()
  if (saved.likely.length === 0) return null
  return (
    <div className="mb-4" role="status">
      <Note kind="due">
        <b>{t('likelyTitle')}</b>{' '}
        {saved.likely.map((one) => (
          <span key={one.id}>
            {t('likely', {
              name: one.studentName,
              class: `${translateSentence(one.className)}${one.section === '-' ? '' : ` ${one.section}`}`,
              roll: one.rollNo,
            })}{' '}
          </span>
        ))}
        <button type="button" className="lk" onClick={onDismiss}>
          {t('dismiss')}
        </button>
      </Note>
    </div>
  )
}
