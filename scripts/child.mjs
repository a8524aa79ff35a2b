import { spawn } from 'node:child_process'

const lifeline = new URL('./lifeline.mjs', import.meta.url).href

/**
 * Runs a Node program in a process group of its own and resolves to its exit code. It ends with us, however we end:
 * SIGINT, SIGTERM and SIGHUP are passed on once each (a terminal and npm both send Ctrl-C, and the program must not
 * take the second as «hurry»); a second Ctrl-C after a second, or `grace` without an exit, kills the whole group (a
 * draining program receives the second one too, which ends its drain, and dies with the third). If this process is
 * killed, the lifeline (a pipe that closes) makes the program end itself.
 * @param {string} node path of the node binary
 * @param {string[]} args
 * @param {{ cwd: string, env: Record<string, string | undefined>, grace?: number, drain?: number, limit?: number,
 *   output?: (bytes: Buffer) => void }} options `grace`, `drain` (how long the program serves on after a signal) and
 *   `limit` (the longest it may run) in milliseconds; `output` receives its output, which otherwise goes to ours
 * @returns {Promise<number>}
 */
export function runFollowing(node, args, { cwd, env, grace = 20_000, drain = 0, limit, output }) {
  const windows = process.platform === 'win32'
  const child = spawn(node, ['--import', lifeline, ...args], {
    cwd,
    env: { ...env, PODIUM_PARENT: String(process.pid) },
    detached: !windows,
    stdio: output ? ['ignore', 'pipe', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  if (output) for (const stream of [child.stdout, child.stderr]) stream.on('data', output)
  let askedAt = 0
  let timer
  const end = () => {
    try {
      if (windows) child.kill('SIGKILL')
      else process.kill(-child.pid, 'SIGKILL')
    } catch {
      // already gone
    }
  }
  let draining = drain
  const ask = (signal) => {
    if (askedAt === 0) {
      askedAt = Date.now()
      child.kill(signal)
      timer = setTimeout(end, draining + grace)
    } else if (Date.now() - askedAt <= 1_000) return
    else if (draining === 0) end()
    else {
      draining = 0
      askedAt = Date.now()
      child.kill(signal)
      clearTimeout(timer)
      timer = setTimeout(end, grace)
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, ask)
  const parent = process.ppid
  const orphaned = setInterval(() => process.ppid !== parent && ask('SIGTERM'), 1_000)
  const overdue = limit && setTimeout(() => ask('SIGTERM'), limit)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(timer)
      clearTimeout(overdue)
      clearInterval(orphaned)
      for (const name of signals) process.off(name, ask)
      end() // whatever else the program has left in its group
    })
    // With `output`, wait until all output was read.
    child.once(output ? 'close' : 'exit', (code, signal) => {
      resolve(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1))
    })
  })
}
