import { translateSentence } from '#shell/language/sentences.ts'
import { Note } from '#ui/note.tsx'
import { words } from './words.ts'

/** A student just saved, with possible duplicates. */
export interface SavedStudent {
  studentName: string
  duplicates: readonly {
    id: number
    studentName: string
    className: string
    section: string
    rollNo: number
  }[]
}

/** Points out possible duplicates. The student is already saved, so this only informs. */
export function LikelyNote({ saved, onDismiss }: { saved: SavedStudent; onDismiss: () => void }) {
  const t = words.use()
  if (saved.duplicates.length === 0) return null
  return (
    <div className="mb-4" role="status">
      <Note kind="due">
        <b>{t('likelyTitle')}</b>{' '}
        {saved.duplicates.map((student) => (
          <span key={student.id}>
            {t('likely', {
              name: student.studentName,
              class: `${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}`,
              roll: student.rollNo,
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
