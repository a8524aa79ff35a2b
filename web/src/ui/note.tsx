import './note.css'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

const noteIcons = { info: 'info', due: 'clock', bad: 'warning', ok: 'ok' } as const satisfies Record<
  string,
  IconName
>

interface NoteProps {
  kind?: keyof typeof noteIcons
  /** Its margin, or its place in a grid: `mb-4`, `c12` */
  className?: string
  children: ReactNode
}

/** A fact about the page. `bad` is announced at once when it appears. */
export function Note({ kind = 'info', className, children }: NoteProps) {
  const shape = ['note', kind === 'info' ? '' : kind, className].filter(Boolean).join(' ')
  return (
    <div className={shape} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name={noteIcons[kind]} />
      <div>{children}</div>
    </div>
  )
}

interface StateProps {
  icon?: IconName
  title?: ReactNode
  /** 1 if it is the whole page. */
  level?: 1 | 2
  /** One sentence. For a list that may stay empty, only the quoted sentence. */
  children?: ReactNode
  actions?: ReactNode
}

/** Says what would be here and how to add it. */
export function EmptyState({ icon = 'list', title, level = 2, children, actions }: StateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="empty">
      <Icon name={icon} />
      {title && <Heading>{title}</Heading>}
      {children && <p>{children}</p>}
      {actions && <div className="acts">{actions}</div>}
    </div>
  )
}

interface NothingFoundProps {
  title: string
  onClear: () => void
  children?: ReactNode
}

/** Shown when no rows match the filters. */
export function NothingFound({ title, onClear, children }: NothingFoundProps) {
  const { clearFilters } = useKitWords()
  return (
    <EmptyState icon="search" title={title} actions={<Button onClick={onClear}>{clearFilters}</Button>}>
      {children}
    </EmptyState>
  )
}
