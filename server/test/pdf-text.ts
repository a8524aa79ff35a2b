import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The words of a PDF with single spaces between them; undefined where the machine has no pdftotext. */
export function pdfText(bytes: Buffer): string | undefined {
  return pdfLines(bytes)?.replace(/\s+/g, ' ')
}

/** The same with its lines and the ends of its pages. */
export function pdfLines(bytes: Buffer): string | undefined {
  if (!existsSync('/usr/bin/pdftotext')) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'podium-pdf-'))
  try {
    writeFileSync(join(folder, 'a.pdf'), bytes)
    return execFileSync('pdftotext', ['-raw', join(folder, 'a.pdf'), '-'], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
