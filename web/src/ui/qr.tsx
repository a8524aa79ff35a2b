import './money-sum.css'
import { encode } from 'uqr'

/** The side on screen in px, and the level of error correction (specification, sections 2.9 and 9). */
const qrSide = 200
const qrLevel = 'M'

interface QrProps {
  value: string
  /** What it does, in words: «UPI QR code for ₹1,24,500». */
  label: string
  /** On screen, in px; 45 mm in print. */
  size?: number
}

/** A QR code of error correction level M, on white in dark too. */
export function Qr({ value, label, size = qrSide }: QrProps) {
  const { data, size: cells } = encode(value, { ecc: qrLevel, border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <span className="qr">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${cells} ${cells}`}
        shapeRendering="crispEdges"
        style={{ '--qr': `${size}px` }}
      >
        <path d={path} fill="#000" />
      </svg>
    </span>
  )
}
