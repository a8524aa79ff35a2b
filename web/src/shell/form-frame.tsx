import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Note } from '#ui/note.tsx'
import type { PortalFormState } from './form.tsx'
import { words } from './words.ts'

const LeaveDialog = lazy(() => import('./leave-dialog.tsx').then((m) => ({ default: m.LeaveDialog })))

interface FormFrameProps {
  /** What usePortalForm gave. */
  of: PortalFormState
  children: ReactNode
  className?: string
  /** For a submit button outside of it */
  id?: string
  /** Off for sign-in and other forms nobody loses work in. */
  asksBeforeLeaving?: boolean
}

/** The form element: its problem above the fields, the note about a draft, the question before leaving it unsaved. */
export function FormFrame({ of, children, className, id, asksBeforeLeaving = true }: FormFrameProps) {
  const t = words.use()
  const mustAsk = () => asksBeforeLeaving && !of.saving && of.form.isDirty()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: () => mustAsk() && !of.keepsDraft,
    withResolver: true,
  })
  const refused = of.problem !== undefined || of.showLatest !== undefined
  const notes = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button may be far below.
    if (refused) notes.current?.scrollIntoView({ block: 'nearest' })
  }, [refused])
  return (
    <form
      ref={of.element}
      noValidate
      id={id}
      className={className}
      onSubmit={(event) => void of.submit(event)}
      onKeyDown={of.onKeyDown}
      aria-busy={of.saving || undefined}
    >
      {(refused || of.draft.restored) && (
        <div className="form-notes" ref={notes}>
          {of.problem && <Note kind="bad">{of.problem}</Note>}
          {of.showLatest && (
            <Note kind="bad">
              {t('meanwhile')}{' '}
              <button type="button" className="lk" onClick={of.showLatest}>
                {t('showLatest')}
              </button>
            </Note>
          )}
          {of.draft.restored && (
            <Note>
              {t('draftFound')}{' '}
              <button type="button" className="lk" onClick={of.draft.discard}>
                {t('draftDiscard')}
              </button>
            </Note>
          )}
        </div>
      )}
      {children}
      {blocker.status === 'blocked' && (
        <Suspense>
          <LeaveDialog kept={of.keepsDraft} onLeave={blocker.proceed} onStay={blocker.reset} />
        </Suspense>
      )}
    </form>
  )
}
