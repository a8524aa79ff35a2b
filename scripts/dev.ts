// npm run dev: the portal for working on it. Vite serves the web from its sources, so a saved screen changes in the open
// page; a saved server or contract file restarts the server. Settings are those of `npm start`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createLogger, createServer as createVite, type ProxyOptions } from 'vite'
import { entryOf } from '../server/src/platform/http/pages.ts'
import { freePort } from '../server/src/platform/http/source.ts'
import { readSettings } from '../server/src/platform/settings.ts'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')
const fail = (message: string) => {
  console.error(message)
  process.exit(1)
}
const settings = () => {
  try {
    return readSettings(process.env)
  } catch (error) {
    return fail((error as Error).message)
  }
}
const { host, port, publicUrl } = settings()
const behind = await freePort()

/** A call while the server restarts is answered like one of a server that is down: pages offer to try again. */
const portal: ProxyOptions = {
  target: `http://127.0.0.1:${behind}`,
  configure: (proxy) =>
    proxy.on('error', (_error, _request, response) => {
      if ('writeHead' in response) response.writeHead(503, { 'retry-after': '1' })
      response.end()
    }),
}

const log = createLogger('warn')
const customLogger: typeof log = {
  ...log,
  error: (text, options) => {
    if (!text.includes('http proxy error')) log.error(text, options)
  },
}

// Vite's own server would end at SIGTERM before the portal has.
const http = createServer()
const vite = await createVite({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  customLogger,
  appType: 'custom',
  server: {
    middlewareMode: true,
    hmr: { server: http },
    proxy: { '^/(api|brand|demo|healthz|readyz|metrics|robots\\.txt)([/?]|$)': portal },
  },
})
const pageAt = async (address: string) => {
  const [path = '/'] = address.split('?')
  return vite.transformIndexHtml(address, await readFile(join(web, entryOf(path)), 'utf8'))
}
vite.middlewares.use((request, response, next) => {
  if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return next()
  response.setHeader('content-type', 'text/html; charset=utf-8')
  // As the portal's pages: between pages with and without it a tab may lose what it has just stored.
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  pageAt(request.url ?? '/').then((page) => response.end(page), next)
})
await once(http.on('request', vite.middlewares).listen(port, host), 'listening').catch(() =>
  fail(`PORT ${port} can't be opened: stop the program that uses it, or set another PORT`),
)

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  cwd: root,
  env: { ...process.env, HOST: '127.0.0.1', PORT: String(behind), PUBLIC_URL: publicUrl },
  stdio: 'inherit',
})
let stopping = false
const stop = () => {
  stopping = true
  server.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
server.once('exit', (code) => process.exit(stopping ? 0 : (code ?? 1)))
