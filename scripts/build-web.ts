import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { withLock } from './lock.mjs'
import { writePreload } from './preload.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'web/dist')
const stamp = join(dist, '.vite/sources')
const say = (line: string) => process.stderr.write(`podium: ${line}\n`)

const sources = [
  'web/{src,public,words}/**/*',
  'web/*.{html,ts,json}',
  'contract/src/**/*.ts',
  'package-lock.json',
  'scripts/{build-web,preload,web-bundle}.ts',
]

/** Hashes the names and contents of everything the bundles are built from, except tests. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort()) {
    if (file.includes('.test.') || !statSync(join(root, file)).isFile()) continue
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function isFresh(hash: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
}

/**
 * Compresses each script and style with Brotli's best quality: a server has no time for that on each answer, a build
 * has.
 */
async function compress(assets: string): Promise<void> {
  await Promise.all(
    globSync('*.{js,css,svg}', { cwd: assets }).map(async (name) => {
      const file = join(assets, name)
      await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)))
    }),
  )
}

/** Vite builds next to the bundles in use, so that neither a failed nor an interrupted build removes them. */
async function build(hash: string): Promise<void> {
  say('building the web bundles')
  const next = join(root, 'web/dist-next')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', 'web', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn']
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`the web bundles could not be built${error ? `: ${error.message}` : ''}`)
  await writePreload(next)
  await compress(join(next, 'assets'))
  writeFileSync(join(next, '.vite/sources'), hash)
  const old = join(root, 'web/dist-old')
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(next, dist)
  rmSync(old, { recursive: true, force: true })
}

/** Builds web/dist if its sources have changed since the last build. Throws if Vite fails. */
async function buildWeb(): Promise<void> {
  const hash = hashOfSources()
  if (isFresh(hash)) return
  await withLock(join(root, '.tools/build-lock'), say, async () => {
    if (!isFresh(hash)) await build(hash)
  })
}

if (import.meta.main) {
  await buildWeb().catch((error: Error) => {
    say(error.message)
    process.exitCode = 1
  })
}
