import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkAllLibraries } from '../server/src/platform/db/embedded-links.mjs'
import { withLock } from './lock.mjs'

// Plain JavaScript without dependencies: any Node from 18 on can run it on a fresh checkout.
const nodeVersion = '26.10.0'
const npmVersion = '11.19.1'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const nodePackage = `node-${windows ? 'win' : process.platform}-${process.arch}`
const tools = join(root, '.tools')
/** The pinned Node, whichever Node runs this script. */
export const node = join(tools, 'node_modules', nodePackage, 'bin', windows ? 'node.exe' : 'node')
const npmCli = join(tools, 'node_modules', 'npm', 'bin', 'npm-cli.js')

export class SetUpError extends Error {}

/** Returns the environment for everything we start: the pinned Node and the installed tools come first in PATH. */
export function environment() {
  const env = { ...process.env }
  // Set by the npm that runs us; they would mislead the one that we run.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_config_global_prefix'])
    delete env[name]
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[pathName] = [dirname(node), join(root, 'node_modules', '.bin'), env[pathName] ?? ''].join(delimiter)
  // Node caches compiled code: each of the tests' many processes starts in two thirds of the time.
  env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')
  return env
}

/** Installs the pinned Node and npm, then the packages of the lock file, each only if missing or outdated. */
export async function prepare() {
  if (!toolsAreThere() || !packagesAreThere())
    await withLock(join(tools, 'lock'), say, async () => {
      if (!toolsAreThere()) await installTools()
      if (!packagesAreThere()) await installPackages()
    })
  // Now, because a start may run on a read-only root.
  linkAllLibraries()
}

function toolsAreThere() {
  const version = (name) => readJson(join(tools, 'node_modules', name, 'package.json'))?.version
  return version(nodePackage) === nodeVersion && version('npm') === npmVersion && existsSync(node)
}

async function installTools() {
  say(`installing Node ${nodeVersion} and npm ${npmVersion} into .tools (once)`)
  mkdirSync(tools, { recursive: true })
  rmSync(join(tools, 'package-lock.json'), { force: true })
  const dependencies = { [nodePackage]: nodeVersion, npm: npmVersion }
  writeFileSync(join(tools, 'package.json'), `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`)
  // The npm of an old Node may be strict about engines; these two packages only run under the new Node.
  const quiet = ['--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', '--prefix', tools, ...quiet]
  await twice(`npm could not install ${nodePackage} ${nodeVersion}`, () => runAnyNpm(args))
  const works = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (works.stdout?.trim() !== `v${nodeVersion}`) {
    throw new SetUpError(
      `the installed ${nodePackage} does not run on this machine: ${works.error ?? works.stderr}`,
    )
  }
}

/** Runs the npm that runs us, or else the one in PATH: good enough for two packages without dependencies. */
function runAnyNpm(args) {
  const running = process.env.npm_execpath
  if (running?.endsWith('npm-cli.js')) return run(process.execPath, [running, ...args], process.env, tools)
  return run(windows ? 'npm.cmd' : 'npm', args, process.env, tools, windows)
}

const stampFile = join(root, 'node_modules', '.podium-lock')

function lockHash() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(nodeVersion).update(nodePackage).digest('hex')
}

function packagesAreThere() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockHash()) return true
  if (!isInstalledAsLocked()) return false
  writeFileSync(stampFile, lockHash())
  return true
}

/** True after a developer's own `npm install`: npm's record in node_modules matches the lock file. */
function isInstalledAsLocked() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {}
  const there = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (there === undefined) return false
  const isPackage = (place) => place.includes('node_modules/') && !wanted[place]?.link
  const same = (place) => there[place]?.version === wanted[place]?.version
  const needed = Object.keys(wanted).filter((place) => isPackage(place) && !wanted[place].optional)
  return needed.every(same) && Object.keys(there).filter(isPackage).every(same)
}

async function installPackages() {
  say('installing the packages of package-lock.json')
  const hash = lockHash()
  // --include=dev: a production start also builds the web bundles.
  const args = [
    npmCli,
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  await twice('npm ci did not finish', () => run(node, args, environment(), root))
  writeFileSync(stampFile, hash)
}

/** Retries once: a network failure is the usual cause of a failed install. */
async function twice(what, attempt) {
  if (await attempt()) return
  say('that did not work; trying once more')
  if (await attempt()) return
  throw new SetUpError(`${what}; its own words are above. Check the network and start again.`)
}

function run(command, args, env, cwd, shell = false) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 2, 2] })
    const stop = () => child.kill('SIGTERM')
    process.once('exit', stop)
    child.once('error', (error) => {
      process.stderr.write(`podium: ${error.message}\n`)
      process.off('exit', stop)
      resolve(false)
    })
    child.once('exit', (code) => {
      process.off('exit', stop)
      resolve(code === 0)
    })
  })
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Prints a line of progress to standard error, so that a command's own output stays clean. */
export function say(line) {
  process.stderr.write(`podium: ${line}\n`)
}
