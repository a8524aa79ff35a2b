import type { Endpoint, Schema } from '@podium/contract/endpoint'
import { foundationSettings } from '@podium/contract/office/calls-settings'
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { FormFrame } from '#shell/form-frame.tsx'
import { useMay } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

type Texts = Record<string, string>

interface SectionOptions<Values extends Texts> {
  /** Schema of the section, without the version */
  schema: Schema
  endpoint: Endpoint
  /** The saved values, as field texts */
  known: Values
  version: number
}

/** The queries of the settings page. */
export const settingsCalls = [foundationSettings]

/** Holds the typed and the saved values, and merges them when someone else has saved the section. */
function useTypedValues<Values extends Texts>({
  known,
  version,
}: Pick<SectionOptions<Values>, 'known' | 'version'>) {
  const [base, setBase] = useState({ known, version })
  const [values, setValues] = useState(known)
  const [savedMeanwhile, setSavedMeanwhile] = useState<Partial<Values>>({})
  if (version !== base.version) {
    const names = Object.keys(known) as (keyof Values)[]
    const changedNames = names.filter((name) => values[name] !== base.known[name])
    const differ = changedNames.filter(
      (name) => known[name] !== base.known[name] && known[name] !== values[name],
    )
    setValues({ ...known, ...Object.fromEntries(changedNames.map((name) => [name, values[name]])) })
    setSavedMeanwhile(Object.fromEntries(differ.map((name) => [name, known[name]])) as Partial<Values>)
    setBase({ known, version })
  }
  /** Takes over the sent values as saved, but keeps what was typed since. */
  const saved = (sent: Values) => {
    setBase({ known: sent, version: base.version })
    setValues((before) => {
      const since = Object.entries(before).filter(([name, value]) => value !== values[name])
      return { ...sent, ...Object.fromEntries(since) }
    })
    setSavedMeanwhile({})
  }
  return { base, values, setValues, savedMeanwhile, setSavedMeanwhile, saved }
}

/**
 * The state of one section of the settings: typed values, changes and saving. If someone else saves the section in the
 * meantime, the typed values stay and the other person's values are shown next to them.
 */
export function useSection<Values extends Texts>(asked: SectionOptions<Values>) {
  const t = words.use()
  const invalidate = useInvalidate(settingsCalls)
  const element = useRef<HTMLFormElement>(null)
  const { base, values, setValues, savedMeanwhile, setSavedMeanwhile, saved } = useTypedValues(asked)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  const changed = (Object.keys(values) as (keyof Values & string)[]).filter(
    (name) => values[name] !== base.known[name],
  )

  const refuse = (issues: readonly { path: PropertyKey[] | string; message: string }[]) => {
    const place = (path: PropertyKey[] | string) => (typeof path === 'string' ? path : path.join('.'))
    setErrors(
      Object.fromEntries(issues.map(({ path, message }) => [place(path), translateSentence(message)])),
    )
    requestAnimationFrame(() => focusFirstError(element.current))
  }

  const save = async (typed: Values) => {
    setProblem(undefined)
    setErrors({})
    const parsed = asked.schema.safeParse(typed)
    if (!parsed.success) return refuse(parsed.error.issues)
    setSaving(true)
    try {
      await call(asked.endpoint, { body: { ...(parsed.data as object), version: base.version } })
      saved(typed)
      // Take over the values as the server has stored them.
      await invalidate()
      toast.success(t('saved'))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') await invalidate()
      refuse(cause.issues)
      if (cause.issues.length === 0)
        setProblem(cause.code === 'changed_meanwhile' ? t('meanwhile') : translateSentence(cause.message))
    } finally {
      setSaving(false)
    }
  }

  const set = (name: keyof Values & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _, ...others }) => others)
  }

  return {
    values,
    changed,
    savedMeanwhile,
    errors,
    problem,
    saving,
    set,
    save,
    /** Restores the saved values. */
    discard: () => {
      setValues(base.known)
      setErrors({})
      setProblem(undefined)
      setSavedMeanwhile({})
    },
    element,
    /** Returns the props of a text field, except its label. */
    text: (name: keyof Values & string) => ({
      value: values[name] ?? '',
      error: errors[name],
      'data-path': name,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value),
    }),
  }
}

type Section = Omit<
  ReturnType<typeof useSection<Texts>>,
  'text' | 'set' | 'save' | 'values' | 'savedMeanwhile'
>

/** Returns why this person may not change settings; undefined for the owner. */
export function useWriteRefusal(): string | undefined {
  const t = words.use()
  return useMay('settings.write') ? undefined : t('mayNot')
}

/** A section: its name and explanation next to its settings. */
export function SettingsSection({
  id,
  title,
  description,
  children,
}: {
  id: string
  title: string
  description: string
  children: ReactNode
}) {
  return (
    <section className="set-section" id={id} aria-labelledby={`${id}-title`}>
      <div className="set-about">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <p>{description}</p>
      </div>
      <Panel>{children}</Panel>
    </section>
  )
}

/** Collapsed settings that few need. Opens by itself if something in it is wrong. */
export function Fold({ summary, wrong, children }: { summary: string; wrong: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(wrong)
  useEffect(() => {
    if (wrong) setOpen(true)
  }, [wrong])
  return (
    <details className="set-fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

interface SectionFormProps {
  of: Section
  onSave: () => void
  /** Resets to the built-in values, if they differ */
  builtIn?: { label: string; is: boolean; reason: string; onBack: () => void }
  children: ReactNode
}

/** The form of a section, with the number of changes, Save, Discard and reset. */
export function SectionForm({ of, onSave, builtIn, children }: SectionFormProps) {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const { changed, saving, problem, element, discard } = of
  const frame = {
    saving,
    problem,
    element,
    keepsDraft: false,
    draft: { restored: false, discard },
    form: { isDirty: () => changed.length > 0 },
    submit: async (event?: { preventDefault: () => void }) => {
      event?.preventDefault()
      if (!saving && !disabledReason) onSave()
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLFormElement>) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      element.current?.requestSubmit()
    },
  }
  return (
    <FormFrame of={frame}>
      <div className="stack">{children}</div>
      <div className="set-foot row mt-5">
        <Button
          type="submit"
          kind="primary"
          busy={saving}
          disabled={disabledReason ?? (changed.length === 0 ? t('nothingChanged') : undefined)}>
          {t('save')}
        </Button>
        {changed.length > 0 && !disabledReason && (
          <>
            <Button kind="text" onClick={discard}>
              {t('discard')}
            </Button>
            <Badge kind="doubt">{t('changedCount', { n: changed.length })}</Badge>
          </>
        )}
        {builtIn && (
          <Button
            kind="text"
            icon="undo"
            className="set-back"
            disabled={disabledReason ?? (builtIn.is ? builtIn.reason : undefined)}
            onClick={builtIn.onBack}>
            {builtIn.label}
          </Button>
        )}
      </div>
    </FormFrame>
  )
}
