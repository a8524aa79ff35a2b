import { encode } from 'uqr'

/** Returns the dark (true) and light modules of a QR code, row by row, without the quiet border. Error correction M. */
export function qrModules(text: string): boolean[][] {
  return encode(text, { ecc: 'M', border: 0 }).data
}

/** White modules that scanners need around a code (ISO/IEC 18004). */
export const quietZone = 4

/**
 * Returns a QR code as one SVG path in black on white, with its quiet border, scaled by its container. `label` is for
 * screen readers.
 */
export function qrSvg(text: string, label: string): string {
  const modules = qrModules(text)
  const side = modules.length + 2 * quietZone
  const path = darkRuns(modules)
    .map((run) => `M${run.x + quietZone} ${run.y + quietZone}h${run.length}v1h-${run.length}z`)
    .join('')
  const title = label.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" shape-rendering="crispEdges">` +
    `<title>${title}</title><path fill="#fff" d="M0 0h${side}v${side}h-${side}z"/><path fill="#000" d="${path}"/></svg>`
  )
}

/** Joins neighbouring dark modules of a row into bars, so that no hairlines show between them. */
export function darkRuns(modules: boolean[][]): { x: number; y: number; length: number }[] {
  const runs: { x: number; y: number; length: number }[] = []
  modules.forEach((row, y) => {
    let start = -1
    for (let x = 0; x <= row.length; x++) {
      if (row[x] && start < 0) start = x
      if (!row[x] && start >= 0) {
        runs.push({ x: start, y, length: x - start })
        start = -1
      }
    }
  })
  return runs
}
