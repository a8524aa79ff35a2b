import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { translateSentence } from './language/sentences.ts'

/** Says why a call was refused: `.catch(tellRefusal)`. Anything else that went wrong is thrown on. */
export function tellRefusal(cause: unknown): asserts cause is CallError {
  if (!(cause instanceof CallError)) throw cause
  toast.error(translateSentence(cause.message))
}
