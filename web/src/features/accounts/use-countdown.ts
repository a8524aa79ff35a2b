import { useEffect, useState } from 'react'

/** Counts whole seconds down to 0. */
export function useCountdown(first = 0) {
  const [left, setLeft] = useState(first)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: setLeft }
}
