import { useState } from 'react'
import { storageKey } from '../area.ts'

const keyOf = (list: string) => storageKey(`hidden.${list}`)

function stored(list: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

/** The columns that a person leaves out of a list, by key, kept on this device. */
export function useHiddenColumns(list: string) {
  const [hidden, setHidden] = useState(() => stored(list))
  const hide = (keys: readonly string[]) => {
    setHidden([...keys])
    try {
      localStorage.setItem(keyOf(list), JSON.stringify(keys))
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }
  return [hidden, hide] as const
}
