import { readFileSync } from 'node:fs'

/**
 * Which modules share a file. By itself the build makes a file of each set of modules that the same pages and dialogs
 * need: 67 for the dashboard, most of them below 2 kB. A browser downloads six at a time, and on a slow line each costs a
 * third of a second (docs/decisions/0016). So these sets are merged, two at a time, for as long as the files that this
 * saves outweigh what some page then downloads for nothing. `npm test -- bytes` holds the result to the budgets.
 */

/** What the build knows of a module. */
interface Graph {
  getModuleInfo(id: string): {
    isEntry: boolean
    importedIds: string[]
    dynamicallyImportedIds: string[]
    importers: string[]
    dynamicImporters: string[]
    code: string | null
  } | null
}

/** What a browser opens: a page with its entry and frame, or a dialog. */
interface View {
  weight: number
  costOfFile: number
  needs: Set<string>
}

/** Modules that go into one file, and what each view would download for nothing if this were in one of its files. */
interface Part {
  modules: string[]
  views: Set<View>
  needs: Set<string>
  imports: Set<Part>
  isWords: boolean
}

/** A file counts as much as these compressed bytes, on pages of families, which have no room, hardly; of a byte of source this much is left after build and compression. */
const costOfFile = 3000
const costOfFamilyFile = 200
const compressed = 0.27
/** A component of Mantine with what comes with it; the router or the schemas. */
const costOfComponent = 2500
const costOfLibrary = 25_000

const ours = /[\\/](?:web[\\/](?:src|words)|contract[\\/]src)[\\/].*\.(?:tsx?|css|json)$/
/** What a module asks for in the reader's language: English stands for each. */
const wordsOfOne = /[\\/]words[\\/]en[\\/]|\.en\.ts$/
/** Words of pages and dialogs, whose files hold a language each; why calls are refused comes later. */
const words = /[\\/]words[\\/](\w+)[\\/](?!refusals\.)[\w-]+\.json$/
const firstPages = /[\\/](?:dashboard-page|login|students-page|overview[\\/]page)\.tsx$/
/** The grid and the import desk are nearly as large as they may be. */
const tools = /[\\/]students[\\/](?:import|grid)[\\/]page\.tsx$/
/** Of the table of pages alone: what a page asks for later is a dialog. */
const table = /[\\/]web[\\/]src[\\/]pages[\\/](\w+)[\\/]\w+\.tsx$/

/** First pages count more than others, tools somewhat, dialogs less; a family’s page may not grow at all. */
const weightOf = (audience: string, page: string) => {
  if (audience === 'family') return 5000
  if (audience === 'gate' || firstPages.test(page)) return 30
  return tools.test(page) ? 4 : 1
}
const weightOfDialog = 0.3

function mergedParts(modules: readonly string[], graph: Graph): Part[] {
  const infoOf = (id: string) => graph.getModuleInfo(id)
  const isAskedLate = (id: string) => (infoOf(id)?.dynamicImporters.length ?? 0) > 0
  const areLateWords = (id: string) => words.test(id) && isAskedLate(id)
  const isLoadedAlone = (id: string) => !!infoOf(id)?.isEntry || (isAskedLate(id) && !words.test(id))
  const isOnlyLoadedAlone = (id: string) => isLoadedAlone(id) && !infoOf(id)?.importers.length
  // A library is asked for by name: its index file imports all of it, of which the build drops what nobody needs.
  const componentsOf = (id: string) =>
    [
      ...(infoOf(id)?.code ?? '').matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](@mantine|@tanstack|zod)/g),
    ].flatMap(([, names = '', library]) =>
      library === '@mantine'
        ? names.split(',').map((name) => `component ${name.trim()}`)
        : [`library ${library}`],
    )
  const reachedFrom = (start: string) => {
    const seen = new Set([start])
    for (const id of seen) {
      for (const next of infoOf(id)?.importedIds ?? []) if (ours.test(next)) seen.add(next)
      if (ours.test(id)) for (const component of componentsOf(id)) seen.add(component)
      for (const next of infoOf(id)?.dynamicallyImportedIds ?? []) if (wordsOfOne.test(next)) seen.add(next)
    }
    return seen
  }
  const sizes = new Map<string, number>()
  const sizeOf = (id: string) => {
    let size = sizes.get(id)
    if (size === undefined) {
      if (id.startsWith('component')) size = costOfComponent
      else if (id.startsWith('library')) size = costOfLibrary
      else if (wordsOfOne.test(id)) size = readFileSync(id).length * compressed + costOfFile
      else if (id.endsWith('.css')) size = readFileSync(id).length * compressed
      else size = (infoOf(id)?.code?.length ?? 0) * compressed
      sizes.set(id, size)
    }
    return size
  }

  const roots = modules.filter(isLoadedAlone)
  const reach = new Map(roots.map((root) => [root, reachedFrom(root)]))
  const views = roots.flatMap((root): View[] => {
    const tables = (infoOf(root)?.dynamicImporters ?? []).flatMap((by) => table.exec(by)?.[1] ?? [])
    if (tables.length === 0)
      return [{ weight: weightOfDialog, costOfFile, needs: reach.get(root) ?? new Set() }]
    return [...new Set(tables)].map((audience) => {
      // By its place in the sources alone: the folder of the whole may have any name.
      const frame = new RegExp(
        `[\\\\/](?:${audience}\\.html|layout-${audience}\\.tsx|${audience}[\\\\/]layout\\.tsx)$`,
      )
      const around = roots.filter((one) => frame.test(one))
      return {
        weight: weightOf(audience, root),
        costOfFile: audience === 'family' ? costOfFamilyFile : costOfFile,
        needs: new Set([root, ...around].flatMap((one) => [...(reach.get(one) ?? [])])),
      }
    })
  })

  // As the build would cut them: a part for each set of pages and dialogs.
  const parts = new Map<string, Part>()
  const partOf = new Map<string, Part>()
  for (const id of modules) {
    const by = roots.flatMap((root, index) => (reach.get(root)?.has(id) ? [index] : []))
    const isWords = areLateWords(id)
    const isCut = isWords ? wordsOfOne.test(id) : by.length > 1 && ours.test(id) && !isOnlyLoadedAlone(id)
    if (!isCut) continue
    const key = `${isWords ? 'words' : ''} ${by.join()}`
    const part = parts.get(key) ?? {
      modules: [],
      views: new Set(views.filter((view) => view.needs.has(id))),
      needs: new Set<string>(),
      imports: new Set<Part>(),
      isWords,
    }
    part.modules.push(id)
    part.needs = part.needs.union(reachedFrom(id))
    parts.set(key, part)
    partOf.set(id, part)
  }
  for (const [id, part] of partOf)
    for (const next of infoOf(id)?.importedIds ?? []) {
      const other = partOf.get(next)
      if (other && other !== part) part.imports.add(other)
    }
  return merge([...parts.values()], views, sizeOf)
}

