import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd, temporaryFolder } from './database.ts'

/** A folder that can be full, and read-only. */
export interface SmallDisk {
  folder: string
  /** Nothing more goes into it, for the process that writes there. */
  fill(pid: number): void
  free(pid: number): void
  lock(): void
  unlock(): void
}

/**
 * Where root may mount, a disk of 128 kB that is filled, and mounted anew for reading alone. Elsewhere the process may
 * write no files of more than 10 bytes, and the folder belongs to nobody who may write: what a full quota and a wrong
 * owner look like.
 */
export function smallDisk(): SmallDisk {
  const folder = temporaryFolder('podium-disk-')
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=0700', 'podium', folder]).status === 0
  if (!mounted) {
    const limit = (pid: number, size: string) =>
      execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${size}:unlimited`])
    return {
      folder,
      fill: (pid) => limit(pid, '10'),
      free: (pid) => limit(pid, 'unlimited'),
      lock: () => chmodSync(folder, 0o500),
      unlock: () => chmodSync(folder, 0o700),
    }
  }
  const unmount = () => void spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
  atEnd(async () => unmount())
  // A run that is ended by force does not come to its end.
  process.once('exit', unmount)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (let size = 128 * 1024; size >= 1; size = Math.floor(size / 2)) {
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch (thrown) {
          if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown
        }
      }
    },
    free: () => rmSync(filler),
    lock: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    unlock: () => void execFileSync('mount', ['-o', 'remount,rw', folder]),
  }
}
