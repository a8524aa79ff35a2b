import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'

const linkTo = (file: string, drawn: boolean): string => {
  if (!file.endsWith('.css')) return `<link rel="modulepreload" crossorigin href="/${file}">`
  const kind = drawn ? 'stylesheet' : 'preload" as="style'
  return `<link rel="${kind}" crossorigin href="/${file}">`
}

/**
 * A page that names scripts and styles at the end of its head, which a browser then downloads beside its entry; the
 * picture of one that is `drawn` already waits for the styles.
 */
export const withLinks = (page: string, files: readonly string[], drawn = false): string =>
  page.replace('</head>', () => `${files.map((file) => linkTo(file, drawn)).join('')}</head>`)

/**
 * What each address needs beyond its entry, as the build of the web has found it (`scripts/preload.ts`), with the
 * words of a language, else the English ones; nothing for an address without a page. A browser would ask for its frame
 * and its page only when it has read the entry, which on a slow line is a third of a second and more each time.
 */
async function readAhead(folder: string): Promise<(path: string, language?: string) => readonly string[]> {
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

/** What a page shows first, and the language that it is in. */
type Picture = [language: string, html: string]

/**
 * What a family's page shows first, as the build of the web has drawn it (`scripts/preload.ts`): in a language that it
 * has, else in English.
 */
async function readFirstPictures(folder: string): Promise<(asked?: string) => Picture | undefined> {
  const file = join(folder, '.vite/first.json')
  if (!existsSync(file)) return () => undefined
  const drawn = new Map<string, string>(Object.entries(JSON.parse(await readFile(file, 'utf8'))))
  return (asked = '') => [...drawn].find(([one]) => one === (drawn.has(asked) ? asked : 'en'))
}

/** A page with its first picture in the language that it is in, under the foundation's own mark and name. */
function withPicture(page: string, [language, picture]: Picture, { name, logo }: Look): string {
  const mark = logo
    ? `<img alt="" src="/brand/${logo.id}.png" width="${logo.width}" height="${logo.height}">`
    : undefined
  const own = picture.replace(
    /(<span class="logo">)(<svg.*?<\/svg>)<span>.*?<\/span>/,
    (_all, start: string, built: string) => `${start}${mark ?? built}<span>${escaped(name)}</span>`,
  )
  return page
    .replace('lang="en-IN"', (english) => (language === 'en' ? english : `lang="${language}"`))
    .replace('<div id="root">', () => `<div id="root">${own}`)
}

/** Whether a family is asked for its code here: not where its page was opened a while ago, as the page notes in a cookie. */
const asksForCode = (path: string, query: unknown, cookies: Record<string, string | undefined>): boolean =>
  /^\/student\/?$/i.test(path) &&
  Object.entries(query as object).some(([name, value]) => name.toLowerCase() === 'id' && value !== '') &&
  cookies.family === undefined

/** The pages before the sign-in, an entry of their own; the empty path leads to the sign-in. */
const gate = ['', 'login', 'register', 'forgot', 'reset', 'invitation']

/** Which of the web entries answers an address: the gate's, families', the office's, else the schools'. */
export function entryOf(path: string): string {
  const [, first = '', second = ''] = path.toLowerCase().split('/')
  if (first === 'office') return 'office.html'
  if (gate.includes(first) && second === '') return 'gate.html'
  // The family's page is /student alone: /student/entry and its neighbours are the school's.
  if (first === 'student') return second === '' ? 'family.html' : 'school.html'
  return ['r', 'verify'].includes(first) ? 'family.html' : 'school.html'
}

/** How the foundation presents itself on pages. */
export interface Look {
  /** In the head of pages and in their titles */
  name: string
  /** Id of its file, and its size in pixels */
  logo: { id: string; width: number; height: number } | undefined
  /** The style sheet of its colour; empty for the built-in one */
  sheet: string
}

export interface LookSource {
  look(): Promise<Look>
  /** The PNG of the logo that has this id now */
  logo(id: string): Promise<Buffer | undefined>
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const sheetName = (sheet: string): string =>
  createHash('sha256').update(sheet).digest('base64url').slice(0, 22)

/** A logo that is about as wide as high stands in the browser's tab too. */
const isIcon = ({ width, height }: { width: number; height: number }): boolean =>
  width <= height * 1.3 && height <= width * 1.3

/** A built page with the foundation's name, logo and colour, said in its HTML: no script has to ask for them. */
export function dressed(page: string, { name, logo, sheet }: Look): string {
  const said = [`data-portal="${escaped(name)}"`]
  if (logo) {
    const { id, width, height } = logo
    said.push(`data-logo="/brand/${id}.png"`, `data-logo-size="${width} ${height}"`)
  }
  // A function, so that a name with a dollar sign is not read as a pattern.
  let whole = page
    .replace('<html ', () => `<html ${said.join(' ')} `)
    .replace(/<title>Podium/, () => `<title>${escaped(name)}`)
  if (logo && isIcon(logo))
    whole = whole.replace(
      /<link rel="icon"[^>]*>/,
      () => `<link rel="icon" href="/brand/${logo.id}.png" type="image/png">`,
    )
  if (sheet === '') return whole
  const link = `<link rel="stylesheet" id="brand" href="/brand/${sheetName(sheet)}.css">`
  return whole.replace('</head>', () => `${link}</head>`)
}

const forGood = 'public, max-age=31536000, immutable'

/** The pictures and the style sheet that pages name. A name that holds no more is answered without being kept. */
function serveBrand(app: FastifyInstance, source: LookSource): void {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const [, name = '', kind = ''] = /^([\w-]{22})\.(png|css)$/.exec(request.params.file) ?? []
    if (kind === 'css') {
      const { sheet } = await source.look()
      if (sheetName(sheet) === name) reply.header('cache-control', forGood)
      return reply.header('content-type', 'text/css; charset=utf-8').send(sheet)
    }
    const picture = kind === 'png' ? await source.logo(name) : undefined
    if (!picture) throw new Refusal('not_found')
    return reply.header('cache-control', forGood).header('content-type', 'image/png').send(picture)
  })
}

/**
 * Serves the built web: assets under their hashed names for a year, and an entry page for every other address that a
 * browser opens, in the look of the foundation. Addresses under /api that no call has are answered with 404 in the envelope.
 */
export async function servePages(app: FastifyInstance, folder: string, source: LookSource): Promise<void> {
  const pages = new Map<string, string>()
  for (const name of ['gate.html', 'school.html', 'office.html', 'family.html']) {
    if (existsSync(join(folder, name))) pages.set(name, await readFile(join(folder, name), 'utf8'))
  }
  if (existsSync(join(folder, 'assets'))) {
    await app.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      cacheControl: false,
      // The build has put them there as small as they get (scripts/build-web.ts).
      preCompressed: true,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  const ahead = await readAhead(folder)
  const firstPicture = await readFirstPictures(folder)
  serveBrand(app, source)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const page = pages.get(entryOf(path))
    if (request.method !== 'GET' || /^\/(api|assets|brand)(\/|$)/i.test(path) || !page)
      throw new Refusal('not_found')
    if (entryOf(path) === 'family.html') reply.header('x-robots-tag', 'noindex')
    const { language } = request.cookies
    const look = await source.look()
    const picture = asksForCode(path, request.query, request.cookies) ? firstPicture(language) : undefined
    const whole = withLinks(dressed(page, look), ahead(path, language), picture !== undefined)
    reply.header('content-type', 'text/html; charset=utf-8')
    return reply.send(picture ? withPicture(whole, picture, look) : whole)
  })
}
