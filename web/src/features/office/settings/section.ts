import type { Endpoint, Schema } from '@podium/contract/endpoint'
import { foundationSettings } from '@podium/contract/office/calls-settings'
import { type ChangeEvent, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { focusFirstError } from '#shell/first-error.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

type Texts = Record<string, string>

interface Asked<Values extends Texts> {
  /** Of the section alone, without the version */
  schema: Schema
  endpoint: Endpoint
  /** What is saved now, as texts of fields */
  known: Values
  version: number
}

/** What the settings page shows. */
export const shownOfSettings = [foundationSettings]

/** What was typed and what was saved, brought together when somebody else has saved the section. */
function useTyped<Values extends Texts>({ known, version }: Pick<Asked<Values>, 'known' | 'version'>) {
  const [base, setBase] = useState({ known, version })
  const [values, setValues] = useState(known)
  const [theirs, setTheirs] = useState<Partial<Values>>({})
  if (version !== base.version) {
    const names = Object.keys(known) as (keyof Values)[]
    const own = names.filter((name) => values[name] !== base.known[name])
    const differ = own.filter((name) => known[name] !== base.known[name] && known[name] !== values[name])
    setValues({ ...known, ...Object.fromEntries(own.map((name) => [name, values[name]])) })
    setTheirs(Object.fromEntries(differ.map((name) => [name, known[name]])) as Partial<Values>)
    setBase({ known, version })
  }
  /** What was sent is what is saved now; what was typed since it was sent stays. */
  const saved = (sent: Values) => {
    setBase({ known: sent, version: base.version })
    setValues((before) => {
      const since = Object.entries(before).filter(([name, value]) => value !== values[name])
      return { ...sent, ...Object.fromEntries(since) }
    })
    setTheirs({})
  }
  return { base, values, setValues, theirs, setTheirs, saved }
}

/**
 * One section of the settings: typed texts, what of them differs from what is saved, and saving. When somebody else has
 * saved the section meanwhile, what was typed stays and the other's text stands beside it.
 */
export function useSection<Values extends Texts>(asked: Asked<Values>) {
  const t = words.use()
  const renew = useInvalidate(shownOfSettings)
  const element = useRef<HTMLFormElement>(null)
  const { base, values, setValues, theirs, setTheirs, saved } = useTyped(asked)
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
    const read = asked.schema.safeParse(typed)
    if (!read.success) return refuse(read.error.issues)
    setSaving(true)
    try {
      await call(asked.endpoint, { body: { ...(read.data as object), version: base.version } })
      saved(typed)
      // The section takes over what the server has made of it.
      await renew()
      toast.success(t('saved'))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') await renew()
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
    theirs,
    errors,
    problem,
    saving,
    set,
    save,
    /** Goes back to what is saved. */
    discard: () => {
      setValues(base.known)
      setErrors({})
      setProblem(undefined)
      setTheirs({})
    },
    element,
    /** What a text field takes, beside its label. */
    text: (name: keyof Values & string) => ({
      value: values[name] ?? '',
      error: errors[name],
      'data-path': name,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value),
    }),
  }
}

export type Section = Omit<
  ReturnType<typeof useSection<Texts>>,
  'text' | 'set' | 'save' | 'values' | 'theirs'
>
