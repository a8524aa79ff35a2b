import { readFileSync } from 'node:fs'

/**
 * Decides which modules share a file. On its own the build makes one for each set of modules needed by the same pages
 * and dialogs: 67 for the dashboard, most below 2 kB. A browser downloads six at a time, and on a slow line each costs
 * a third of a second (docs/decisions/0016). So sets are merged, two at a time, as long as the saved files outweigh
 * what some pages then download in vain. `npm test -- bytes` checks the result against the budgets.
 */

/** What the build knows about a module. */
interface Graph {
  getModuleInfo(
    id: string,
  ): {
    isEntry: boolean
    importedIds: string[]
    dynamicallyImportedIds: string[]
    importers: string[]
    dynamicImporters: string[]
    code: string | null
  } | null
}

/** Something a browser opens: a page with its entry and layout, or a dialog. */
interface View {
  weight: number
  needs: Set<string>
}

/** Modules that go into one file, and the views that would download them in vain if they needed only part of it. */
interface Part {
  modules: string[]
  views: Set<View>
  needs: Set<string>
  imports: Set<Part>
  isWords: boolean
}

/** Compressed bytes that a file counts as, and the size of a source byte after build. */
const costOfFile = 3000
const compressed = 0.27
/** A Mantine component with its dependencies; the router or the schemas. */
const costOfComponent = 2500
const costOfLibrary = 25_000

const ours = /[\\/](?:web[\\/](?:src|words)|contract[\\/]src)[\\/].*\.(?:tsx?|css|json)$/
/** Words in the reader's language: English stands for all languages. */
const wordsOfOne = /[\\/]words[\\/]en[\\/]|\.en\.json$/
/** Words of pages and dialogs, with one file per language; error messages are loaded later. */
const words = /[\\/]words[\\/](\w+)[\\/](?!refusals\.)([\w-]+)\.json$/
/** The server's sentences, which a page in another language than English needs at once */
const ofServer = /^(?:messages|sentences|transport)$/
const firstPages = /[\\/](?:dashboard-page|login|students-page|overview[\\/]page)\.tsx$/
/** The grid, the import page and the teacher's questions have almost used up their budget. */
const tools = /[\\/](?:students[\\/](?:import|grid)|questions)[\\/]page\.tsx$/
/** Only the table of pages: anything a page imports lazily is a dialog. */
const table = /[\\/]web[\\/]src[\\/]pages[\\/](\w+)[\\/]\w+\.tsx$/

/** First pages count more than others, tools a little more. */
const weightOf = (audience: string, page: string) => {
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
  // Libraries are counted by imported names: their index file imports everything, most of which the build drops.
  const componentsOf = (id: string) =>
    [
      ...(infoOf(id)?.code ?? '').matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](@mantine|@tanstack|zod)/g),
    ].flatMap(([, names = '', library]) =>
      library === '@mantine'
        ? names.split(',').map((name) => `component ${name.trim()}`)
        : [`library ${library}`],
    )
  const reachedFrom = (start: string) => {
    const visited = new Set([start])
    for (const id of visited) {
      for (const next of infoOf(id)?.importedIds ?? []) if (ours.test(next)) visited.add(next)
      if (ours.test(id)) for (const component of componentsOf(id)) visited.add(component)
      for (const next of infoOf(id)?.dynamicallyImportedIds ?? [])
        if (wordsOfOne.test(next)) visited.add(next)
    }
    return visited
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
    if (tables.length === 0) return [{ weight: weightOfDialog, needs: reach.get(root) ?? new Set() }]
    return [...new Set(tables)].map((audience) => {
      // By its path within the sources only: the checkout may be in any folder.
      const frame = new RegExp(
        `[\\\\/](?:${audience}\\.html|layout-${audience}\\.tsx|${audience}[\\\\/]layout\\.tsx)$`,
      )
      const around = roots.filter((file) => frame.test(file))
      return {
        weight: weightOf(audience, root),
        needs: new Set([root, ...around].flatMap((id) => [...(reach.get(id) ?? [])])),
      }
    })
  })

  // As the build would split them: a part for each set of pages and dialogs.
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
      const nextPart = partOf.get(next)
      if (nextPart && nextPart !== part) part.imports.add(nextPart)
    }
  return merge([...parts.values()], views, sizeOf)
}

