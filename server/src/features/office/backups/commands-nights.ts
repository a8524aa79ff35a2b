import { sql } from 'kysely'
import { newId } from '#platform/auth/secrets'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { errorText } from '#platform/jobs/outbox'
import { startWorker, type Worker } from '#platform/jobs/worker'
import { nextNight, nightlyBackup, nightlyRetention } from './rules.ts'

/** At these times in India, hours and minutes: first what is too old goes, so that it is not in the backup. */
const nights = [
  { kind: nightlyRetention, hours: 1, minutes: 30 },
  { kind: nightlyBackup, hours: 2, minutes: 30 },
]

/** Plans the next run of each nightly work, unless it waits or runs already. */
export async function planNights(db: Db, now: Date): Promise<void> {
  for (const { kind, hours, minutes } of nights) {
    const due = nextNight(now, hours, minutes)
    await sql`
      insert into jobs (id, kind, state, created_at, due_at) values (${newId()}, ${kind}, 'waiting', ${now}, ${due})
      on conflict (kind) where state in ('waiting', 'running') and kind like 'care.%.night' do nothing`.execute(
      db,
    )
  }
}

/** Sees to it that each night has its work, on whichever instance. */
export function startNights({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Worker {
  return startWorker({
    everyMs: 10 * 60_000,
    turn: async () => {
      await planNights(db, clock())
      return false
    },
    onError: (thrown) => log.error({ error: errorText(thrown) }, 'nightly work could not be planned'),
  })
}
