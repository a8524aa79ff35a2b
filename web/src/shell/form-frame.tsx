import { useForm } from '@mantine/form'
import type { Schema } from '@podium/contract/endpoint'
import { useBlocker } from '@tanstack/react-router'
import {
  type BaseSyntheticEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import type * as z from 'zod/mini'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { afterPress, focusFirstError } from './field-focus.ts'
import { translateSentence } from './language/sentences.ts'
import { readOwnDraft, saveOwnDraft, saveOwnDraftSoon } from './own-draft.ts'
import { useRefusalText } from './use-action.ts'
import { words } from './words.ts'

export interface PortalForm<S extends Schema, Values> {
  /** The schema from the contract, used here and on the server. */
  schema: S
  initialValues: Values
  /** Name under which input is stored in this tab until saved or discarded. Never for passwords or files. */
  draftKey?: string
  /**
   * Version of the record, for a form that stays open once saved. A newer one replaces the values unless they were
   * edited; `save` then still gets the version that the input belongs to, so the server refuses it.
   */
  version?: number
  /**
   * Saves the parsed values. A CallError's issues go to their fields; any other error becomes the form's `problem`.
   * `again` is true for Ctrl+Enter: save and start the next one. If the form has a `version`, returns the new one.
   */
  save: (values: z.output<S>, how: { again: boolean; version: number }) => Promise<unknown>
}

/** What `save` throws if it saved nothing yet (a preview, a question first): the form and its draft stay, without a message. */
export const nothingSaved = () => new CallError('', 0, '')

function firstMessages(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.map(String).join('.')] ??= translateSentence(message)
  return errors
}

/** A value of the form, or one within it: `name`, `fees.3.amount`. */
export type PathOf<Values> = (keyof Values & string) | `${string}.${string}`

/**
 * An uncontrolled form over @mantine/form: pass `{...form.field(path)}` to a kit field. Errors show when a field is
 * left or on submit, which focuses the first of them. Render with `<FormFrame of={…}>`.
 */
export function usePortalForm<S extends Schema, Values extends Record<string, unknown>>(
  options: PortalForm<S, Values>,
) {
  const element = useRef<HTMLFormElement>(null)
  const again = useRef(false)
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [stale, setStale] = useState(false)
  const textOf = useRefusalText()
  const plain = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: options.initialValues,
    validate: (values) => {
      const read = options.schema.safeParse(values)
      return read.success ? {} : firstMessages(read.error.issues)
    },
    onValuesChange: (values) => draft.keep(values),
  })
  const form = {
    ...plain,
    field: (path: PathOf<Values>, options?: { type: 'checkbox' }) => {
      const props = plain.getInputProps(path, options)
      const onBlur = (event?: unknown) => {
        props.onBlur?.(event)
        afterPress(() => plain.validateField(path))
      }
      return { ...props, onBlur, formKey: plain.key(path) }
    },
  }
  const opened = useOpenedVersion(options, form, saving)
  const draft = useDraft(opened.draftKey, form)

  const refuse = (cause: unknown) => {
    if (!(cause instanceof CallError)) throw cause
    // The user closed the identity check: the form stays as it was.
    if (cause.message === '') return
    // The user has left the form, believing it saved; after the session's end the sign-in says so.
    if (!element.current) return cause.status !== 401 && toast.error(translateSentence(cause.message))
    if (cause.code === 'changed_meanwhile') return setStale(true)
    const errors = firstMessages(cause.issues.map(({ path, message }) => ({ path: [path], message })))
    form.setErrors(errors)
    const hasField = [...Object.keys(errors)].some((path) => form.getInputNode(path))
    setProblem(hasField ? undefined : textOf(cause))
    focusFirstError(element.current)
  }

  const submit = async (event?: FormEvent | BaseSyntheticEvent) => {
    event?.preventDefault()
    const how = { again: again.current, version: opened.version }
    again.current = false
    if (saving) return
    setProblem(undefined)
    setStale(false)
    const read = options.schema.safeParse(form.getValues())
    if (!read.success) {
      form.setErrors(firstMessages(read.error.issues))
      focusFirstError(element.current)
      return
    }
    setSaving(true)
    const sent = form.getValues()
    try {
      const answer = await options.save(read.data, how)
      draft.drop()
      form.resetDirty(options.version === undefined ? form.getValues() : sent)
      if (typeof answer === 'number') opened.moveTo(answer)
    } catch (cause) {
      refuse(cause)
    } finally {
      setSaving(false)
    }
  }

  /** Discards the input after someone else has saved, and reloads the page with their version. */
  const showLatest = () => {
    draft.drop()
    form.resetDirty(form.getValues())
    location.reload()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    again.current = true
    element.current?.requestSubmit()
  }

  return {
    form,
    saving,
    problem,
    showLatest: stale ? showLatest : undefined,
    submit,
    /** Places what the server refuses of another call that takes what is typed. */
    refuse,
    onKeyDown,
    element,
    draft,
    keepsDraft: options.draftKey !== undefined,
  }
}

export type PortalFormState = Pick<
  ReturnType<typeof usePortalForm>,
  'saving' | 'problem' | 'submit' | 'onKeyDown' | 'element' | 'keepsDraft'
> & {
  draft: { restored: boolean; discard: () => void }
  form: { isDirty: () => boolean }
  /** Set while someone else has saved the open record. */
  showLatest?: (() => void) | undefined
}

