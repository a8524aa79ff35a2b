import type { OfficeScope, SchoolScope } from '../src/platform/auth/scope.ts'
import type { Db } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/deps.ts'
import type { DemoSeason } from './calendar.ts'
import type { SchoolSeed } from './data/schools.ts'

/** What the demo world is made with. */
export type SeedDeps = Pick<
  Deps,
  | 'db'
  | 'reads'
  | 'database'
  | 'settings'
  | 'keys'
  | 'files'
  | 'clock'
  | 'log'
  | 'security'
  | 'limits'
  | 'alarm'
>

export interface Officers {
  owner: OfficeScope
  operations: OfficeScope
  accounts: OfficeScope
  results: OfficeScope
  secondResults: OfficeScope
}

/** A school that is registered, with the person who acts for it. */
export interface School {
  seed: SchoolSeed
  id: number
  scope: SchoolScope
}

/** What every part of the story needs. */
export interface World {
  deps: SeedDeps
  db: Db
  officers: Officers
  /** The newest first */
  seasons: readonly [DemoSeason, DemoSeason, DemoSeason]
}
