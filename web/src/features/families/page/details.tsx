import { enrolmentTicket, type FamilyExam, type FamilyStudent } from '@podium/contract/families/calls'
import { formatDay, formatMoment } from '@podium/contract/season'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useWrittenLanguage, writtenLanguage } from '#shell/language/language.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { writeDraft } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { explainDisabled } from '#ui/popover.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Toaster, toast } from '#ui/toast.tsx'
import { draftOf, type Family, hasDraft, type Step } from './family.ts'
import './families.css'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/families.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/families.json'))

interface FamilyRestProps extends Omit<DetailsProps, 'family' | 'onDone'> {
  step: Exclude<Step, { kind: 'loading' | 'code' }>
  /** The greeting in the answer to the right code */
  greeting: string
  close: () => Promise<void>
}

/** The page after the access code, or without one: the children, the end, and problems. */
export function FamilyRest({ step, greeting, close, ...details }: FamilyRestProps) {
  const t = words.use()
  const translate = useSentences()

  useEffect(() => {
    if (greeting) toast.success(translateSentence(greeting))
  }, [greeting])

  const onDone = () => {
    toast.clear()
    details.setEditing(undefined)
    return close()
  }
  const content = () => {
    if (step.kind === 'details') return <Details {...details} family={step.family} onDone={onDone} />
    if (step.kind === 'closed') {
      const retryButton = <Button onClick={() => void details.load()}>{t('again')}</Button>
      return (
        <EmptyState icon="ok" level={1} title={t('doneTitle')} actions={retryButton}>
          {t('doneText')}
        </EmptyState>
      )
    }
    const { code, message } = step.error
    if (code === 'account.bad_link') {
      return (
        <EmptyState icon="search" level={1} title={t('badLink')}>
          {translate(message)}
          <br />
          {t('badLinkHelp')}
        </EmptyState>
      )
    }
    return (
      <ErrorState level={1} retry={details.load}>
        {code === 'network' ? t('offline') : translate(message)}
      </ErrorState>
    )
  }
  return (
    <>
      {content()}
      <Toaster />
    </>
  )
}

const undecided = ({ examDate, examFrom, firstDate, secondDate }: FamilyExam) =>
  examDate === null && examFrom === null && firstDate !== null && secondDate !== null

/** A child's olympiads with their days: the chosen one, both while none is chosen, or the time online. */
function Exams({ exams }: { exams: readonly FamilyExam[] }) {
  const t = words.use()
  const examText = (exam: FamilyExam) => {
    if (exam.examFrom !== null) {
      const from = new Date(exam.examFrom)
      return t('online', { when: formatMoment(from) })
    }
    if (exam.examDate !== null) return formatDay(exam.examDate)
    const [first, second] = [exam.firstDate, exam.secondDate].filter((day) => day !== null).map(formatDay)
    if (first === undefined) return t(exam.examMode === 'Online' ? 'onlineLater' : 'dateLater')
    return second === undefined ? first : t('either', { first, second })
  }
  return (
    <>
      <ul className="exams">
        {exams.map((exam) => (
          <li key={exam.eventLetter}>
            <span>{translateSentence(exam.subjectName)}</span>
            <span>{examText(exam)}</span>
          </li>
        ))}
      </ul>
      {exams.some(undecided) && <p className="hint">{t('eitherNote')}</p>}
    </>
  )
}

interface StudentCardProps {
  student: FamilyStudent
  /** This child has unsaved changes */
  unsaved: boolean
  /** Rendered at the end: the child's results */
  results: ReactNode
  foundation: Family['foundation']
  onEdit: () => void
  onDiscard: () => void
  /** Called when the session has ended */
  onEnded: () => void
}

/** 9000004170 → 90000 04170; other formats stay as they are. */
const grouped = (mobile: string) => mobile.replace(/^(\d{5})(\d{5})$/, '$1 $2')

