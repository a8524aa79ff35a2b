import { type FormEvent, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'

interface AskProps {
  title: string
  says: string
  /** The input, if one is needed; `short` makes it one line. `required` is the contract's message if it is empty. */
  field?: { label: string; hint?: string; required?: string | undefined; short?: boolean }
  action: string
  danger?: boolean
  busy: boolean
  onClose: () => void
  onDone: (typed: string) => unknown
}

/** Explains an action, asks for an input if needed, and runs it on confirmation. */
export function AskDialog({ title, says, field, action, danger, busy, onClose, onDone }: AskProps) {
  const translate = useSentences()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const missing = field?.required !== undefined && typed.trim() === ''
  const fieldProps = {
    label: field?.label ?? '',
    hint: field?.hint,
    optional: !field?.required,
    value: typed,
    error: tried && missing ? translate(field?.required ?? '') : undefined,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing && !busy) void onDone(typed.trim())
  }
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <form className="dlg-form" onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <p>{says}</p>
            {field && (field.short ? <TextField {...fieldProps} /> : <TextArea {...fieldProps} rows={2} />)}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind={danger ? 'danger-filled' : 'primary'} busy={busy}>
            {action}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
