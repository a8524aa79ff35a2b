import type { Deps } from '#platform/deps'
import type { Look, LookSource } from '#platform/http/pages'
import { readLogo, readLook } from './queries-foundation.ts'

/** A page waits so long for the database and is then shown as it looked last, in milliseconds. */
const patience = 1_000
const builtIn: Look = { name: 'Podium', logo: undefined, sheet: '' }

/** How pages look, read for each of them; while the database is away, as it was read last. */
export function pageLook({ db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>): LookSource {
  let last = builtIn
  return {
    async look() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Look>((resolve) => {
        timer = setTimeout(() => resolve(last), patience)
      })
      const read = readLook(db).then(
        (now) => {
          last = now
          return now
        },
        (error: unknown) => {
          log.warn({ err: error }, 'the look of pages could not be read')
          return last
        },
      )
      return Promise.race([read, late]).finally(() => clearTimeout(timer))
    },
    logo: (id) => readLogo(db, files, id),
  }
}
