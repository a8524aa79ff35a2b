import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Makes the links between the shared libraries of an embedded PostgreSQL, which its package can't carry and leaves to an
 * install script, and those do not run here. A link that is there stays.
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
