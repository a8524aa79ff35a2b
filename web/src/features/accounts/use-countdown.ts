import { useEffect, useState } from 'react'

const endOf = (seconds: number) => Date.now() + seconds * 1000

/** Counts whole seconds down to 0 by the clock, so that it is right after a phone was busy with another app. */
export function useCountdown(first = 0) {
  const [end, setEnd] = useState(() => endOf(first))
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((end - now) / 1000))
  const running = secondsLeft > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  const start = (seconds: number) => {
    setNow(Date.now())
    setEnd(endOf(seconds))
  }
  return { left: secondsLeft, start }
}
