import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useKitWords } from './kit-words.ts'
import { EmptyState } from './note.tsx'

interface ErrorStateProps {
  /** 1 if it replaces the page */
  level?: 1 | 2
  /** What happened and what is saved. */
  children?: ReactNode
  /** Retries. */
  retry?: () => unknown
}

/** What happened, what is saved, and a button to retry. */
export function ErrorState({ level = 2, children, retry }: ErrorStateProps) {
  const words = useKitWords()
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        level={level}
        title={words.loadFailed}
        actions={retry && <Button onClick={() => void retry()}>{words.tryAgain}</Button>}>
        {children}
      </EmptyState>
    </div>
  )
}
