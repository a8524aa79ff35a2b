/**
 * Which modules share a file, of those that most pages need. By itself the build makes a file of each set of modules that
 * the same pages, dialogs and languages use: 82 for the dashboard, most of them below 2 kB. A browser downloads six at a
 * time, and on a slow line each costs a third of a second (docs/decisions/0016). A group holds only what all pages of its
 * bundles need, so that none downloads more; `npm test -- bytes` would show it. The first group that fits takes a module.
 */

/** Of libraries, by the names of their packages. */
const ofPackages = (...names: string[]) => new RegExp(`node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

/** Of our own, by their paths without the ending. */
const ofModules = (...paths: string[]) => {
  const written = paths.map((path) => path.replaceAll('/', '[\\\\/]')).join('|')
  return new RegExp(`[\\\\/](?:${written})\\.tsx?$`)
}

const anyOf =
  (...tests: RegExp[]) =>
  (id: string) =>
    tests.some((test) => test.test(id))

const own = { includeDependenciesRecursively: false }

export const groups = [
  /** All pages, those of families among them, which load nothing else of the portal */
  { name: 'react', test: ofPackages('react', 'react-dom', 'scheduler') },
  {
    name: 'start',
    test: ofModules(
      'web/src/shell/(?:start|logo|call)',
      'web/src/shell/language/(?:language|words)',
      'web/src/ui/(?:portal|icon|part)',
    ),
  },
  /** Pages of the portal, also those before the sign-in */
  { ...own, name: 'shared', test: ofModules('web/src/shell/(?:paths|offline|lost-parts|request-bar)') },
  /** Pages that check what is typed by the contract's schemas */
  {
    ...own,
    name: 'calls',
    test: anyOf(
      ofPackages('zod'),
      ofModules('contract/src/(?:endpoint|fields|messages|accounts/schemas|envelope)'),
    ),
  },
  /** The frame of pages behind a sign-in. Its styles are for nothing else: not for the office's sign-in or a page that isn't there */
  {
    ...own,
    name: 'frame',
    test: ofModules(
      'web/src/shell/(?:frame|look|season-select|side-menu|use-shortcuts|user-button|user-face)',
    ),
  },
  /** Pages behind a sign-in: router, queries, lists */
  {
    ...own,
    name: 'portal',
    test: anyOf(
      ofPackages('@tanstack', 'use-sync-external-store'),
      ofModules(
        'web/src/shell/(?:filters|guard|load-problem|query|router|season|sign-out)',
        'web/src/ui/(?:panel|pager|data-table|data-table-head|data-table-body)',
      ),
    ),
  },
]
