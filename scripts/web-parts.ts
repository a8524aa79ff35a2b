import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What Vite writes for each entry, page and chunk (web/dist/.vite/manifest.json). */
export interface Chunk {
  file: string
  src?: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}
export type Manifest = Record<string, Chunk>

export const readManifest = (dist: string): Manifest =>
  JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

/** Finds what the server says in another language than its own. */
const serverWords = 'src/shell/language/server-words.ts'

/** The languages that the web has words for. */
export const languagesOf = (manifest: Manifest): string[] => [
  ...new Set(Object.keys(manifest).flatMap((key) => /^words\/([^/]+)\//.exec(key)?.[1] ?? [])),
]

/** The scripts and styles that these chunks bring with them, and the words that they ask for in a language: not why calls are refused, which comes later. */
export const filesOf = (manifest: Manifest, language: string, ...keys: (string | undefined)[]): Set<string> =>
  reached(
    manifest,
    keys,
    (next) =>
      (next.startsWith(`words/${language}/`) && !next.endsWith('/refusals.json')) ||
      next.endsWith(`.${language}.ts`) ||
      (next === serverWords && language !== 'en'),
  )

/** … without the words: what Vite names in the page of an entry. */
export const filesAtOnce = (manifest: Manifest, ...keys: (string | undefined)[]): Set<string> =>
  reached(manifest, keys, () => false)

function reached(
  manifest: Manifest,
  keys: readonly (string | undefined)[],
  later: (key: string) => boolean,
): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {}
    for (const next of imports) visit(next)
    for (const next of dynamicImports) if (later(next)) visit(next)
  }
  for (const key of keys) if (key !== undefined) visit(key)
  const chunks = [...seen].flatMap((key) => manifest[key] ?? [])
  return new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))
}
