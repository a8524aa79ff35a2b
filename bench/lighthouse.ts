// Runs Lighthouse as on a mid-range phone on a slow connection, on the family's page, the sign-in and the dashboard of
// a portal with the demo world, which it starts itself unless an address is given: node bench/lighthouse.ts [address]
// Installs Lighthouse from the npm registry into BENCH_LIGHTHOUSE, by default a separate folder among the temporary
// files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { demoPassword } from '../e2e/people.ts'
import { type Portal, startPortal } from '../e2e/program.ts'
import { findChromium } from '../scripts/machine.ts'
import { freePort } from '../server/src/platform/http/source.ts'
import { machine, quantile } from './common.ts'

const version = '13.5.0'
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** A page, its user, and the target for its performance; its accessibility must be perfect. */
const pages = [
  { path: '/student?id=demo-family-of-two-kid', wanted: 100 },
  { path: '/login', wanted: 95 },
  { path: '/dashboard', person: 'meera@podium.example', wanted: 95 },
]

interface Audit {
  score: number | null
  title: string
  displayValue?: string
}

interface Report {
  categories: Record<'performance' | 'accessibility', { score: number }>
  audits: Record<string, Audit & { numericValue?: number }>
  environment: { benchmarkIndex: number }
}

/** The parts of Puppeteer and Lighthouse used here: they are not dependencies of this repository. */
interface Page {
  goto(url: string): Promise<unknown>
  evaluate(script: string): Promise<unknown>
  close(): Promise<void>
}
interface Launcher {
  launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
}
type Lighthouse = (url: string, flags: object, config: undefined, page: Page) => Promise<{ lhr: Report }>

async function installed(): Promise<{ lighthouse: Lighthouse; puppeteer: Launcher }> {
  const folder = process.env.BENCH_LIGHTHOUSE ?? join(tmpdir(), `podium-lighthouse-${version}`)
  if (!existsSync(join(folder, 'node_modules/lighthouse'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${version}`]
    const { status } = spawnSync('npm', install, { cwd: folder, stdio: 'inherit' })
    if (status !== 0) throw new Error('Lighthouse could not be installed')
  }
  const resolve = createRequire(join(folder, 'package.json'))
  const load = (name: string) => import(pathToFileURL(resolve.resolve(name)).href)
  const [lighthouse, puppeteer] = await Promise.all([load('lighthouse'), load('puppeteer-core')])
  return { lighthouse: lighthouse.default, puppeteer: puppeteer.default }
}

/**
 * Serves the portal over HTTP/2, as its proxy does for browsers (docs/operations.md): with HTTP/1.1 a browser requests
 * six files at a time, and Lighthouse counts each round of them as 150 ms.
 */
async function proxyTo(portal: string): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  const { status } = spawnSync('openssl', [...request, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  if (status !== 0) throw new Error('openssl made no certificate')
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(certificate) })
  rmSync(folder, { recursive: true })
  const agent = new Agent({ keepAlive: true })
  const { port, hostname } = new URL(portal)
  server.on('request', (incoming, outgoing) => {
    const ordinary = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'))
    const headers = { ...Object.fromEntries(ordinary), host: `${hostname}:${port}` }
    const { method, url: path } = incoming
    const forwarded = send({ agent, hostname, port, method, path, headers }, (answer) => {
      const { connection, 'keep-alive': alive, 'transfer-encoding': coding, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 500, rest)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  const proxyPort = await freePort()
  await new Promise<void>((resolve) => server.listen(proxyPort, '127.0.0.1', resolve))
  const stop = () => {
    server.close()
    agent.destroy()
  }
  return { url: `https://localhost:${proxyPort}`, stop }
}

/** Signs in through the tab's storage. */
async function signIn(page: Page, portal: string, url: string, emailId: string): Promise<void> {
  const answer = await fetch(`${portal}/api/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailId, password: demoPassword }),
  })
  const { token, userDetails } = (await answer.json()) as { token: string; userDetails: object }
  const stored = JSON.stringify({ token, user: JSON.stringify(userDetails) })
  await page.goto(`${url}/healthz`)
  await page.evaluate(
    `for (const [key, value] of Object.entries(${stored})) sessionStorage.setItem(key, value)`,
  )
}

async function audit(portal: string, url: string, { path, person }: (typeof pages)[number]): Promise<Report> {
  const browser = await puppeteer.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--ignore-certificate-errors'],
  })
  try {
    const page = await browser.newPage()
    if (person) await signIn(page, portal, url, person)
    const onlyCategories = ['performance', 'accessibility']
    const { lhr } = await lighthouse(
      url + path,
      { onlyCategories, disableStorageReset: true },
      undefined,
      page,
    )
    return lhr
  } finally {
    await browser.close()
  }
}

/** Prints what costs points or could be faster, one line each. */
function printFaults({ audits }: Report): void {
  for (const { score, title, displayValue } of Object.values(audits))
    if (score !== null && score < 0.9) console.log(`  ${score} ${title} ${displayValue ?? ''}`)
}

async function measure(portal: string, url: string): Promise<boolean> {
  let good = true
  let speed = Number.NaN
  console.log(`median of ${rounds}, ${machine()}: performance, accessibility, FCP, LCP, TBT in ms, CLS`)
  for (const page of pages) {
    const reports: Report[] = []
    for (let round = 0; round < rounds; round++) reports.push(await audit(portal, url, page))
    const median = (measure: (report: Report) => number) => quantile(reports.map(measure), 0.5)
    const score = (name: keyof Report['categories']) =>
      median(({ categories }) => Math.round(categories[name].score * 100))
    const figure = (name: string) => median(({ audits }) => audits[name]?.numericValue ?? Number.NaN)
    const [performance, accessibility] = [score('performance'), score('accessibility')]
    speed = median(({ environment }) => environment.benchmarkIndex)
    const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map((name) =>
      Math.round(figure(name)),
    )
    const shift = figure('cumulative-layout-shift').toFixed(3)
    const verdict = performance >= page.wanted && accessibility === 100 ? '' : `wanted ${page.wanted}, 100`
    console.log(page.path.padEnd(36), performance, accessibility, ...times, shift, verdict)
    if (verdict === '') continue
    good = false
    const [last] = reports.slice(-1)
    if (last) printFaults(last)
  }
  console.log(`Lighthouse's index of this machine's speed: ${Math.round(speed)}`)
  return good
}

const { lighthouse, puppeteer } = await installed()
const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
const [address] = process.argv.slice(2)
const started: Portal | undefined = address ? undefined : await startPortal(dataDir)
const portal = address ?? started?.url ?? ''
const proxy = await proxyTo(portal)
try {
  if (!(await measure(portal, proxy.url))) process.exitCode = 1
} finally {
  proxy.stop()
  await started?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
