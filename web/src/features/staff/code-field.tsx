import { useEffect, useRef, useState } from 'react'
import { TextField } from '#ui/text-field.tsx'

interface CodeFieldProps {
  label: string
  hint?: string
  error?: string
  value: string
  onChange: (code: string) => void
  autoFocus?: boolean
}

/**
 * Six digits of an authenticator. Spaces and dashes of what is pasted are left out, so no `maxLength`: it would cut
 * «123 456» before that. A refusal selects what was typed, ready to be replaced.
 */
export function CodeField({ label, hint, error, value, onChange, autoFocus = true }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [first] = useState(autoFocus)
  useEffect(() => {
    if (first) input.current?.focus()
  }, [first])
  useEffect(() => {
    if (!error) return
    input.current?.focus()
    input.current?.select()
  }, [error])
  return (
    <TextField
      ref={input}
      label={label}
      hint={hint}
      error={error}
      className="code-field"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
    />
  )
}
