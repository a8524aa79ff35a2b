import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from './parts.tsx'

interface NumberFormProps {
  initialNumber: string
  isRetry: boolean
  onCheck: (number: string) => void
}

/** Asks for the certificate number as printed. */
export function NumberForm({ initialNumber, isRetry, onCheck }: NumberFormProps) {
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
      {isRetry && <h2>{t('another')}</h2>}
      <TextField
        label={t('number')}
        hint={t('numberHint')}
        error={error || undefined}
        name="number"
        defaultValue={initialNumber}
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" kind={isRetry ? 'secondary' : 'primary'} wide>
        {t('check')}
      </Button>
    </form>
  )
}
