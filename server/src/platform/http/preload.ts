import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`

/** A page that names scripts and styles at the end of its head, which a browser then downloads beside its entry. */
export const withLinks = (page: string, files: readonly string[]): string =>
  page.replace('</head>', () => `${files.map(linkTo).join('')}</head>`)

/**
 * What each address needs beyond its entry, as the build of the web has found it (`scripts/preload.ts`), with the
 * words of a language, else the English ones; nothing for an address without a page. A browser would ask for its frame
 * and its page only when it has read the entry, which on a slow line is a third of a second and more each time.
 */
export async function readAhead(
  folder: string,
): Promise<(path: string, language?: string) => readonly string[]> {
  const file = join(folder, '.vite/ahead.json')
  if (!existsSync(file)) return () => []
  const parts: Record<string, Record<string, string[]>> = JSON.parse(await readFile(file, 'utf8'))
  const pagesOf = (addresses: Record<string, string[]>) =>
    Object.entries(addresses).map(([address, files]) => ({
      // `$id` stands for any one part of an address.
      fits: new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}/?$`, 'i'),
      files,
    }))
  const languages = new Map(Object.entries(parts).map(([language, of]) => [language, pagesOf(of)]))
  return (path, language = 'en') => {
    const pages = languages.get(language) ?? languages.get('en')
    return pages?.find(({ fits }) => fits.test(path))?.files ?? []
  }
}
