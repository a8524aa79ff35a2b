// Migrates a database to the newest migration in a folder, in a separate process:
//   node server/test/migrate-folder.ts ADDRESS FOLDER
import { openDatabase } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { failLoudly } from './patient.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const database = await openDatabase({ url, dataDir: '', onError: failLoudly })
for (const name of await migrate(database, folder)) console.log(name)
await database.close()
