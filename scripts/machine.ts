import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

/** Something the machine lacks; the message says how to install it. */
export class Missing extends Error {}

const mayAccess = (mode: number) => (path: string) => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
export const isExecutable = mayAccess(constants.X_OK)
const isWritable = mayAccess(constants.W_OK)

const gigabyte = 2 ** 30
/** A file system in memory, on Linux. */
const inMemory = '/dev/shm'

/**
 * Returns the folder for the tests' databases and files: in memory if there is plenty, because PostgreSQL makes a
 * thousand files for each database, and a disk's file system is slow at that (docs/decisions/0015). `TMPDIR` overrides it.
 */
export function fastestTemporaryFolder(): string {
  if (process.env.TMPDIR || process.platform !== 'linux' || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  const plenty = bavail * bsize > 4 * gigabyte && process.availableMemory() > 8 * gigabyte
  return plenty && isWritable(inMemory) ? inMemory : tmpdir()
}

/** Returns the first of these programs in PATH. */
export function findInPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/**
 * Returns what `find` finds; if nothing, installs the Debian package if allowed, or else throws an error with the
 * command to install it.
 */
export function findOrInstall(what: string, debian: string, find: () => string | undefined): string {
  const existing = find()
  if (existing !== undefined) return existing
  const command = `apt-get install -y --no-install-recommends ${debian}`
  if (process.getuid?.() !== 0 || findInPath('apt-get') === undefined) {
    throw new Missing(`${what} is not on this machine. On Debian: sudo ${command}`)
  }
  console.log(`${what} is not on this machine; running: apt-get update && ${command}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('sh', ['-c', `apt-get update -q && ${command}`], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const installed = find()
  if (installed === undefined) throw new Missing(`${what} could not be installed with: ${command}`)
  return installed
}

/** Returns the program with which tests read a PDF's text, installing it if that takes one command. */
export function findPdfToText(): string {
  return findOrInstall('pdftotext', 'poppler-utils', () => findInPath('pdftotext'))
}

/**
 * Returns the path of a Chromium: `CHROMIUM`, the machine's own, or the one downloaded by Playwright. The headless
 * shell is preferred: the tests need no more, and it takes about a quarter less time.
 */
export function findChromium(): string {
  const configured = process.env.CHROMIUM
  if (configured !== undefined && configured !== '') {
    if (!existsSync(configured)) throw new Missing(`CHROMIUM names ${configured}, which does not exist`)
    return configured
  }
  return findOrInstall('Chromium', 'chromium-headless-shell', () => {
    const ofPlaywright = chromium.executablePath()
    return (
      findInPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome') ??
      (existsSync(ofPlaywright) ? ofPlaywright : undefined)
    )
  })
}
