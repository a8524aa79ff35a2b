import { editFamilyStudent, type FamilyStudent } from '@podium/contract/families/calls'
import { familyFields } from '@podium/contract/families/schemas'
import { type FormEvent, type InputHTMLAttributes, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { CallError } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { afterPress } from '#shell/field-focus.ts'
import { writtenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { readDraft, writeDraft } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/families.json'
import { asProblem, draftOf } from './family.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/families.json'))

export const fieldNames = ['studentName', 'parents', 'mobileNo', 'email'] as const
type FieldName = (typeof fieldNames)[number]
type Values = Record<FieldName, string>

const valuesOf = (student: FamilyStudent): Values => ({
  studentName: student.studentName,
  parents: student.m_F_Name,
  mobileNo: student.mobileNo,
  email: student.email,
})

interface Draft {
  /** The saved values when typing began, and their version */
  from: Values
  version: number
  values: Values
}

/** Checks the shape: a draft may come from an earlier version of the app. */
function isDraft(value: unknown): value is Draft {
  const values = (value as Draft | undefined)?.values
  return typeof value === 'object' && fieldNames.every((name) => typeof values?.[name] === 'string')
}

/** Applies a draft to what is saved now: untouched fields follow it, typed ones stay. */
function rebaseDraft(draft: Draft, student: FamilyStudent): Draft {
  const now = valuesOf(student)
  const values = { ...draft.values }
  for (const name of fieldNames) if (values[name] === draft.from[name]) values[name] = now[name]
  return { from: now, version: student.version, values }
}

function firstErrors(values: Values): Partial<Values> {
  const checked = z.safeParse(familyFields, values)
  const errors: Partial<Values> = {}
  for (const { path, message } of checked.success ? [] : checked.error.issues)
    errors[path[0] as FieldName] ??= message
  return errors
}

interface FormOptions {
  student: FamilyStudent
  groupId: string
  fYear: string
  onSaved: (message: string) => void
  /** Another person changed the child: load the latest; what was typed stays */
  onStale: () => void
  /** The session has ended; what was typed is kept */
  onEnded: () => void
}

/**
 * The edit form's state. What is typed is kept as a draft until it is saved or discarded, even when the session ends.
 */
function useStudentForm({ student, groupId, fYear, onSaved, onStale, onEnded }: FormOptions) {
  const key = draftOf(student)
  const [draft, setDraft] = useState<Draft>(() => {
    const savedDraft = readDraft(key)
    return isDraft(savedDraft)
      ? savedDraft
      : { from: valuesOf(student), version: student.version, values: valuesOf(student) }
  })
  /** What another person has saved meanwhile in fields that were edited here */
  const [savedMeanwhile, setSavedMeanwhile] = useState<Partial<Values>>({})
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Partial<Values>>({})
  const [problem, setProblem] = useState<CallError>()
  const [saving, setSaving] = useState(false)
  /** Number of refused saves, by the form or the server: each moves the focus to the first error */
  const [refusals, setRefusals] = useState(0)
  const { values, from } = draft
  const latest = useRef(values)
  latest.current = values
  const dirty = fieldNames.some((name) => values[name] !== from[name])

  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [dirty])

  useEffect(() => {
    if (student.version === draft.version) return
    const now = valuesOf(student)
    const changed = fieldNames.filter((name) => now[name] !== from[name] && values[name] !== from[name])
    setSavedMeanwhile(Object.fromEntries(changed.map((name) => [name, now[name]])))
    setDraft(rebaseDraft(draft, student))
  }, [student, draft, from, values])

  const firstFaults = firstErrors(values)
  const errors: Partial<Values> = {}
  for (const name of fieldNames) if (touched.has(name)) errors[name] = firstFaults[name] ?? refused[name]

  const change = (name: FieldName, typed: string) => {
    const next = { ...draft, values: { ...values, [name]: typed } }
    setDraft(next)
    setRefused(({ [name]: _, ...otherRefusals }) => otherRefusals)
    const same = fieldNames.every((field) => next.values[field] === from[field])
    writeDraft(key, same ? undefined : next)
  }

  const failed = (thrown: unknown) => {
    const error = asProblem(thrown)
    if (error.status === 401) return onEnded()
    setProblem(error)
    setRefusals((n) => n + 1)
    setRefused(Object.fromEntries(error.issues.map(({ path, message }) => [path, message])))
    if (error.code === 'changed_meanwhile') onStale()
  }

  const save = async () => {
    if (saving) return
    setTouched(new Set(fieldNames))
    setProblem(undefined)
    if (Object.keys(firstFaults).length > 0) return setRefusals((n) => n + 1)
    setSaving(true)
    try {
      const { individualRegId, classId } = student
      const { version } = draft
      const language = writtenLanguage()
      const body = { groupId, fYear, classId, individualRegId, version, language, ...values }
      const { message } = await callOnce(editFamilyStudent, { body, idempotencyKey: crypto.randomUUID() })
      // What was typed meanwhile is not saved yet.
      if (fieldNames.every((name) => latest.current[name] === values[name])) writeDraft(key, undefined)
      onSaved(message)
    } catch (thrown) {
      failed(thrown)
    } finally {
      setSaving(false)
    }
  }

  /** Returns what another person has saved in this field, if it differs from what is typed. */
  const changedMeanwhile = (name: FieldName) =>
    savedMeanwhile[name] === values[name] ? undefined : savedMeanwhile[name]
  // After the press that left the field: the message would move the button being pressed.
  const touch = (name: FieldName) =>
    afterPress(() => setTouched((touchedFields) => new Set([...touchedFields, name])))
  return { values, errors, problem, saving, refusals, change, touch, save, changedMeanwhile }
}

