import type { Logger } from 'pino'
import type { Keys } from './auth/secrets.ts'
import type { Alarm, SecurityWatch } from './auth/security-events.ts'
import type { Db, OpenedDatabase } from './db/database.ts'
import type { Reads } from './db/database-replica.ts'
import type { FileStore } from './files/files.ts'
import type { Limits } from './http/limits.ts'
import type { Settings } from './settings.ts'

/** The dependencies of all features; app.ts passes them to each feature's routes. */
export interface Deps {
  db: Db
  /** For reads that a standby may answer, if there is one */
  reads: Reads
  /** The driver's own pool, for what Kysely can't express */
  database: Pick<OpenedDatabase, 'pool' | 'db'>
  settings: Settings
  keys: Keys
  limits: Limits
  files: FileStore
  /** The current time; tests supply their own. */
  clock: () => Date
  log: Logger
  security: SecurityWatch
  alarm: Alarm
  /** Wakes the outbox and the job runner after a transaction that left work for them has committed. */
  wake: () => void
}
