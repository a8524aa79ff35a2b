import { after, before, describe } from 'node:test'
import { type OpenedDatabase, openDatabase } from '../server/src/platform/db/database.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { createLogger } from '../server/src/platform/telemetry/logger.ts'
import { type RunningServer, startServer } from '../server/src/start.ts'
import { holdsTheWorld, servesTheWorld } from '../server/test/demo-served.ts'
import { failLoudly, patient } from '../server/test/patient.ts'
import './shifted-clock.ts'
import { demoWorld } from './demo-portal.ts'

const log = createLogger('error')
const dataDir = await demoWorld()
const settings = readSettings({ DATA_DIR: dataDir })

/** The demo world as created by the program itself; that of `server/seed/demo.test.ts` was interrupted. */
describe('the demo world of the program', () => {
  let database: OpenedDatabase
  let running: RunningServer
  before(async () => {
    database = await openDatabase({ ...patient, dataDir, onError: failLoudly })
    running = await startServer({ settings, log, database, limitScale: 1000, onFatal: failLoudly })
  })
  after(async () => {
    await running?.stop()
    await database?.close()
  })

  holdsTheWorld({ database: () => database, now: () => new Date() })
  servesTheWorld({ settings, database: () => database, running: () => running })
})
