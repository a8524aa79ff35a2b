import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer as bytesOf, text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliCompressSync, gunzipSync } from 'node:zlib'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { anAddress } from '#test/accounts-factories'
import { beforehand, testServer } from '#test/server'
import { buildEdge } from './edge.ts'
import { type Branding, servePages } from './pages.ts'
import { sourceOf } from './source.ts'

/** A portal served over https, behind a proxy. */
const server = beforehand(() => testServer({ settings: { publicUrl: 'https://portal.example' } }))

/** Sends bytes and returns everything received until the connection ends. */
function exchanged(bytes: string): Promise<string> {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return textOf(socket)
}

test('cookies are bound to this host and https, and hidden from scripts and other sites', async () => {
  const { headers } = await server.call(emailVerify, { body: { EmailId: anAddress() } })
  const cookies = headers.getSetCookie()
  assert.ok(cookies.length > 0)
  for (const cookie of cookies) {
    assert.match(cookie, /^__Host-podium-\w+=/)
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      assert.ok(cookie.includes(part), cookie)
    assert.ok(!/domain=/i.test(cookie), cookie)
  }
})

test('browsers are told to use https for two years, on every subdomain, and to send no referrer', async () => {
  for (const path of ['/healthz', '/api/openapi.json', '/nowhere', '/api/nowhere']) {
    const { headers } = await fetch(`${server.url}${path}`)
    assert.equal(headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains', path)
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none';base-uri 'none'/, path)
    assert.equal(headers.get('access-control-allow-origin'), null, path)
    assert.match(headers.get('content-type') ?? '', /; charset=utf-8$/, path)
  }
})

test('the server lists no folder and serves only built pages, whatever is requested', async () => {
  for (const path of [
    '/.git/config',
    '/.env',
    '/package.json',
    '/assets/',
    '/assets/../../.env',
    '/assets/%2e%2e/%2e%2e/.env',
    '/server/src/main.ts',
  ]) {
    const answer = await fetch(`${server.url}${path}`)
    const text = await answer.text()
    assert.ok(answer.status === 404 || text.startsWith('<!doctype html>'), path)
    assert.doesNotMatch(text, /Index of|\[core\]|"workspaces"|SECRET=/, path)
  }
})

test('TRACE and other undeclared methods echo nothing', async () => {
  const answer = await exchanged(
    'TRACE /healthz HTTP/1.1\r\nHost: x\r\nX-Canary: seen\r\nConnection: close\r\n\r\n',
  )
  assert.doesNotMatch(answer, /^HTTP\/1\.1 2/)
  assert.doesNotMatch(answer, /seen/)
})

test('a request whose end is ambiguous is refused', async () => {
  const head = 'POST /api/Account/Login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const both = `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`
  const answer = await exchanged(both)
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
})

test('a script is sent as the build compressed it, as gzip to an older browser, and plain on request', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'podium-pages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const script = 'school()\n'.repeat(500)
  const small = brotliCompressSync(script)
  for (const inside of ['assets', '.vite']) mkdirSync(join(folder, inside))
  writeFileSync(join(folder, '.vite/ahead.json'), '{}')
  writeFileSync(join(folder, 'assets/school-1.js'), script)
  writeFileSync(join(folder, 'assets/school-1.js.br'), small)
  const app = await buildEdge(server.deps)
  t.after(() => app.close())
  const nothing = {
    read: async () => ({ name: 'x', logo: undefined, sheet: '' }),
    logo: async () => undefined,
  }
  await servePages(app, folder, nothing)
  const address = `${await app.listen({ port: 0, host: '127.0.0.1' })}/assets/school-1.js`
  const requestScript = async (encodings: string) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(address, { headers: { 'accept-encoding': encodings } }, resolve).on('error', reject),
    )
    const { 'content-encoding': encoding, 'content-type': type, 'cache-control': kept } = answer.headers
    assert.match(`${type} ${kept}`, /^\w+\/javascript; charset=utf-8 public, max-age=31536000, immutable$/)
    assert.match(String(answer.headers.vary), /accept-encoding/i)
    return { encoding, bytes: await bytesOf(answer) }
  }
  assert.deepEqual(await requestScript('gzip, deflate, br, zstd'), { encoding: 'br', bytes: small })
  const older = await requestScript('gzip, deflate')
  assert.equal(older.encoding, 'gzip')
  assert.equal(gunzipSync(older.bytes).toString(), script)
  assert.deepEqual(await requestScript('identity'), { encoding: undefined, bytes: Buffer.from(script) })
})