function merge(parts: Part[], views: View[], sizeOf: (id: string) => number): Part[] {
  /** By part and view: the bytes of the part that the view downloads in vain. */
  const wasted = new Map<Part, Map<View, number>>()
  const wasteOf = (part: Part) => {
    const cached = wasted.get(part)
    if (cached) return cached
    const needs = [...part.needs]
    const waste = new Map(
      views.map((view) => [
        view,
        view.weight * needs.reduce((sum, id) => (view.needs.has(id) ? sum : sum + sizeOf(id)), 0),
      ]),
    )
    wasted.set(part, waste)
    return waste
  }
  const gains = new Map<Part, Map<Part, number>>()
  const gainOf = (a: Part, b: Part) => {
    const of = gains.get(a) ?? new Map<Part, number>()
    gains.set(a, of)
    const cached = of.get(b)
    if (cached !== undefined) return cached
    const saved = filesOf(a) + filesOf(b) - filesOf(a, b)
    let gain = 0
    for (const view of a.views)
      gain += b.views.has(view) ? view.weight * costOfFile * saved : -(wasteOf(b).get(view) ?? 0)
    for (const view of b.views) if (!a.views.has(view)) gain -= wasteOf(a).get(view) ?? 0
    of.set(b, gain)
    return gain
  }
  let remaining = parts
  for (;;) {
    let best: [Part, Part] | undefined
    let bestSaving = 0
    for (const [index, a] of remaining.entries())
      for (const b of remaining.slice(index + 1))
        if (a.isWords === b.isWords && gainOf(a, b) > bestSaving && !waitsFor(a, b) && !waitsFor(b, a)) {
          best = [a, b]
          bestSaving = gainOf(a, b)
        }
    if (!best) return remaining
    const [a, b] = best
    const merged: Part = {
      modules: [...a.modules, ...b.modules],
      views: a.views.union(b.views),
      needs: a.needs.union(b.needs),
      imports: a.imports.union(b.imports).difference(new Set(best)),
      isWords: a.isWords,
    }
    remaining = remaining.filter((part) => part !== a && part !== b)
    for (const part of remaining) {
      const imported = part.imports.delete(a)
      if (part.imports.delete(b) || imported) part.imports.add(merged)
    }
    remaining.push(merged)
  }
}

/** One for scripts and one for styles. */
const filesOf = (...parts: Part[]): number =>
  new Set(parts.flatMap(({ modules }) => modules.map((id) => id.endsWith('.css')))).size

/** Whether a imports b through a third part: merged, the two and the third would each have to come first. */
function waitsFor(a: Part, b: Part): boolean {
  const visited = new Set(a.imports)
  visited.delete(b)
  for (const part of visited) {
    if (part === b) return true
    for (const next of part.imports) visited.add(next)
  }
  return false
}

const modules = new Set<string>()
let names: Map<string, string> | undefined

/** Schemas for forms: not for a page that has no form before its first dialog */
const schemas = {
  name: 'schemas',
  includeDependenciesRecursively: false,
  test: /node_modules[\\/]zod[\\/]|[\\/]contract[\\/]src[\\/](?:fields|persons|accounts[\\/]schemas)\.ts$/,
}

export const groups = [
  /** Includes what the build adds to every page */
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|vite[\\/]preload-helper/ },
  { name: 'router', test: /node_modules[\\/](?:@tanstack|use-sync-external-store)[\\/]/ },
  schemas,
  {
    debugName: 'shared',
    includeDependenciesRecursively: false,
    test: (id: string) => modules.add(id).has(id),
    name: (id: string, graph: unknown) => {
      const [, language = '', file = ''] = words.exec(id) ?? []
      if (ofServer.test(file)) return `words-${language}-server`
      names ??= new Map(
        mergedParts([...modules], graph as Graph).flatMap((part, index) => {
          // A catalogue alone in its file keeps its name; files with several need distinct names, too.
          if (part.isWords && part.modules.length === 1) return []
          const name = part.isWords ? `words-en-${index}` : `shared-${index}`
          return part.modules.map((id) => [id, name] as const)
        }),
      )
      const name = names.get(id)
      if (name) return name
      // Other languages are split like English.
      const english = names.get(id.replace(`words/${language}/`, 'words/en/'))
      return english?.replace('en', language) ?? null
    },
  },
]

/** Words that most first views of families need; those for the code are only needed by one. */
const firstWords = /^(?:kit|families-public-results)$/

/**
 * Families' pages are few and small: what most of them need comes with their entry, including all that it imports, and
 * what they need later in another file.
 */
export const familyGroups = [
  schemas,
  {
    name: 'family',
    test: /family\.html$|[\\/]language[\\/](?:words|ordinal)\.ts$|[\\/]ui[\\/](?:button|field)\.tsx$|[\\/]contract[\\/]src[\\/](?:season|results[\\/]calls-public)\.ts$/,
  },
  {
    name: 'later',
    includeDependenciesRecursively: false,
    test: /[\\/]ui[\\/](?:note|error-state|text-field)\.|[\\/]shell[\\/]download\.ts$/,
  },
  {
    debugName: 'words',
    test: words,
    name: (id: string) => {
      const [, language = '', file = ''] = words.exec(id) ?? []
      return firstWords.test(file) || ofServer.test(file) ? `words-${language}` : null
    },
  },
]
