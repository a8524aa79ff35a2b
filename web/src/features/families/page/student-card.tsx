import type { FamilyStudent } from '@podium/contract/families/calls'
import { type ReactNode, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { writtenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { takeTicket } from './calls.ts'
import { Exams } from './exams.tsx'
import type { Family } from './family.ts'
import { words } from './words.ts'

interface StudentCardProps {
  student: FamilyStudent
  /** Something typed for this child waits to be saved */
  unsaved: boolean
  /** Stands at the end: the child's results */
  results: ReactNode
  foundation: Family['foundation']
  onEdit: () => void
  onDiscard: () => void
  /** The session is over */
  onEnded: () => void
}

/** 9000004170 → 90000 04170; anything else as it is. */
const grouped = (mobile: string) => mobile.replace(/^(\d{5})(\d{5})$/, '$1 $2')

/** A child: who, where, which olympiads, and what the family can do. */
export function StudentCard(props: StudentCardProps) {
  const { student, unsaved, results, foundation, onEdit, onDiscard, onEnded } = props
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const name = student.studentName

  const take = async () => {
    setBusy(true)
    setProblem('')
    try {
      const query = { individualRegId: String(student.individualRegId), language: writtenLanguage() }
      await download(takeTicket, { query })
    } catch (thrown) {
      const refused = thrown instanceof CallError ? thrown : undefined
      if (refused?.status === 401) return onEnded()
      setProblem(refused && refused.code !== 'network' ? say(refused.message) : t('offline'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <article className="kid" aria-labelledby={`kid-${student.individualRegId}`}>
      <div className="hd">
        <h2 id={`kid-${student.individualRegId}`}>{name}</h2>
        <p>
          {t('classRoll', { class: classText(t, student), roll: String(student.rollNo) })}
          <br />
          {student.schName}
        </p>
      </div>
      <dl>
        <Fact label={t('parent')} value={student.m_F_Name} />
        <Fact label={t('mobile')} value={grouped(student.mobileNo)} />
        <Fact label={t('email')} value={student.email} />
        {student.examRollNo ? (
          <Fact label={t('examRollNo')} value={student.examRollNo} />
        ) : (
          <Fact label={t('examRollNo')} value="" otherwise={t('examRollNoLater')} />
        )}
        <div>
          <dt>{t('subjects')}</dt>
          <dd>
            <Exams exams={student.exams} />
          </dd>
        </div>
      </dl>
      <div className="go">
        {unsaved && (
          <Note kind="due">
            <p>{t('unsaved')}</p>
            <p className="acts">
              <button type="button" className="lk" onClick={onEdit}>
                {t('goOn')}
              </button>
              <button type="button" className="lk" onClick={onDiscard}>
                {t('discard')}
              </button>
            </p>
          </Note>
        )}
        {problem && <Note kind="bad">{problem}</Note>}
        <Button
          kind="primary"
          icon="ticket"
          wide
          busy={busy}
          aria-label={t('downloadOf', { name })}
          onClick={() => void take()}
        >
          {t('download')}
        </Button>
        <Button
          icon="edit"
          wide
          data-edits={student.individualRegId}
          disabled={student.can.edit === true ? false : t('seasonOver')}
          aria-label={t('editOf', { name })}
          onClick={onEdit}
        >
          {t('edit')}
        </Button>
      </div>
      {results}
      {foundation.socialLinks.length > 0 && (
        <div className="kid-follow">
          <p>{t('follow', { name: foundation.name })}</p>
          <p className="pages">
            {foundation.socialLinks.map((link) => (
              <a key={link.url} href={link.url} target="_blank" rel="noopener noreferrer">
                {link.name}
              </a>
            ))}
          </p>
        </div>
      )}
    </article>
  )
}

const little = { 15: 'nursery', 13: 'lkg', 14: 'ukg' } as const

function classText(t: ReturnType<typeof words.use>, { classId, section }: FamilyStudent): string {
  const own = little[classId as keyof typeof little]
  const name = own ? t(own) : t('classN', { n: String(classId) })
  return section === '-' ? name : `${name} ${section}`
}

function Fact({ label, value, otherwise }: { label: string; value: string; otherwise?: string }) {
  const t = words.use()
  return (
    <div>
      <dt>{label}</dt>
      <dd className={value ? undefined : 'none'}>{value || (otherwise ?? t('none'))}</dd>
    </div>
  )
}
