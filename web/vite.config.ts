import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { groups } from './chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** GALLERY=1 builds the page that shows every part of the kit, into a folder of its own; it never ships. */
const gallery = process.env.GALLERY === '1'

/**
 * Leaves out of the contract what a page doesn't use. The server alone checks queries and answers: each call loses these
 * checks, and what nothing else needs goes with them. Whatever a file of the contract declares has no effect but its value.
 */
const usedContract: Plugin = {
  name: 'used-contract',
  enforce: 'post',
  transform: {
    filter: { id: /[\\/]contract[\\/]src[\\/].*\.ts$/ },
    handler(code) {
      const edits: { start: number; end: number; text: string }[] = []
      for (const said of this.parse(code).body) {
        const declared = said.type === 'ExportNamedDeclaration' ? said.declaration : said
        for (const { init } of declared?.type === 'VariableDeclaration' ? declared.declarations : []) {
          if (init?.type !== 'CallExpression') continue
          edits.push({ start: init.start, end: init.start, text: '/*#__PURE__*/(() => ' })
          const [call] = code.startsWith('endpoint(', init.start) ? init.arguments : []
          for (const field of call?.type === 'ObjectExpression' ? call.properties : [])
            if (field.type === 'Property' && /^(query|answer|summary):/.test(code.slice(field.start)))
              edits.push({ start: field.value.start, end: field.value.end, text: 'undefined' })
          edits.push({ start: init.end, end: init.end, text: ')()' })
        }
      }
      const changed = edits.toReversed()
      return changed.reduce(
        (text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end),
        code,
      )
    },
  },
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), usedContract],
  // Words as one object: with a name for each key they are longer.
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
      // A family's page names the scripts of its parts in its HTML (scripts/preload.ts): its entry need not, too.
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
      output: { codeSplitting: { groups } },
    },
  },
})
