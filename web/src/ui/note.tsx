import './note.css'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const noteIcons = { info: 'info', due: 'clock', bad: 'warning', ok: 'ok' } as const satisfies Record<
  string,
  IconName
>

/** A fact about the page. `bad` is announced at once when it appears. */
export function Note({ kind = 'info', children }: { kind?: keyof typeof noteIcons; children: ReactNode }) {
  return (
    <div className={kind === 'info' ? 'note' : `note ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
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
