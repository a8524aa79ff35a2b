import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { withLinks } from '../server/src/platform/http/pages.ts'
import { filesAtOnce, filesOf, languagesOf, type PageParts, pagesOfWeb, readManifest } from './preload.ts'

/** One line of the table: what a browser loads, in bytes after Brotli and in files, and its budget. */
export interface Weight {
  what: string
  bytes: number
  budget: number
  files: number
  mostFiles: number
}

const kB = 1000

/**
 * The budgets of a first visit, by the pages that people open first: bytes as set by the design, files as measured in
 * docs/decisions/0077. All pages of families and before the sign-in count as first pages.
 */
const first = {
  family: { budget: 75 * kB, mostFiles: 8, pages: undefined },
  gate: { budget: 120 * kB, mostFiles: 15, pages: undefined },
  school: { budget: 180 * kB, mostFiles: 25, pages: ['/dashboard', '/student/entry'] },
  office: { budget: 200 * kB, mostFiles: 28, pages: ['/office', '/office/login'] },
}
/**
 * What a first visit in a language other than English may add: the server's sentences, looked up by their English
 * words.
 */
const otherLanguage = { bytes: 15 * kB, files: 2 }
/** What any other page may add to the first one of its bundle; the grid and the import page are tools. */
const later = { budget: 30 * kB, mostFiles: 25 }
const tools = ['/student/grid', '/student/import']
const laterTool = { ...later, budget: 40 * kB }

type Bundle = keyof typeof first
/** The pages of each bundle: an address, and the sources of its lazy parts. */
export type Pages = Record<Bundle, PageParts[]>

/**
 * Weighs what web/dist makes a browser load: each entry with everything it imports immediately; the same with each
 * first page, its words and the links to them in the HTML (the page opened directly); and what each other page of
 * school and office adds for a browser that has loaded the sign-in and the first page.
 */
export function weigh(dist: string, pages: Pages): Weight[] {
  const sizes = new Map<string, number>()
  const bytesOf = (file: string) => {
    // As compressed by the build and sent by the server
    const bytes = sizes.get(file) ?? statSync(join(dist, `${file}.br`)).size
    sizes.set(file, bytes)
    return bytes
  }
  const sum = (files: string[]) => files.reduce((total, file) => total + bytesOf(file), 0)
  return (Object.keys(first) as Bundle[]).flatMap((bundle) => {
    const manifest = readManifest(dist, bundle)
    const html = `${bundle}.html`
    if (manifest[html] === undefined) throw new Error(`web/dist has no ${html}`)
    const named = filesAtOnce(manifest, html)
    const shown = pages[bundle].filter(([, parts]) => parts.length > 0)
    const { pages: onlyThese, ...budgets } = first[bundle]
    const isFirst = ([address]: PageParts) => onlyThese?.includes(address) ?? true
    const directly = (what: string, parts: string[], language = 'en'): Weight => {
      const files = [...filesOf(manifest, language, html, ...parts)]
      const ahead = parts.length > 0 ? files.filter((file) => !named.has(file)) : []
      const page = compressedSize(Buffer.from(withLinks(readFileSync(join(dist, html), 'utf8'), ahead)))
      const weight = { what: `${bundle}: ${what}`, bytes: page + sum(files), files: files.length }
      if (language === 'en') return { ...weight, ...budgets }
      const [budget, mostFiles] = [
        budgets.budget + otherLanguage.bytes,
        budgets.mostFiles + otherLanguage.files,
      ]
      return { ...weight, what: `${weight.what} in ${language}`, budget, mostFiles }
    }
    // A later page is only reached through the sign-in and the first page.
    const signIn =
      bundle === 'school' ? ['gate.html', ...partsOf(pages.gate, '/login')] : partsOf(shown, '/office/login')
    const loaded = filesOf(manifest, 'en', html, ...partsOf(shown, onlyThese?.[0]), ...signIn)
    return [
      directly('before any page', []),
      ...shown
        .filter(isFirst)
        .flatMap(([address, parts]) =>
          languagesOf(manifest).map((language) => directly(`${address} opened directly`, parts, language)),
        ),
      ...shown
        .filter((page) => !isFirst(page))
        .map(([address, parts]): Weight => {
          const files = [...filesOf(manifest, 'en', ...parts)].filter((file) => !loaded.has(file))
          const what = `${bundle}: ${address} after ${onlyThese?.[0]}`
          return {
            what,
            bytes: sum(files),
            files: files.length,
            ...(tools.includes(address) ? laterTool : later),
          }
        }),
    ]
  })
}

const partsOf = (pages: PageParts[], path = '') => pages.find(([address]) => address === path)?.[1] ?? []

function compressedSize(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}

if (import.meta.main) {
  const weights = weigh(join(import.meta.dirname, '../web/dist'), await pagesOfWeb())
  const isOver = ({ bytes, budget, files, mostFiles }: Weight) => bytes > budget || files > mostFiles
  const kilo = (bytes: number) => (bytes / kB).toFixed(2).padStart(6)
  for (const weight of weights) {
    const size = `${kilo(weight.bytes)} of ${kilo(weight.budget)} kB, ${weight.files} of ${weight.mostFiles} files`
    console.log(`${isOver(weight) ? 'OVER' : '  ok'} ${size}  ${weight.what}`)
  }
  console.log('bytes after brotli, 1 kB = 1000 bytes; html, styles and scripts that load at once')
  process.exitCode = weights.some(isOver) ? 1 : 0
}
