import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** What axe has read and found nothing at, as `shapes` tells it apart: of this process, and of those beside it in the same run. */
const read = new Set<string>()
/** A file of the run to which each process adds a line for each shape. Without it, a process knows what it has read itself. */
const file = process.env.SHAPES_READ
let heard = 0

/** Takes in what others have added; a line that is still being written waits for the next time. */
function listen(): void {
  if (file === undefined) return
  const handle = openSync(file, 'a+')
  try {
    const bytes = Buffer.alloc(fstatSync(handle).size - heard)
    const text = bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, heard))
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    heard += whole.length
    for (const shape of whole.split('\n')) read.add(shape)
  } finally {
    closeSync(handle)
  }
}

/** Those of the shapes that need not be read again. */
export function knownOf(shown: readonly string[]): string[] {
  listen()
  return shown.filter((shape) => read.has(shape))
}

/** Axe has found nothing at these. */
export function remember(shown: readonly string[]): void {
  const fresh = shown.filter((shape) => !read.has(shape))
  for (const shape of fresh) read.add(shape)
  if (file !== undefined && fresh.length > 0)
    appendFileSync(file, fresh.map((shape) => `${shape}\n`).join(''))
}
