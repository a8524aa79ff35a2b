import { useSentences } from '#shell/language/sentences.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { EmptyState } from '#ui/note.tsx'
import { words } from './words.ts'

// What stands in place of a result. Loaded when it is needed: most who have a link see a result.

interface ProblemProps {
  message: string
  retry: () => void
}

/** The server's sentence and «Try again». */
export function Problem({ message, retry }: ProblemProps) {
  const say = useSentences()
  return (
    <ErrorState level={1} retry={retry}>
      {say(message)}
    </ErrorState>
  )
}

const icons = { unknown: 'search', over: 'lock', awaited: 'clock' } as const

/** Why there is no result behind a link. */
export function NoResult({ state }: { state: keyof typeof icons }) {
  const t = words.use()
  return (
    <EmptyState icon={icons[state]} level={1} title={t(`${state}Title`)}>
      {t(state)}
    </EmptyState>
  )
}
