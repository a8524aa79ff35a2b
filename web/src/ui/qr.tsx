import './money-sum.css'
import { useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'

/** Size on screen in px, and level of error correction (specification, sections 2.9 and 9). */
const qrSide = 200
const qrLevel = 'M'

interface QrProps {
  value: string
  /** Description: «UPI QR code for ₹1,24,500». */
  label: string
  /** On screen, in px; 45 mm in print. */
  size?: number
}

interface Code {
  cells: number
  path: string
}

/** Computed codes: one for each value, however often it is rendered. */
const codes = new Map<string, Code>()

/** Returns the dark cells of a QR code of level M, with its border. */
export function qrCode(value: string): Code {
  const cached = codes.get(value)
  if (cached) return cached
  const { data, size: cells } = encode(value, { ecc: qrLevel, border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const code = { cells, path }
  codes.set(value, code)
  return code
}

/**
 * A QR code of error correction level M, on white even in dark mode. Computing it blocks a phone for a fifth of a
 * second, so this is done after drawing the page, in a reserved place, once that is unfolded.
 */
export function Qr({ value, label, size = qrSide }: QrProps) {
  const box = useRef<HTMLSpanElement>(null)
  const [, setComputed] = useState('')
  useEffect(() => {
    if (!box.current || codes.has(value)) return
    let timer = 0
    const compute = () => {
      qrCode(value)
      setComputed(value)
    }
    // A folded element does not intersect. The margin covers any scroll position, because the code is needed in print.
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        watch.disconnect()
        timer = window.setTimeout(compute)
      },
      { rootMargin: '1000000px' },
    )
    watch.observe(box.current)
    return () => {
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [value])
  const code = codes.get(value)
  return (
    <span className="qr" ref={box}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${code?.cells ?? 1} ${code?.cells ?? 1}`}
        shapeRendering="crispEdges"
        style={{ '--qr': `${size}px` }}>
        {code && <path d={code.path} fill="#000" />}
      </svg>
    </span>
  )
}