/** A child: name, class, olympiads, and what the family can do. */
function StudentCard(props: StudentCardProps) {
  const { student, unsaved, results, foundation, onEdit, onDiscard, onEnded } = props
  const t = words.use()
  const translate = useSentences()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const name = student.studentName

  const take = async () => {
    setBusy(true)
    setProblem('')
    try {
      const query = { individualRegId: String(student.individualRegId), language: writtenLanguage() }
      await download(enrolmentTicket, { query })
    } catch (thrown) {
      const refused = thrown instanceof CallError ? thrown : undefined
      if (refused?.status === 401) return onEnded()
      setProblem(refused && refused.code !== 'network' ? translate(refused.message) : t('offline'))
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
          onClick={() => void take()}>
          {t('download')}
        </Button>
        <Button
          icon="edit"
          wide
          data-edits={student.individualRegId}
          disabled={student.can.edit === true ? false : t('seasonOver')}
          aria-label={t('editOf', { name })}
          onClick={onEdit}>
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

const littleClasses = { 15: 'nursery', 13: 'lkg', 14: 'ukg' } as const

function classText(t: ReturnType<typeof words.use>, { classId, section }: FamilyStudent): string {
  const littleClass = littleClasses[classId as keyof typeof littleClasses]
  const name = littleClass ? t(littleClass) : t('classN', { n: String(classId) })
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

const StudentForm = lazyPart(() => import('./student-form.tsx'), 'StudentForm')
const Privacy = lazyPart(() => import('./privacy.tsx'), 'Privacy')

export interface DetailsProps {
  /** A child's results, at the end of the card */
  results: (student: FamilyStudent) => ReactNode
  family: Family
  groupId: string
  /** The child being edited */
  editing: number | undefined
  setEditing: (id: number | undefined) => void
  load: () => Promise<void>
  onDone: () => Promise<void>
}

/** “Student details”: all children of the link, or the one being edited. */
export function Details(props: DetailsProps) {
  const { family, groupId, editing, setEditing, load } = props
  const translate = useSentences()
  const edited = family.data.find(({ individualRegId }) => individualRegId === editing)

  useEffect(explainDisabled, [])
  // Preloaded while the user reads, so that the form opens at once.
  useEffect(() => {
    const idle = setTimeout(() => void StudentForm.load().catch(() => undefined), 1500)
    return () => clearTimeout(idle)
  }, [])
  // The form is its own history entry: Back on a phone leads from it to the children.
  useEffect(() => {
    const follow = () => setEditing(history.state ?? undefined)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [setEditing])
  const last = useRef<number>(undefined)
  if (edited) last.current = edited.individualRegId
  if (!edited) return <Children {...props} last={last.current} />
  return (
    <Suspense fallback={<Skeleton shape="form" rows={4} />}>
      <StudentForm
        key={edited.individualRegId}
        student={edited}
        groupId={groupId}
        fYear={family.fYear}
        onSaved={(message) => {
          // Unless the user has gone back already.
          if (history.state === edited.individualRegId) history.back()
          toast.success(translate(message))
          void load()
        }}
        onBack={() => history.back()}
        onStale={() => void load()}
        onEnded={() => void load()}
      />
    </Suspense>
  )
}

/** `last` is the child edited last: its button gets the focus, otherwise the title. */
function Children({
  family,
  results,
  setEditing,
  load,
  onDone,
  last,
}: DetailsProps & { last: number | undefined }) {
  const t = words.use()
  const [, drawAgain] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const [privacy, setPrivacy] = useState(false)

  useEffect(() => {
    const [title, button] = ['h1', `[data-edits="${last}"]`]
    frame.current?.querySelector<HTMLElement>(last === undefined ? title : button)?.focus()
  }, [last])
  return (
    <div className="fam-details stack" ref={frame}>
      <div>
        <div className="title">
          <h1 tabIndex={-1}>{t('page')}</h1>
          <Button kind="text" icon="logout" onClick={() => void onDone()}>
            {t('close')}
          </Button>
        </div>
        <p className="lede">{t('intro')}</p>
      </div>
      <div className="kids stack">
        {family.data.map((student) => (
          <StudentCard
            key={student.individualRegId}
            student={student}
            unsaved={hasDraft(student)}
            results={results(student)}
            foundation={family.foundation}
            onEdit={() => {
              history.pushState(student.individualRegId, '')
              setEditing(student.individualRegId)
            }}
            onDiscard={() => {
              writeDraft(draftOf(student), undefined)
              drawAgain((n) => n + 1)
            }}
            onEnded={() => void load()}
          />
        ))}
      </div>
      <div>
        <Button kind="text" icon="lock" aria-expanded={privacy} onClick={() => setPrivacy(!privacy)}>
          {t('privacy')}
        </Button>
        {privacy && (
          <Suspense fallback={<Skeleton shape="text" rows={5} />}>
            <Privacy onEnded={() => void load()} />
          </Suspense>
        )}
      </div>
      <FamilyFooter foundation={family.foundation} onDone={onDone} />
    </div>
  )
}

function FamilyFooter({
  foundation,
  onDone,
}: {
  foundation: Family['foundation']
  onDone: () => Promise<void>
}) {
  const t = words.use()
  const { supportPhone: phone } = foundation
  const hours = useWrittenLanguage() === 'hi' ? foundation.supportHoursHi : foundation.supportHours
  return (
    <footer className="fam-foot">
      {phone && <p>{t('help', { phone, hours })}</p>}
      <div className="go">
        <Button icon="logout" wide onClick={() => void onDone()}>
          {t('done')}
        </Button>
        <p className="hint">{t('doneWhy')}</p>
      </div>
    </footer>
  )
}
