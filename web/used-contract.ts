import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ESTree, Plugin } from 'vite'

/** Calls whose body schema is used by a form: `saveView.body` */
const bodiesOfForms = new Set(
  globSync(join(import.meta.dirname, 'src/**/*.{ts,tsx}')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(\w+)\.body\b/g)].map(([, call]) => call),
  ),
)

interface Edit {
  start: number
  end: number
  text: string
}

/** Applies edits from the end, so that earlier positions stay valid. */
const edited = (code: string, edits: Edit[]) =>
  edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code)

/** Removes imports and declarations that are unused in a file, and what only they used. */
function withoutUnused(code: string, parse: (code: string) => ESTree.Program['body']): string {
  const unused = parse(code).flatMap((statement): Edit[] => {
    const names =
      statement.type === 'ImportDeclaration'
        ? statement.specifiers.map(({ local }) => local.name)
        : statement.type === 'VariableDeclaration'
          ? statement.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
          : ['']
    const rest = code.slice(0, statement.start) + code.slice(statement.end)
    return names.some((name) => new RegExp(`\\b${name}\\b`).test(rest))
      ? []
      : [{ start: statement.start, end: statement.end, text: '' }]
  })
  return unused.length > 0 ? withoutUnused(edited(code, unused), parse) : code
}

/**
 * Drops from the contract what the web doesn't use (docs/decisions/0074). Only the server validates a call's input and
 * output, except where a form uses a body's schema: the other schemas are dropped, then the imports only they needed.
 * Declarations in the contract have no side effects, so the build may drop them.
 */
export const usedContract: Plugin = {
  name: 'used-contract',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /[\\/]contract[\\/]src[\\/].*\.ts$/ },
    handler(code) {
      const edits: Edit[] = []
      for (const statement of this.parse(code).body) {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        for (const { id, init } of declared?.type === 'VariableDeclaration' ? declared.declarations : []) {
          if (
            id.type !== 'Identifier' ||
            (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression')
          )
            continue
          edits.push({ start: init.start, end: init.start, text: '/*#__PURE__*/(() => (' })
          edits.push({ start: init.end, end: init.end, text: '))()' })
          const isCall = init.type === 'CallExpression' && code.startsWith('endpoint(', init.start)
          const [call, declaration] = isCall ? init.arguments : []
          if (call?.type !== 'Literal' || declaration?.type !== 'ObjectExpression') continue
          // The web needs only what the call declares beside its schemas.
          const [method, path] = String(call.value).split(' ')
          const text = `({method:'${method}',path:'${path}',`
          edits.push({ start: init.start, end: declaration.start + 1, text })
          const fields = declaration.properties
          for (const [index, field] of fields.entries()) {
            if (field.type !== 'Property' || field.key.type !== 'Identifier') continue
            const { name } = field.key
            if (
              ['query', 'answer', 'summary'].includes(name) ||
              (name === 'body' && !bodiesOfForms.has(id.name))
            )
              edits.push({ start: field.start, end: fields[index + 1]?.start ?? field.end, text: '' })
          }
        }
      }
      return withoutUnused(edited(code, edits), (text) => this.parse(text).body)
    },
  },
}