interface VersionedForm<Values> {
  getValues: () => Values
  isDirty: () => boolean
  reset: () => void
  resetDirty: (values: Values) => void
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * The version of the record that the input belongs to: the next one once saved, or a newer one that arrives, unless it
 * would replace input or lets input overwrite what someone else saved.
 */
function useOpenedVersion<Values extends Record<string, unknown>>(
  {
    version,
    initialValues,
    draftKey,
  }: Pick<PortalForm<Schema, Values>, 'version' | 'initialValues' | 'draftKey'>,
  form: VersionedForm<Values>,
  saving: boolean,
) {
  const [opened, setOpened] = useState(version ?? 0)
  const shown = useRef({ version, initialValues })
  const keyOf = (of: number) => draftKey && (version === undefined ? draftKey : `${draftKey}.${of}`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a newer version has arrived
  useEffect(() => {
    if (version === undefined || saving || version === shown.current.version) return
    const edited = form.isDirty()
    if (edited && version !== opened && !same(initialValues, shown.current.initialValues)) return
    shown.current = { version, initialValues }
    moveTo(version)
    if (edited || same(initialValues, form.getValues())) return
    form.resetDirty(initialValues)
    form.reset()
  }, [version, saving])
  const moveTo = (next: number) => {
    const [key, nextKey] = [keyOf(opened), keyOf(next)]
    if (key && nextKey && key !== nextKey && form.isDirty()) {
      saveOwnDraft(key, undefined, 'tab')
      saveOwnDraftSoon(nextKey, form.getValues())
    }
    setOpened(next)
  }
  return { version: opened, draftKey: keyOf(opened), moveTo }
}

interface DraftTarget<Values> {
  getValues: () => Values
  setValues: (values: Partial<Values>) => void
  reset: () => void
}

/**
 * Stores a form's values in the tab while typing and restores them once, for the user who typed them, even after the
 * session has expired.
 */
function useDraft<Values>(key: string | undefined, form: DraftTarget<Values>) {
  const latest = useRef(form)
  latest.current = form
  const [restored, setRestored] = useState(false)

  useEffect(() => {
    if (!key) return
    const stored = readOwnDraft(key)
    if (typeof stored === 'object' && stored !== null && !same(stored, latest.current.getValues())) {
      latest.current.setValues(stored as Partial<Values>)
      setRestored(true)
    }
  }, [key])

  const keep = (values: Values) => {
    if (key) saveOwnDraftSoon(key, values)
  }
  const drop = () => {
    if (key) saveOwnDraft(key, undefined, 'tab')
    setRestored(false)
  }
  const discard = () => {
    latest.current.reset()
    drop()
  }
  return { keep, drop, discard, restored }
}

const LeaveDialog = lazyDialog(() => import('./leave-dialog.tsx'), 'LeaveDialog')

/** Asks before Escape or the cross closes a dialog whose input would be lost; Cancel says so itself. */
export function useCloseQuestion(isLost: () => boolean, onClose: () => void, draftSaved = false) {
  const [asking, setAsking] = useState(false)
  return {
    leave: () => (isLost() ? setAsking(true) : onClose()),
    question: asking && (
      <LeaveDialog draftSaved={draftSaved} onLeave={onClose} onStay={() => setAsking(false)} />
    ),
  }
}

/**
 * Asks before the user leaves a page with input that would be lost; returns the question, to be rendered. A reload asks
 * only if no draft is saved. `within`: the input is lost, too, when this filter of the page changes.
 */
export function useLeavePageQuestion(isLost: () => boolean, draftSaved = false, within?: string): ReactNode {
  const placeOf = ({ pathname, search }: { pathname: string; search: Record<string, unknown> }) =>
    `${pathname} ${within === undefined ? '' : String(search[within] ?? '')}`
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next) && isLost(),
    enableBeforeUnload: () => !draftSaved && isLost(),
    withResolver: true,
  })
  return (
    blocker.status === 'blocked' && (
      <LeaveDialog draftSaved={draftSaved} onLeave={blocker.proceed} onStay={blocker.reset} />
    )
  )
}

interface FormFrameProps {
  /** The result of usePortalForm. */
  of: PortalFormState
  children: ReactNode
  className?: string
  /** For a submit button outside the form */
  id?: string
  /** Off for sign-in and other forms where no one loses work. */
  asksBeforeLeaving?: boolean
}

/** The form element: its error above the fields, the note about a draft, and the question before leaving it unsaved. */
export function FormFrame({ of, children, className, id, asksBeforeLeaving = true }: FormFrameProps) {
  const t = words.use()
  const mustAsk = () => asksBeforeLeaving && !of.saving && of.form.isDirty()
  const leaving = useLeavePageQuestion(mustAsk, of.keepsDraft)
  const refused = of.problem !== undefined || of.showLatest !== undefined
  const notes = useRef<HTMLDivElement>(null)
  const form = of.element
  const first = () =>
    form.current?.querySelector<HTMLElement>('[data-autofocus], :is(input, select, textarea):enabled')
  // A dialog starts in a field, not on its close button if the fields come later, nor on what discards a draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the form appears, and when a draft is restored
  useEffect(() => {
    if (!form.current?.closest('.dlg')) return
    first()?.setAttribute('data-autofocus', '')
    if (document.activeElement?.matches('.dlg, .dlg-close, .form-notes *')) first()?.focus()
  }, [of.draft.restored])
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
      aria-busy={of.saving || undefined}>
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
              <button
                type="button"
                className="lk"
                onClick={() => {
                  of.draft.discard()
                  // Once the fields are rendered again.
                  setTimeout(() => first()?.focus())
                }}>
                {t('draftDiscard')}
              </button>
            </Note>
          )}
        </div>
      )}
      {children}
      {leaving}
    </form>
  )
}
