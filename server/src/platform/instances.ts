import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { newId } from './auth/secrets.ts'
import type { Markers } from './backup/backup-store.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { SettingError } from './settings.ts'

/** An instance that was not heard of for so long has ended, however it ended. */
const silence = '60 seconds'
const heartbeatMs = 15_000

/** Where something lies that all instances use. */
type Place = Markers & { readonly place: string }

interface Shared {
  setting: string
  what: string
  at: Place
}

/**
 * Registers this instance with the others of its database and refuses to run beside one whose sent files or backups lie
 * elsewhere: what is written here would not be found there. Each leaves a marker in both places before it stands in the
 * table, so whoever reads the table can look for it.
 */
export async function joinInstances(
  pool: Pool,
  { files, backups }: { files: Place; backups: Place },
  log: Logger,
): Promise<Pick<Worker, 'stop'>> {
  const id = newId()
  const shared: Shared[] = [
    { setting: 'FILES_URL', what: 'sent files', at: files },
    { setting: 'BACKUP_URL', what: 'backups', at: backups },
  ]
  for (const { at } of shared) await at.mark(id, `${hostname()}\n`)
  const leave = async () => {
    await pool.query('delete from instances where id = $1', [id])
    for (const { at } of shared) await at.unmark(id)
  }
  await pool.query('insert into instances (id, host) values ($1, $2)', [id, hostname()])
  try {
    await refuseDivided(pool, id, shared)
    await forgetEnded(pool, shared)
  } catch (thrown) {
    await leave()
    throw thrown
  }
  const heart = startWorker({
    everyMs: heartbeatMs,
    turn: async () => {
      await pool.query(
        `insert into instances (id, host) values ($1, $2) on conflict (id) do update set seen_at = now()`,
        [id, hostname()],
      )
      return false
    },
    onError: (err) => log.error({ err }, 'the other instances can not be told that this one runs'),
  })
  return {
    async stop() {
      await heart.stop()
      await leave().catch((err: unknown) => log.warn({ err }, 'instance'))
    },
  }
}

async function refuseDivided(pool: Pool, id: string, shared: readonly Shared[]): Promise<void> {
  const { rows } = await pool.query<{ id: string; host: string }>(
    `select id, host from instances where id <> $1 and seen_at > now() - $2::interval order by started_at`,
    [id, silence],
  )
  for (const other of rows)
    for (const { setting, what, at } of shared) {
      if (await at.marked(other.id)) continue
      throw new SettingError(
        `${setting} must name what all instances on one database share: one on ${other.host} runs, or ran a minute ago, and its ${what} are not in ${at.place}`,
      )
    }
}

/** Rows and markers of instances that were killed. */
async function forgetEnded(pool: Pool, shared: readonly Shared[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `delete from instances where seen_at < now() - interval '1 day' returning id`,
  )
  for (const { id } of rows) for (const { at } of shared) await at.unmark(id)
}
