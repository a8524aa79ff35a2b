import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from './parts.tsx'

interface NumberFormProps {
  given: string
  again: boolean
  onCheck: (number: string) => void
}

/** Asks for the certificate number as printed. */
export function NumberForm({ given, again, onCheck }: NumberFormProps) {
  const t = words.use()
  const [error, setError] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('number') ?? '').trim()
    setError(typed ? '' : t('numberRequired'))
    if (typed) onCheck(typed)
  }
  return (
    <form className="rp-form no-print" onSubmit={submit} noValidate>
      {again && <h2>{t('another')}</h2>}
      <TextField
        label={t('number')}
        hint={t('numberHint')}
        error={error || undefined}
        name="number"
        defaultValue={given}
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" kind={again ? 'secondary' : 'primary'} wide>
        {t('check')}
      </Button>
    </form>
  )
}
