import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationBreaches } from './migration-rules.ts'
import { starsOf } from './star-rules.ts'

/** Migrations up to this one are older than the rules, and stay as they are. */
const older = '0056'

/** One sentence for each breach: columns of the server's statements, and what a migration may do beside a running server. */
export function checkSql(root: string): string[] {
  const migrations = globSync('server/migrations/*.sql', { cwd: root }).map((path) => ({
    name: path.replace(/^.*[\\/]/, ''),
    text: readFileSync(join(root, path), 'utf8'),
  }))
  const tables = new Set(
    migrations.flatMap(({ text }) =>
      [...text.matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)].map((m) => m[1] ?? ''),
    ),
  )
  const sources = globSync('server/src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return [
    ...sources
      .filter((path) => !path.endsWith('.test.ts'))
      .sort()
      .flatMap((path) => starsOf(path, readFileSync(join(root, path), 'utf8'), tables)),
    ...migrations
      .filter(({ name }) => name.slice(0, 4) > older)
      .flatMap(({ name, text }) => migrationBreaches(name, text)),
  ]
}

if (import.meta.main) {
  const breaches = checkSql(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.log(breach)
  console.log(
    breaches.length === 0 ? 'SQL keeps to the rules' : `${breaches.length} breaches of the rules of SQL`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}
