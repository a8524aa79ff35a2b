import { useSyncExternalStore } from 'react'

/**
 * For a value outside React: returns the hook by which components follow it, what to call after a change, and what adds
 * another listener.
 */
export function makeListeners() {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  function useCurrent<Value>(read: () => Value) {
    return useSyncExternalStore(subscribe, read, read)
  }
  return [useCurrent, () => listeners.forEach((listener) => void listener()), subscribe] as const
}
