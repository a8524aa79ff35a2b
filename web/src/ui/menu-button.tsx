import './menu-button.css'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { usePopover } from './popover.ts'

export interface MenuItem {
  label: string
  /** The full name, if the label is too short; contains the label */
  name?: string
  icon?: IconName
  onChoose: () => void
}

interface MenuButtonProps {
  label: string
  icon: IconName
  items: readonly MenuItem[]
  /** Why items are missing; the name of one of the items says so, too. */
  problem?: string | undefined
  /** Only the icon, for a row of a table; the label is for screen readers. */
  small?: boolean
  /** Its name if the page has several with this label; begins with the label. */
  name?: string | undefined
  busy?: boolean
  disabled?: string | undefined
}

/** A button that opens a menu of a few actions (WAI-ARIA APG, menu button). */
export function MenuButton({ label, icon, items, problem, small, name, busy, disabled }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  /** A press outside has closed the menu before it arrives as a click on the button. */
  const wasOpen = useRef(false)
  const leave = () => {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }
  const button = {
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onPointerDown: () => {
      wasOpen.current = open
    },
    onClick: () => {
      if (!wasOpen.current) setOpen(true)
      wasOpen.current = false
    },
  } as const
  return (
    <span className="menu-button" ref={box}>
      {small ? (
        <IconButton icon={icon} label={name ?? label} disabled={disabled ?? false} {...button} />
      ) : (
        <Button icon={icon} busy={busy ?? false} disabled={disabled ?? false} aria-label={name} {...button}>
          {label}
          <Icon name="down" small />
        </Button>
      )}
      {open && (
        <Menu
          label={name ?? label}
          items={items}
          problem={problem}
          onLeave={leave}
          onFocusOut={() => setOpen(false)}
        />
      )}
    </span>
  )
}

interface MenuProps extends Pick<MenuButtonProps, 'label' | 'items' | 'problem'> {
  onLeave: () => void
  onFocusOut: () => void
}

function Menu({ label, items, problem, onLeave, onFocusOut }: MenuProps) {
  const box = useRef<HTMLDivElement>(null)
  usePopover(box, onFocusOut, true)
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), [])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...event.currentTarget.querySelectorAll('button')]
    const index = all.indexOf(event.target as HTMLButtonElement)
    const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }
    const next = targets[event.key]
    if (event.key === 'Tab') onFocusOut()
    if (event.key !== 'Escape' && next === undefined) return
    event.stopPropagation()
    event.preventDefault()
    if (next === undefined) onLeave()
    else all.at(next % all.length)?.focus()
  }
  return (
    <div ref={box} className="menu" popover="auto" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {problem && <p aria-hidden="true">{problem}</p>}
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={item.name}
          onClick={() => {
            onLeave()
            item.onChoose()
          }}>
          {item.icon && <Icon name={item.icon} small />}
          {item.label}
        </button>
      ))}
    </div>
  )
}
