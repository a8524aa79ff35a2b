import { makeListeners } from '#ui/listeners.ts'

let count = 0
const [useCurrent, notify] = makeListeners()

function add(n: number): void {
  count += n
  notify()
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

/** Whether any request of the page is pending. */
export function usePending(): boolean {
  return useCurrent(() => count > 0)
}
