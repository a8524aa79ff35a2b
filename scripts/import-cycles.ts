/** Cycles among files: for each group of files that reach each other, one way round, its first file named again. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, way: string[]): void => {
    const at = way.indexOf(file)
    if (at >= 0) cycles.push([...way.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return cycles
}
