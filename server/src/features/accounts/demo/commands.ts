import type { Deps } from '#platform/deps'
import { SettingError } from '#platform/settings'
import { holdsDemoPeople } from './queries.ts'

/** Everybody can read the demo world's passwords, second factors and access codes: without DEMO nobody is let into one. */
export async function refuseDemoWorld({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  if (settings.demo || !(await holdsDemoPeople(db))) return
  throw new SettingError(
    'DEMO is off, but this database is the demo world, whose passwords are known to everybody: set DATABASE_URL or DATA_DIR to another one',
  )
}
