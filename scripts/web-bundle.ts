import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
let loads = 0

/**
 * Loads modules of the web in Node, where they can be looked at without a browser. `source` is a module in the folder
 * web; what it imports is bundled, libraries and style sheets aside, and what is downloaded later (pages, dialogs) is
 * left empty.
 */
export async function loadWeb<Module>(source: string): Promise<Module> {
  const folder = join(root, 'node_modules/.cache/podium')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `web-${process.pid}-${++loads}.mjs`)
  const build = await rolldown({
    input: '\0start',
    cwd: join(root, 'web'),
    platform: 'node',
    external: [/^react/, /^@tanstack/, /^@mantine/, /^zod/, /^uqr/],
    plugins: [
      {
        name: 'without-pages',
        resolveId: (id, from) => {
          if (id.startsWith('\0')) return { id }
          return from === '\0start' && id.startsWith('.') ? { id: join(root, 'web', id) } : null
        },
        resolveDynamicImport: () => ({ id: '\0later' }),
        load: (id) => {
          if (id === '\0start') return { code: source, moduleType: 'js' }
          if (id === '\0later' || id.endsWith('.css'))
            return { code: 'export default null', moduleType: 'js' }
          return null
        },
      },
    ],
  })
  try {
    await build.write({ file, format: 'esm', codeSplitting: false })
    return (await import(file)) as Module
  } finally {
    rmSync(file, { force: true })
  }
}
