import { after, before, describe } from 'node:test'
import { type OpenedDatabase, openDatabase } from '../server/src/platform/database.ts'
import { holdsTheWorld } from '../server/test/demo-world.ts'
import { failLoudly, patient } from '../server/test/patient.ts'
import './later.ts'
import { demoWorld } from './portal.ts'

/** The world that the program itself makes on the embedded database; on PostgreSQL it is that of `server/seed/demo.test.ts`. */
describe('the demo world of the program', () => {
  let database: OpenedDatabase
  before(async () => {
    database = await openDatabase({ ...patient, dataDir: await demoWorld(), onError: failLoudly })
  })
  after(() => database?.close())

  holdsTheWorld({ database: () => database, now: () => new Date() })
})
