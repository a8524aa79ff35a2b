import type { IconName } from '#ui/icon.tsx'

export interface MenuEntry {
  to: string
  label: string
  icon?: IconName
  /** It is the current one on these pages and all that are below them; without it on its own page alone. */
  covers?: readonly string[]
  /** Shown but not to be opened, with the reason. */
  disabled?: string
  /** A number at the end: how many wait. */
  count?: number
}

export interface MenuGroup {
  key: string
  /** Without a label the entries stand alone, with their own signs. */
  label?: string
  icon?: IconName
  entries: MenuEntry[]
}
