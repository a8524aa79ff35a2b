// A server that does nothing but write: told a data folder, it inserts rows one by one and says each that was
// acknowledged. Started and killed by tests and by bench/durability.ts.
import { sql } from 'kysely'
import { openDatabase } from '../src/platform/database.ts'

const database = await openDatabase({
  dataDir: process.argv[2] ?? '',
  onError: (error) => {
    throw error
  },
})
await sql`create table if not exists marks (id bigint generated always as identity primary key, text text not null)`.execute(
  database.db,
)
for (;;) {
  const { rows } = await sql<{
    id: number
  }>`insert into marks (text) values (repeat('x', 200)) returning id`.execute(database.db)
  process.send?.(rows[0]?.id)
}
