import { ErrorState } from '#ui/error-state.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { CallError } from './call.ts'
import { useSentences } from './language/sentences.ts'
import { NoPermissionPage } from './state-pages.tsx'

interface LoadProblemProps {
  error: Error
  retry?: () => unknown
  /** 1 where it stands for the page */
  level?: 1 | 2
}

/** What stands where a list could not be loaded: the server's message and «Try again», or why it is not open. */
export function LoadProblem({ error, retry, level }: LoadProblemProps) {
  const say = useSentences()
  if (error instanceof CallError && error.status === 403)
    return <NoPermissionPage reason={error.message} level={level} />
  return (
    <ErrorState retry={retry} level={level}>
      {say(error.message)}
    </ErrorState>
  )
}

/** The same for a whole page; `title` is the page's, where it is known without what could not be loaded. */
export function PageProblem({ title, ...problem }: Omit<LoadProblemProps, 'level'> & { title?: string }) {
  return (
    <>
      {title && <PageHeader title={title} />}
      <Panel>
        <LoadProblem {...problem} level={title ? 2 : 1} />
      </Panel>
    </>
  )
}
