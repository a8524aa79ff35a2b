import './families.css'
import type { FamilyStudent } from '@podium/contract/families/calls'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { writeDraft } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { draftOf, type Family, hasDraft } from './family.ts'
import { StudentCard } from './student-card.tsx'
import { words } from './words.ts'

export interface FamilyPageProps {
  /** A child's results, at the end of its card */
  results?: (student: FamilyStudent) => ReactNode
  /** Brings what the cards show, before they are shown */
  ahead?: () => Promise<unknown>
}

const form = () => import('./student-form.tsx').then((m) => ({ default: m.StudentForm }))
const StudentForm = lazy(form)
const Privacy = lazy(() => import('./privacy.tsx').then((m) => ({ default: m.Privacy })))

export interface DetailsProps extends FamilyPageProps {
  family: Family
  groupId: string
  /** The child that is being edited */
  editing: number | undefined
  setEditing: (id: number | undefined) => void
  load: () => Promise<void>
  done: () => Promise<void>
}

/** «Student details»: all children of the link, or one of them being edited. */
export function Details(props: DetailsProps) {
  const { family, groupId, editing, setEditing, load } = props
  const say = useSentences()
  const edited = family.data.find(({ individualRegId }) => individualRegId === editing)

  // Fetched while the details are read: the form opens at once.
  useEffect(() => {
    const idle = setTimeout(() => void form().catch(() => undefined), 1500)
    return () => clearTimeout(idle)
  }, [])
  // The form is a step of its own: a phone's Back leads from it to the children.
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
          history.back()
          toast.success(say(message))
          void load()
        }}
        onBack={() => history.back()}
        onStale={() => void load()}
        onEnded={() => void load()}
      />
    </Suspense>
  )
}

/** `last` is the child that was edited last: the cursor comes back to its button, else to the title. */
function Children({
  family,
  results,
  setEditing,
  load,
  done,
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
    <div className="fam-details" ref={frame}>
      <div>
        <div className="title">
          <h1 tabIndex={-1}>{t('page')}</h1>
          <Button kind="text" icon="logout" onClick={() => void done()}>
            {t('close')}
          </Button>
        </div>
        <p className="lede">{t('lede')}</p>
      </div>
      <div className="kids">
        {family.data.map((student) => (
          <StudentCard
            key={student.individualRegId}
            student={student}
            unsaved={hasDraft(student)}
            results={results?.(student)}
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
      <Foot foundation={family.foundation} done={done} />
    </div>
  )
}

function Foot({ foundation, done }: { foundation: Family['foundation']; done: () => Promise<void> }) {
  const t = words.use()
  const { supportPhone: phone } = foundation
  const hours = useWrittenLanguage() === 'hi' ? foundation.supportHoursHi : foundation.supportHours
  return (
    <footer className="fam-foot">
      {phone && <p>{t('help', { phone, hours })}</p>}
      <div className="go">
        <Button icon="logout" wide onClick={() => void done()}>
          {t('done')}
        </Button>
        <p className="hint">{t('doneWhy')}</p>
      </div>
    </footer>
  )
}
