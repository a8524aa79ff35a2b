import { execFileSync } from 'node:child_process'
import { findPdfToText } from '../../scripts/machine.ts'

/** The words of a PDF with single spaces between them. Throws with the command to get it where there is no pdftotext. */
export function pdfText(bytes: Buffer): string {
  return pdfLines(bytes).replace(/\s+/g, ' ')
}

/** The same with its lines and the ends of its pages. */
export function pdfLines(bytes: Buffer): string {
  return execFileSync(findPdfToText(), ['-raw', '-', '-'], { input: bytes, encoding: 'utf8' })
}
