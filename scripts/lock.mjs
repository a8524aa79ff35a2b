import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const beat = 2_000
const staleAfter = 30_000

/**
 * Runs `work` while this process alone holds the lock file, so that two starts at once don't install or build into
 * each other. A holder that died (its process is gone, or its file was not touched for half a minute) is passed over.
 * @param {string} file
 * @param {(line: string) => void} say called once when somebody else holds the lock
 * @param {() => Promise<void>} work
 */
export async function withLock(file, say, work) {
  mkdirSync(dirname(file), { recursive: true })
  let told = false
  while (!take(file)) {
    if (!told) say('another Podium command is setting up; waiting for it')
    told = true
    await new Promise((done) => setTimeout(done, 300))
  }
  // By our clock, also where that of the tests is ahead of the files'.
  const sign = () => utimesSync(file, new Date(), new Date())
  sign()
  const touch = setInterval(sign, beat)
  const drop = () => release(file)
  process.once('exit', drop)
  try {
    await work()
  } finally {
    clearInterval(touch)
    process.off('exit', drop)
    drop()
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return isStale(file) && takeOver(file)
  }
}

function isStale(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Date.now() - statSync(file).mtimeMs > staleAfter || (pid > 0 && !isAlive(pid))
  } catch {
    return false // it was released in this moment; the next try takes it
  }
}

/** Moves the stale file away under a name of our own: of several waiters only one succeeds. */
function takeOver(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    unlinkSync(aside)
  } catch {
    return false
  }
  return take(file)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function release(file) {
  try {
    if (readFileSync(file, 'utf8') === String(process.pid)) unlinkSync(file)
  } catch {
    // already gone
  }
}