function merge(parts: Part[], views: View[], sizeOf: (id: string) => number): Part[] {
  /** By part and view: what the view downloads for nothing with this part. */
  const wasted = new Map<Part, Map<View, number>>()
  const wasteOf = (part: Part) => {
    const known = wasted.get(part)
    if (known) return known
    const needs = [...part.needs]
    const made = new Map(
      views.map((view) => [
        view,
        view.weight * needs.reduce((sum, id) => (view.needs.has(id) ? sum : sum + sizeOf(id)), 0),
      ]),
    )
    wasted.set(part, made)
    return made
  }
  const gains = new Map<Part, Map<Part, number>>()
  const gainOf = (a: Part, b: Part) => {
    const of = gains.get(a) ?? new Map<Part, number>()
    gains.set(a, of)
    const known = of.get(b)
    if (known !== undefined) return known
    const saved = filesOf(a) + filesOf(b) - filesOf(a, b)
    let gain = 0
    for (const view of a.views)
      gain += b.views.has(view) ? view.weight * view.costOfFile * saved : -(wasteOf(b).get(view) ?? 0)
    for (const view of b.views) if (!a.views.has(view)) gain -= wasteOf(a).get(view) ?? 0
    of.set(b, gain)
    return gain
  }
  let left = parts
  for (;;) {
    let best: [Part, Part] | undefined
    let most = 0
    for (const [index, a] of left.entries())
      for (const b of left.slice(index + 1))
        if (a.isWords === b.isWords && gainOf(a, b) > most && !waitsFor(a, b) && !waitsFor(b, a)) {
          best = [a, b]
          most = gainOf(a, b)
        }
    if (!best) return left
    const [a, b] = best
    const merged: Part = {
      modules: [...a.modules, ...b.modules],
      views: a.views.union(b.views),
      needs: a.needs.union(b.needs),
      imports: a.imports.union(b.imports).difference(new Set(best)),
      isWords: a.isWords,
    }
    left = left.filter((part) => part !== a && part !== b)
    for (const part of left) {
      const imported = part.imports.delete(a)
      if (part.imports.delete(b) || imported) part.imports.add(merged)
    }
    left.push(merged)
  }
}

/** One for the scripts and one for the styles. */
const filesOf = (...parts: Part[]): number =>
  new Set(parts.flatMap(({ modules }) => modules.map((id) => id.endsWith('.css')))).size

/** Whether a imports b by way of a third part: merged, they and it would each have to come first. */
function waitsFor(a: Part, b: Part): boolean {
  const seen = new Set(a.imports)
  seen.delete(b)
  for (const part of seen) {
    if (part === b) return true
    for (const next of part.imports) seen.add(next)
  }
  return false
}

const modules = new Set<string>()
let names: Map<string, string> | undefined

export const groups = [
  /** With what the build adds to every page */
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|vite[\\/]preload-helper/ },
  { name: 'router', test: /node_modules[\\/](?:@tanstack|use-sync-external-store)[\\/]/ },
  /** What forms are checked by: not for a page that has none before its first dialog */
  {
    name: 'schemas',
    includeDependenciesRecursively: false,
    test: /node_modules[\\/]zod[\\/]|[\\/]contract[\\/]src[\\/](?:fields|persons|accounts[\\/]schemas)\.ts$/,
  },
  {
    debugName: 'shared',
    includeDependenciesRecursively: false,
    test: (id: string) => modules.add(id).has(id),
    name: (id: string, graph: unknown) => {
      names ??= new Map(
        mergedParts([...modules], graph as Graph).flatMap((part, index) => {
          // Words in a file of their own stay there by their own name: those of several are kept apart by names, too.
          if (part.isWords && part.modules.length === 1) return []
          const name = part.isWords ? `words-en-${index}` : `shared-${index}`
          return part.modules.map((one) => [one, name] as const)
        }),
      )
      const name = names.get(id)
      if (name) return name
      // Other languages are cut as English is.
      const [, language = ''] = words.exec(id) ?? []
      const english = names.get(id.replace(`words/${language}/`, 'words/en/'))
      return english?.replace('en', language) ?? null
    },
  },
]
