import { databaseFault } from '#platform/db/database-fault'
import { SettingError } from '#platform/settings'

/**
 * Starts the portal or runs a command; the only reader of the environment. Loads only what is needed: a command starts
 * in a third of the portal's time.
 */
async function main(): Promise<void> {
  const [command, ...words] = process.argv.slice(2)
  if (command === undefined) {
    const { readSettings } = await import('#platform/settings')
    const settings = readSettings(process.env)
    const { serve } = await import('./serve.ts')
    return serve(settings)
  }
  const { runConsole } = await import('./console.ts')
  process.exitCode = await runConsole(process.env, command, words)
}

const operatorErrors = [
  'MigrationRefused',
  'DatabaseRefused',
  'BackupDamaged',
  'RestoreRefused',
  'OwnerRefused',
  'StoreFault',
]

main().catch((error: unknown) => {
  // One line for what the operator can fix; the stack only for what we must fix.
  const operators =
    error instanceof SettingError || (error instanceof Error && operatorErrors.includes(error.name))
  const database = databaseFault(error)
  if (operators) console.error(error.message)
  else if (database !== undefined) console.error(database)
  else console.error(error)
  process.exit(1)
})