test("a family's page arrives with its branded form in the family's language, unless it is open or lacks a link", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'podium-pages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.vite'))
  const built =
    '<span class="logo"><svg viewBox="0 0 26 24"><rect></rect></svg><span>Podium</span></span><input name="code">'
  writeFileSync(join(folder, '.vite/first.json'), JSON.stringify({ en: `${built}en`, hi: `${built}hi` }))
  writeFileSync(
    join(folder, '.vite/ahead.json'),
    JSON.stringify({ en: { '/student': ['assets/a.css'], '/r': ['assets/a.css'] } }),
  )
  const html =
    '<html lang="en-IN"><head><title>Podium</title></head><body><div id="root"></div></body></html>'
  writeFileSync(join(folder, 'family.html'), html)
  let look: Branding = { name: 'Podium', logo: undefined, sheet: '' }
  const app = await buildEdge(server.deps)
  t.after(() => app.close())
  await servePages(app, folder, { read: async () => look, logo: async () => undefined })
  const page = async (url: string, cookie = '') => (await app.inject({ url, headers: { cookie } })).body

  assert.match(await page('/student?id=a-link'), /<html[^>]* lang="en-IN">.*<div id="root">.*name="code">en</)
  // It is visible at once, so it must not appear without its styles; a page that a script draws doesn't wait for them.
  assert.match(await page('/student?id=a-link'), /<link rel="stylesheet"[^>]* href="\/assets\/a.css">/)
  assert.match(await page('/r'), /<link rel="preload" as="style"/)
  assert.match(await page('/Student?Id=a-link', 'language=hi'), /<html[^>]* lang="hi">.*name="code">hi</)
  // A cookie can hold anything.
  assert.match(
    await page('/student?id=a-link', 'language=%22%3E%3Cscript%3E'),
    /lang="en-IN">.*name="code">en</,
  )
  look = { name: 'Maths & <More>', logo: { id: 'abc', width: 40, height: 20 }, sheet: '' }
  assert.match(
    await page('/student?id=a-link'),
    /<span class="logo"><img alt="" src="\/brand\/abc.png" width="40" height="20"><span>Maths &#38; &#60;More&#62;<\/span>/,
  )
  for (const [address, cookie] of [
    ['/student'],
    ['/student?id='],
    ['/r/1?id=a-link'],
    ['/student?id=a-link', 'family=open'],
  ] as const)
    assert.match(await page(address, cookie), /<div id="root"><\/div>/, address)
})

test('robots.txt tells search engines to list only the sign-in page', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'podium-pages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['gate', 'school', 'office', 'family'])
    writeFileSync(join(folder, `${name}.html`), '<html><head></head></html>')
  const app = await buildEdge(server.deps)
  t.after(() => app.close())
  const look: Branding = { name: 'Podium', logo: undefined, sheet: '' }
  await servePages(app, folder, { read: async () => look, logo: async () => undefined })
  const robots = await app.inject({ url: '/robots.txt' })
  assert.deepEqual([robots.statusCode, robots.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.match(robots.body, /^User-agent: \*\nAllow: \/\$\nAllow: \/login\$\n/)
  assert.match(robots.body, /\nDisallow: \/\n$/)
  const robotsTag = async (url: string) => (await app.inject({ url })).headers['x-robots-tag']
  for (const url of ['/', '/login', '/login?returnurl=x']) assert.equal(await robotsTag(url), undefined, url)
  for (const url of ['/student?id=a', '/r/1', '/verify/x', '/reset?token=a', '/School', '/office/login'])
    assert.equal(await robotsTag(url), 'noindex', url)
})

test('the addresses of one IPv6 network count as one source, those of the next network as another', () => {
  const network = sourceOf('2001:db8:1:2::1')
  assert.equal(network, '2001:db8:1:2::/64')
  for (const same of ['2001:db8:1:2:ffff:1:2:3', '2001:0DB8:0001:0002::', '2001:db8:1:2::1%eth0'])
    assert.equal(sourceOf(same), network)
  assert.notEqual(sourceOf('2001:db8:1:3::1'), network)
  assert.equal(sourceOf('::1'), '0:0:0:0::/64')
  assert.equal(sourceOf('2001::5:1:2:3:4:5'), '2001:0:5:1::/64')
})

test('an IPv4 address counts as itself, however it is written', () => {
  assert.equal(sourceOf('192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('unknown'), 'unknown')
  assert.equal(sourceOf(undefined), 'gone')
})
