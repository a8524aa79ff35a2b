import type { Deps } from '#platform/deps'
import type { JobHandlers } from '#platform/jobs/jobs'
import { sealAnew } from './commands.ts'
import { leftOf } from './queries.ts'
import { rotationJob } from './rules.ts'

/** After SECRET was changed: seals anew what can be, and reports what hangs on the one before. */
export function rotationJobs({ keys, log }: Pick<Deps, 'keys' | 'log'>): JobHandlers {
  return {
    [rotationJob]: async (_job, { db, progress }) => {
      const { sealed: total } = await leftOf(db, keys)
      await progress(0, total)
      const sealed = await sealAnew(db, keys, (done) => progress(Math.min(done, total)))
      const left = await leftOf(db, keys)
      const over = Object.values(left).every((count) => count === 0)
      if (over) log.warn({ sealed, left }, 'nothing hangs on SECRET_PREVIOUS any more: take it away')
      else log.warn({ sealed, left }, 'SECRET_PREVIOUS is still needed (docs/operations.md, Changing SECRET)')
      return { sealed, left }
    },
  }
}
