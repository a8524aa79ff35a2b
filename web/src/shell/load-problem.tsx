import { ErrorState } from '#ui/error-state.tsx'
import { CallError } from './call.ts'
import { useSentences } from './language/sentences.ts'
import { NoPermissionPage } from './state-pages.tsx'

/** What stands where a list could not be loaded: the server's message and «Try again», or why it is not open. */
export function LoadProblem({ error, retry }: { error: Error; retry?: () => unknown }) {
  const say = useSentences()
  if (error instanceof CallError && error.status === 403) return <NoPermissionPage reason={error.message} />
  return <ErrorState retry={retry}>{say(error.message)}</ErrorState>
}
