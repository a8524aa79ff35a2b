import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const beat = 2_000
const staleAfter = 30_000

/**
 * Runs `work` while only this process holds the lock file, so that two simultaneous starts don't install or build over
 * each other. A dead holder (its process is gone, or it has not touched the file for half a minute) is ignored.
 * @param {string} file
 * @param {(line: string) => void} say called once if another process holds the lock
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
  // By our own clock, even if a test's clock is ahead of the files'.
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
    return false // released at this very moment; the next attempt takes it
  }
}

/** Renames the stale file to a name of our own: of several waiters only one succeeds. */
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
