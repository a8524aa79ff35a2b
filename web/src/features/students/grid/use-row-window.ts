import { type RefObject, useEffect, useMemo, useState } from 'react'

const around = 6
const coarse = () => matchMedia('(pointer: coarse)').matches

/** Which rows are in sight of a box that scrolls, some more around them, and the row with the cursor wherever it is. */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  isTall: (row: number) => boolean,
  cursor: number,
) {
  const [at, setAt] = useState({ top: 0, height: 700 })
  const [sizes] = useState(() => (coarse() ? { plain: 44, tall: 76 } : { plain: 34, tall: 64 }))
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => setAt({ top: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    const watch = new ResizeObserver(look)
    watch.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      watch.disconnect()
    }
  }, [box])
  const offsets = useMemo(() => {
    const all = [0]
    for (let row = 0; row < count; row++) all.push((all[row] ?? 0) + (isTall(row) ? sizes.tall : sizes.plain))
    return all
  }, [count, isTall, sizes])
  const offset = (row: number) => offsets[row] ?? 0
  const first = Math.max(0, offsets.findIndex((end) => end > at.top) - 1 - around)
  const end = offsets.findIndex((start) => start > at.top + at.height)
  const last = Math.min(count, (end === -1 ? count : end) + around)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, one) => first + one)
  if (cursor < first) shown.unshift(cursor)
  else if (cursor >= last && cursor < count) shown.push(cursor)
  return {
    shown,
    /** Height of the rows from one to before another */
    between: (from: number, to: number) => offset(to) - offset(from),
    heightOf: (row: number) => (isTall(row) ? sizes.tall : sizes.plain),
    /** Whether a row stands so low that what opens at it has more room above */
    isLow: (row: number) => offset(row) - at.top > at.height * 0.55,
  }
}
