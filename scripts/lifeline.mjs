import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

// Loaded with --import into the programs that child.mjs starts: when the starter is gone, the pipe on descriptor 3
// closes and this process is asked to end. Workers and the program's own children inherit the option, but not the pipe.
if (isMainThread && process.env.PODIUM_PARENT === String(process.ppid)) {
  const pipe = new Socket({ fd: 3 })
  pipe.once('close', () => {
    process.once('exit', endGroup)
    const drain = (Number(process.env.DRAIN_SECONDS) || 0) * 1_000
    setTimeout(endGroup, drain + 20_000).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  pipe.on('error', () => {})
  pipe.resume()
  pipe.unref()
}

/** Kills our own process group (see child.mjs), so that what we have started does not outlive us. */
function endGroup() {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
}
