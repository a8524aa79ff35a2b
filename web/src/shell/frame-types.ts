import type { IconName } from '#ui/icon.tsx'

export interface MenuEntry {
  to: string
  label: string
  icon?: IconName
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
