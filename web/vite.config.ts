import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { familyGroups, groups } from './chunks.ts'
import { usedContract } from './used-contract.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles only the values of the server's English sentences; else a Hindi page would load half the contract. */
const dataAlone: Plugin = {
  name: 'data-alone',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]language[\\/]english(?:-refusals)?\.ts$/ },
    handler: async (_code, id) =>
      `export default ${JSON.stringify((await import(pathToFileURL(id).href)).default)}`,
  },
}

const entries = (...names: string[]) => Object.fromEntries(names.map((name) => [name, here(`${name}.html`)]))

export default defineConfig({
  root: here('.'),
  plugins: [react(), usedContract, dataAlone],
  // Words as one object: named exports for each key are longer.
  json: { namedExports: false },
  build: {
    outDir: here('dist'),
    target: 'es2022',
    // The first that know :has(); light-dark() is written out for them.
    cssTarget: ['chrome105', 'safari15.4', 'firefox121'],
    // The security policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // A file that is loaded anyway is not imported on demand as well: such a wait is for nothing.
      onwarn: (warning, warn) => {
        if (warning.code === 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(warning.message)
        warn(warning)
      },
      output: {
        // Makes Chrome compile a file's functions while it downloads, not one by one when they are called.
        postBanner: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('.json') ? '' : '//# allFunctionsCalledOnLoad',
      },
    },
  },
  // Two builds into one folder: families never open a page of the others (docs/decisions/0077).
  builder: {},
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: entries('gate', 'school', 'office'),
          output: { codeSplitting: { groups } },
        },
      },
    },
    family: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        manifest: '.vite/family.json',
        modulePreload: {
          polyfill: false,
          // A page lists its scripts in its HTML (scripts/preload.ts), so they need not list each other's.
          resolveDependencies: (_file, parts, { hostType }) =>
            hostType === 'html' ? parts : parts.filter((part) => part.endsWith('.css')),
        },
        rolldownOptions: { input: entries('family'), output: { codeSplitting: { groups: familyGroups } } },
      },
    },
  },
})