const attributes: Record<FieldName, InputHTMLAttributes<HTMLInputElement>> = {
  studentName: { autoComplete: 'off', autoCapitalize: 'words' },
  parents: { autoComplete: 'name', autoCapitalize: 'words' },
  mobileNo: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
}

/** Edits the details of one child; saved as a whole. */
export function StudentForm(props: FormOptions & { onBack: () => void }) {
  const { student, onBack } = props
  const t = words.use()
  const translate = useSentences()
  const form = useStudentForm(props)
  const frame = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)

  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    if (form.refusals > 0) frame.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus()
  }, [form.refusals])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.save()
  }
  const locked = student.can.rename !== true
  const hints: Partial<Record<FieldName, string>> = {
    studentName: !locked
      ? undefined
      : t(student.can.rename === 'families.name_on_ticket' ? 'nameOnTicket' : 'nameLocked'),
    mobileNo: t('mobileHint'),
    email: t('emailHint'),
  }
  const labels = {
    studentName: t('studentName'),
    parents: t('parents'),
    mobileNo: t('mobile'),
    email: t('email'),
  }
  const hintOf = (name: FieldName) => {
    const changed = form.changedMeanwhile(name)
    return changed === undefined ? hints[name] : t('nowSaved', { value: changed || t('nothing') })
  }
  return (
    <>
      <div>
        <h1 ref={title} tabIndex={-1}>
          {t('editTitle')}
        </h1>
        <p className="lede">{student.studentName}</p>
      </div>
      <form ref={frame} className="fam-form" onSubmit={submit} noValidate>
        {fieldNames.map((name) => (
          <TextField
            key={name}
            {...attributes[name]}
            label={labels[name]}
            optional={name === 'parents'}
            name={name}
            hint={hintOf(name)}
            error={form.errors[name] && translate(form.errors[name])}
            readOnly={name === 'studentName' && locked}
            value={form.values[name]}
            onChange={(event) => form.change(name, event.target.value)}
            onBlur={() => form.touch(name)}
          />
        ))}
        {form.problem && (
          <Note kind="bad">
            {form.problem.code === 'network' ? t('offline') : translate(form.problem.message)} {t('notSaved')}
          </Note>
        )}
        <div className="go">
          <Button type="submit" kind="primary" wide busy={form.saving}>
            {t('update')}
          </Button>
          <Button wide onClick={onBack}>
            {t('back')}
          </Button>
        </div>
      </form>
    </>
  )
}
