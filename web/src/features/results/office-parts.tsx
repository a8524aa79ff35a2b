import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Note } from '#ui/note.tsx'
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
export function Problem({ error }: { error: Error | null }) {
  const translate = useSentences()
  if (!error?.message) return null
  const issues = error instanceof CallError ? error.issues : []
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
