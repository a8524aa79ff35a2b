// Writes server/src/platform/db/schema.generated.ts from the migrations. Run it after adding one:
//   node scripts/generate-schema.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { describeSchema } from '../server/src/platform/db/database-schema.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'

const target = fileURLToPath(new URL('../server/src/platform/db/schema.generated.ts', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'podium-schema-'))
const database = await openDatabase({
  dataDir,
  onError: (error) => {
    throw error
  },
})
try {
  await migrate(database)
  writeFileSync(target, await describeSchema(database))
} finally {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
}
