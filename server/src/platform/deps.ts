import type { Logger } from 'pino'
import type { Keys } from './auth/secrets.ts'
import type { Alarm, SecurityWatch } from './auth/security-events.ts'
import type { Db, OpenedDatabase } from './db/database.ts'
import type { Reads } from './db/database-replica.ts'
import type { FileStore } from './files/files.ts'
import type { Limits } from './http/limits.ts'
import type { Settings } from './settings.ts'

/** Everything the features are built from; app.ts hands it to each feature's routes. */
export interface Deps {
  db: Db
  /** What a standby may answer, where there is one */
  reads: Reads
  /** The driver's own pool, for what Kysely can't say */
  database: Pick<OpenedDatabase, 'pool' | 'db'>
  settings: Settings
  keys: Keys
  limits: Limits
  files: FileStore
  /** The instant now; tests set their own. */
  clock: () => Date
  log: Logger
  security: SecurityWatch
  alarm: Alarm
  /** Tells the outbox and the job runner that a transaction with work for them has committed. */
  nudge: () => void
}
