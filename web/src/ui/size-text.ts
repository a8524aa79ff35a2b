const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Bytes as people say them, in thousands: `940 B`, `32.5 kB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (Math.round(size) >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size.toFixed(unit === 0 || size >= 100 ? 0 : 1)} ${units[unit]}`
}
