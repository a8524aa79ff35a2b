import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Note } from '#ui/note.tsx'

/** Why the server refused, where the button stands; each issue on a line. */
export function Problem({ error }: { error: Error | null }) {
  const say = useSentences()
  if (!error?.message) return null
  const issues = error instanceof CallError ? error.issues : []
  return (
    <Note kind="bad">
      {say(error.message)}
      {issues.length > 0 && (
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{say(message)}</li>
          ))}
        </ul>
      )}
    </Note>
  )
}
