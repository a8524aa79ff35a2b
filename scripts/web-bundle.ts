import { mkdirSync, rmSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
let loads = 0

/** `./layout.tsx` or `#shell/frame.tsx` in a module, as the manifest names it: `src/pages/office/layout.tsx`. */
const partOf = (asked: string, from: string): string =>
  asked.startsWith('#')
    ? `src/${asked.slice(1)}`
    : posix.join(posix.dirname(relative(join(root, 'web'), from)), asked)

/**
 * Loads modules of the web in Node, where they can be looked at without a browser. `source` is a module in the folder
 * web; what it imports is bundled, libraries and style sheets aside, and what is downloaded later (pages, dialogs) is
 * left empty: asking for it calls `asked` with its name in the manifest. There are no words.
 */
export async function loadWeb<Module>(
  source: string,
  asked: (part: string) => void = () => undefined,
): Promise<Module> {
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
        transform: (code, id) =>
          id.startsWith(join(root, 'web'))
            ? code
                .replaceAll(/import\.meta\.glob(?:<[^(]*>)?\([^)]*\)/g, '({})')
                .replaceAll(
                  /\bimport\((['"])([^'"]+)\1\)/g,
                  (_whole, _quote, part: string) =>
                    `Promise.resolve(globalThis.askedPart(${JSON.stringify(partOf(part, id))}))`,
                )
            : null,
        load: (id) => {
          if (id === '\0start') return { code: source, moduleType: 'js' }
          return id.endsWith('.css') ? { code: 'export default null', moduleType: 'js' } : null
        },
      },
    ],
  })
  try {
    const askedPart = (part: string) => {
      asked(part)
      return { default: undefined }
    }
    Object.assign(globalThis, { askedPart })
    await build.write({ file, format: 'esm', codeSplitting: false })
    return (await import(file)) as Module
  } finally {
    rmSync(file, { force: true })
  }
}
