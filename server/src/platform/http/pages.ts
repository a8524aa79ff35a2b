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
 * Adds scripts and styles to a page's head, so that the browser downloads them alongside its entry; a page that is
 * already `drawn` waits for its styles.
 */
export const withLinks = (page: string, files: readonly string[], drawn = false): string =>
  page.replace('</head>', () => `${files.map((file) => linkTo(file, drawn)).join('')}</head>`)

/**
 * Returns the files each address needs beyond its entry, as found by the web build (`scripts/preload.ts`), including
 * the words of a language, or else English; none for an unknown address. Otherwise a browser would request them only
 * after reading the entry, which on a slow connection costs a third of a second or more each time.
 */
async function readPreloads(folder: string): Promise<(path: string, language?: string) => readonly string[]> {
  const file = join(folder, '.vite/ahead.json')
  if (!existsSync(file)) return () => []
  const parts: Record<string, Record<string, string[]>> = JSON.parse(await readFile(file, 'utf8'))
  const pagesOf = (addresses: Record<string, string[]>) =>
    Object.entries(addresses).map(([address, files]) => ({
      // `$id` stands for any single segment of an address.
      fits: new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}/?$`, 'i'),
      files,
    }))
  const languages = new Map(
    Object.entries(parts).map(([language, addresses]) => [language, pagesOf(addresses)]),
  )
  return (path, language = 'en') => {
    const pages = languages.get(language) ?? languages.get('en')
    return pages?.find(({ fits }) => fits.test(path))?.files ?? []
  }
}

/** The pre-rendered HTML of a page, and its language. */
type PrerenderedPage = [language: string, html: string]

/**
 * Returns the pre-rendered start of a family's page, made by the web build (`scripts/preload.ts`), in the requested
 * language if available, else in English.
 */
async function readPrerendered(folder: string): Promise<(language?: string) => PrerenderedPage | undefined> {
  const file = join(folder, '.vite/first.json')
  if (!existsSync(file)) return () => undefined
  const drawn = new Map<string, string>(Object.entries(JSON.parse(await readFile(file, 'utf8'))))
  return (requested = '') =>
    [...drawn].find(([language]) => language === (drawn.has(requested) ? requested : 'en'))
}

/** Inserts the pre-rendered start into a page, in its language and with the foundation's logo and name. */
function withPrerendered(
  page: string,
  [language, picture]: PrerenderedPage,
  { name, logo }: Branding,
): string {
  const mark = logo
    ? `<img alt="" src="/brand/${logo.id}.png" width="${logo.width}" height="${logo.height}">`
    : undefined
  const personalised = picture.replace(
    /(<span class="logo">)(<svg.*?<\/svg>)<span>.*?<\/span>/,
    (_all, start: string, built: string) => `${start}${mark ?? built}<span>${escaped(name)}</span>`,
  )
  return page
    .replace('lang="en-IN"', (english) => (language === 'en' ? english : `lang="${language}"`))
    .replace('<div id="root">', () => `<div id="root">${personalised}`)
}

/**
 * Whether this page will ask a family for its code: not if it was opened recently, which the page notes in a cookie.
 */
const needsSignInCode = (
  path: string,
  query: unknown,
  cookies: Record<string, string | undefined>,
): boolean =>
  /^\/student\/?$/i.test(path) &&
  Object.entries(query as object).some(([name, value]) => name.toLowerCase() === 'id' && value !== '') &&
  cookies.family === undefined

/** The pages before the sign-in, with their own web entry; the empty path leads to the sign-in. */
const gate = ['', 'login', 'register', 'forgot', 'reset', 'invitation']

/** Returns the web entry for an address: the gate's, families', the office's, or else the schools'. */
export function entryOf(path: string): string {
  const [, first = '', second = ''] = path.toLowerCase().split('/')
  if (first === 'office') return 'office.html'
  if (gate.includes(first) && second === '') return 'gate.html'
  // The family's page is only /student: /student/entry and its neighbours belong to the school.
  if (first === 'student') return second === '' ? 'family.html' : 'school.html'
  return ['r', 'verify'].includes(first) ? 'family.html' : 'school.html'
}

/** How pages present the foundation. */
export interface Branding {
  /** In page headers and titles */
  name: string
  /** Id of its file, and its size in pixels */
  logo: { id: string; width: number; height: number } | undefined
  /** The style sheet for its colour; empty for the built-in one */
  sheet: string
}

export interface BrandingSource {
  read(): Promise<Branding>
  /** The PNG of the logo, if it currently has this id */
  logo(id: string): Promise<Buffer | undefined>
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const sheetName = (sheet: string): string =>
  createHash('sha256').update(sheet).digest('base64url').slice(0, 22)

/** A roughly square logo is also used as the browser tab's icon. */
const isIcon = ({ width, height }: { width: number; height: number }): boolean =>
  width <= height * 1.3 && height <= width * 1.3

/** Puts the foundation's name, logo and colour into a built page's HTML, so that no script has to request them. */
function withBranding(page: string, { name, logo, sheet }: Branding): string {
  const attributes = [`data-portal="${escaped(name)}"`]
  if (logo) {
    const { id, width, height } = logo
    attributes.push(`data-logo="/brand/${id}.png"`, `data-logo-size="${width} ${height}"`)
  }
  // A function, so that a dollar sign in the name is not read as a pattern.
  let whole = page
    .replace('<html ', () => `<html ${attributes.join(' ')} `)
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

/** Serves the logo and style sheet that pages reference. An outdated style sheet name is answered but not cached. */
function serveBrand(app: FastifyInstance, source: BrandingSource): void {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const [, name = '', kind = ''] = /^([\w-]{22})\.(png|css)$/.exec(request.params.file) ?? []
    if (kind === 'css') {
      const { sheet } = await source.read()
      if (sheetName(sheet) === name) reply.header('cache-control', forGood)
      return reply.header('content-type', 'text/css; charset=utf-8').send(sheet)
    }
    const picture = kind === 'png' ? await source.logo(name) : undefined
    if (!picture) throw new Refusal('not_found')
    return reply.header('cache-control', forGood).header('content-type', 'image/png').send(picture)
  })
}

/**
 * What search engines may ask for: the sign-in page, and families' pages. Those must never be listed, which a header tells
 * them; an engine that is kept away never reads it and can list the bare address.
 */
const robots = `User-agent: *
Allow: /$
Allow: /login$
# Answered with X-Robots-Tag: noindex
Allow: /r/
Allow: /student$
Allow: /student?
Allow: /verify/
Disallow: /
`

/** The pages that search engines may list. */
const listed = new Set(['/', '/login'])

/**
 * Serves the built web: assets under their hashed names, cached for a year, and an entry page in the foundation's look
 * for any other address a browser opens. Unknown addresses under /api get 404 in the envelope.
 */
export async function servePages(
  app: FastifyInstance,
  folder: string,
  source: BrandingSource,
): Promise<void> {
  const pages = new Map<string, string>()
  for (const name of ['gate.html', 'school.html', 'office.html', 'family.html']) {
    if (existsSync(join(folder, name))) pages.set(name, await readFile(join(folder, name), 'utf8'))
  }
  if (existsSync(join(folder, 'assets'))) {
    await app.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      cacheControl: false,
      // The build has compressed them as far as possible (scripts/build-web.ts).
      preCompressed: true,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  const ahead = await readPreloads(folder)
  const firstPicture = await readPrerendered(folder)
  serveBrand(app, source)
  app.get('/robots.txt', (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=utf-8').send(robots),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const page = pages.get(entryOf(path))
    if (request.method !== 'GET' || /^\/(api|assets|brand)(\/|$)/i.test(path) || !page)
      throw new Refusal('not_found')
    if (!listed.has(path.toLowerCase())) reply.header('x-robots-tag', 'noindex')
    const { language } = request.cookies
    const branding = await source.read()
    const picture = needsSignInCode(path, request.query, request.cookies) ? firstPicture(language) : undefined
    const whole = withLinks(withBranding(page, branding), ahead(path, language), picture !== undefined)
    reply.header('content-type', 'text/html; charset=utf-8')
    return reply.send(picture ? withPrerendered(whole, picture, branding) : whole)
  })
}
