import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolver, resolver } from './import-places.ts'

/** Opens the database that TEST_DATABASE names; a test that doesn't reach it can't know which one that is. */
const door = 'server/test/database.ts'
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

/** Tells of a test file of the server whether it, or anything that it imports, asks for a database. */
export function databaseAsked(root: string): (file: string) => boolean {
  const resolve = resolver(root)
  const known = new Map<string, string[]>()
  const importsOf = (file: string) => {
    const found = known.get(file) ?? read(root, file, resolve)
    known.set(file, found)
    return found
  }
  return (file) => {
    const reached = new Set([file])
    for (const one of reached) for (const next of importsOf(one)) reached.add(next)
    return reached.has(door)
  }
}

function read(root: string, file: string, resolve: Resolver): string[] {
  if (!file.endsWith('.ts') || !existsSync(join(root, file))) return []
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(imported)].flatMap(([, specifier = '']) => {
    const target = resolve(file, specifier)
    return 'path' in target ? [target.path] : []
  })
}
