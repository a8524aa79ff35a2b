import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { useId, useState } from 'react'
import type { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { useDebounced, useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Note } from '#ui/note.tsx'
import { TextField, type TextFieldProps } from '#ui/text-field.tsx'
import type en from '#words/en/results-office.json'
import { type ShownState, stateSigns } from './office-event.ts'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-office.json'))

/** The state of a version, as an icon with text. */
export function StateBadge({ state }: { state: ShownState }) {
  const t = officeWords.use()
  const [tone, icon] = stateSigns[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(state)}
    </Badge>
  )
}

/** Shows the server's refusal next to the button, one issue per line. */
export function Problem({ error }: { error: CallError | undefined }) {
  const translate = useSentences()
  if (!error?.message) return null
  const { issues } = error
  return (
    <Note kind="bad">
      {translate(error.message)}
      {issues.length > 0 && (
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{translate(message)}</li>
          ))}
        </ul>
      )}
    </Note>
  )
}

/** A school's code: suggests schools by code or name, and names the school whose code is typed. */
export function SchoolCodeField({ hint, onInput, ...field }: TextFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const FYear = useSeason()
  const { data } = useEndpoint(officeSchools, { query: { FYear, search }, enabled: search.length > 1 })
  const schools = search.length > 1 ? (data?.data ?? []) : []
  const known = schools.find(({ schCode }) => schCode === typed.trim().toUpperCase())
  return (
    <>
      <TextField
        {...field}
        hint={known ? `${known.schName}, ${known.city}` : hint}
        list={id}
        autoComplete="off"
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          onInput?.(event)
        }}
      />
      <datalist id={id}>
        {schools.map(({ schCode, schName, city }) => (
          <option key={schCode} value={schCode}>
            {schName}, {city}
          </option>
        ))}
      </datalist>
    </>
  )
}

const isCode = (code: string): code is ErrorCode => code in errors

/** Turns the server's permission for an action (`true` or the code of the reason) into the button's `disabled`. */
export function useReason(): (allowed: true | string) => false | string {
  const translate = useSentences()
  const t = officeWords.use()
  return (allowed) => {
    if (allowed === true) return false
    if (allowed === 'access.denied') return t('mayNot')
    return isCode(allowed) ? translate(sentenceOf(allowed)) : allowed
  }
}
