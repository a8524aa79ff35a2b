import type { FamilyStudent } from '@podium/contract/families/calls'
import { type FormEvent, type InputHTMLAttributes, useEffect, useRef } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type FieldName, fieldNames, useStudentForm } from './form.ts'
import { words } from './words.ts'

interface StudentFormProps {
  student: FamilyStudent
  groupId: string
  fYear: string
  onSaved: (message: string) => void
  onBack: () => void
  /** Someone else has changed the child: load the latest, what was typed stays */
  onStale: () => void
  /** The session is over; what was typed is kept */
  onEnded: () => void
}

const attributes: Record<FieldName, InputHTMLAttributes<HTMLInputElement>> = {
  studentName: { autoComplete: 'off', autoCapitalize: 'words' },
  parents: { autoComplete: 'name', autoCapitalize: 'words' },
  mobileNo: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
}

/** The details of one child to be corrected; saved as a whole. */
export function StudentForm(props: StudentFormProps) {
  const { student, onBack } = props
  const t = words.use()
  const say = useSentences()
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
            error={form.errors[name] && say(form.errors[name])}
            readOnly={name === 'studentName' && locked}
            value={form.values[name]}
            onChange={(event) => form.change(name, event.target.value)}
            onBlur={() => form.touch(name)}
          />
        ))}
        {form.problem && (
          <Note kind="bad">
            {form.problem.code === 'network' ? t('offline') : say(form.problem.message)} {t('notSaved')}
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
