import { findOrInstall, inPath } from './machine.ts'

/** The program by which tests read the words of a PDF. Where there is none, it is installed if that is one command. */
export function findPdfToText(): string {
  return findOrInstall('pdftotext', 'poppler-utils', () => inPath('pdftotext'))
}
