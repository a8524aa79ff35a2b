import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useKitWords } from './kit-words.ts'
import { EmptyState } from './note.tsx'

interface ErrorStateProps {
  title?: ReactNode
  /** 1 where it stands for the page */
  level?: 1 | 2
  /** What happened and what is kept. */
  children?: ReactNode
  /** Tries again. */
  retry?: () => unknown
}

/** What happened, what is kept, try again. */
export function ErrorState({ title, level = 2, children, retry }: ErrorStateProps) {
  const words = useKitWords()
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        level={level}
        title={title ?? words.wentWrong}
        actions={retry && <Button onClick={() => void retry()}>{words.tryAgain}</Button>}
      >
        {children}
      </EmptyState>
    </div>
  )
}
