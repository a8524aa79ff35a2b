import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { groups } from './chunks.ts'
import { usedContract } from './used-contract.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles only the values of the server's English sentences; else a Hindi page would load half the contract. */
const dataAlone: Plugin = {
  name: 'data-alone',
  transform: {
    filter: { id: /[\\/]language[\\/]english(?:-refusals)?\.ts$/ },
    handler: async (_code, id) =>
      `export default ${JSON.stringify((await import(pathToFileURL(id).href)).default)}`,
  },
}

/** GALLERY=1 builds the page with all of the kit's components into its own folder; it never ships. */
const gallery = process.env.GALLERY === '1'

export default defineConfig({
  root: here('.'),
  plugins: [react(), usedContract, dataAlone],
  // Words as one object: named exports for each key are longer.
  json: { namedExports: false },
  build: {
    outDir: here(gallery ? 'node_modules/.gallery' : 'dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The security policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A family's page lists its scripts in its HTML (scripts/preload.ts), so its entry need not.
      resolveDependencies: (_file, parts, { hostId }) =>
        /\/family-[\w-]{8}\.js$/.test(hostId) ? parts.filter((part) => part.endsWith('.css')) : parts,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      input: gallery
        ? { gallery: here('gallery.html') }
        : {
            gate: here('gate.html'),
            school: here('school.html'),
            office: here('office.html'),
            family: here('family.html'),
          },
      output: {
        codeSplitting: { groups },
        // Makes Chrome compile a file's functions while it downloads, not one by one when they are called.
        postBanner: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('.json') ? '' : '//# allFunctionsCalledOnLoad',
      },
    },
  },
})
