import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

function add(n: number): void {
  count += n
  for (const listener of listeners) listener()
}

/** Counts a request as pending until it settles. */
export async function pending<T>(request: () => Promise<T>): Promise<T> {
  add(1)
  try {
    return await request()
  } finally {
    add(-1)
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether any request of the page is pending. */
export function usePending(): boolean {
  return useSyncExternalStore(subscribe, () => count > 0)
}
