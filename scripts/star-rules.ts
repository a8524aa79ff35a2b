/**
 * Columns are listed, never `*` of a table. A migration that adds a column would change what a statement answers while
 * instances run it, and one that drops a column nobody uses would have users all the same.
 */
export function starsOf(path: string, text: string, tables: ReadonlySet<string>): string[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const found = [...text.matchAll(/\.(?:selectAll|returningAll)\(/g)].map(
    ({ index, 0: call }) => `${path}:${lineAt(index)} ${call.slice(1)}): list the columns that are read`,
  )
  for (const { index, template } of templatesOf(text)) {
    const outer = outermost(template)
    for (const star of outer.matchAll(everything)) {
      const table = star[1] === undefined ? sourceOf(outer, star.index) : aliased(outer, star[1])
      if (table !== undefined && tables.has(table))
        found.push(
          `${path}:${lineAt(index + star.index)} takes all columns of ${table}: list those that are read`,
        )
    }
  }
  return found
}

/**
 * The templates of a text, each with blanks where another value is put in: a template in there is one of its own. A
 * backtick in a comment or in a pattern ends up as part of a template that holds no statement.
 */
function templatesOf(text: string): { index: number; template: string }[] {
  const found: { index: number; template: string }[] = []
  const open: { index: number; template: string; braces: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const [letter = '', inner] = [text[at], open.at(-1)]
    const within = inner !== undefined && inner.braces === 0
    if (letter === '`' && within) {
      open.pop()
      found.push({ index: inner.index, template: `${inner.template}\`` })
      const outer = open.at(-1)
      if (outer) outer.template += text.slice(inner.index, at + 1).replaceAll(/[^\n]/g, ' ')
      continue
    }
    if (letter === '`') {
      open.push({ index: at, template: letter, braces: 0 })
      continue
    }
    if (!inner) continue
    const begins = within && letter === '$' && text[at + 1] === '{'
    inner.template += within && !begins ? letter : letter === '\n' ? letter : ' '
    if (begins) {
      inner.braces = 1
      inner.template += ' '
      at++
    } else if (!within) inner.braces += letter === '{' ? 1 : letter === '}' ? -1 : 0
  }
  return found
}

/** A star that multiplies or counts stands after a value, or in parentheses. */
const everything = /(?:\b(?:select|distinct|returning)|,)\s+(?:(\w+)\.)?\*(?=[\s,`]|$)/gi

/** What a statement answers stands outside all parentheses; blanks take the place of what is inside, so that lines stay. */
function outermost(template: string): string {
  let depth = 0
  return [...template]
    .map((letter) => {
      if (letter === ')') depth--
      const kept = depth <= 0 || letter === '\n' ? letter : ' '
      if (letter === '(') depth++
      return kept
    })
    .join('')
}

/** The table that a bare `*` at this place is of. */
function sourceOf(outer: string, at: number): string | undefined {
  const after = /^[^;]*?\*\s*from\s+(\w+)(?!\s*\()/i.exec(outer.slice(at))
  if (after) return after[1]
  return [...outer.slice(0, at).matchAll(/\b(?:into|update|delete\s+from)\s+(\w+)/gi)].at(-1)?.[1]
}

const aliased = (outer: string, alias: string) =>
  new RegExp(`\\b(?:from|join|into|update)\\s+(\\w+)\\s+(?:as\\s+)?${alias}\\b`, 'i').exec(outer)?.[1] ??
  (new RegExp(`\\b(?:from|join|into|update)\\s+${alias}\\b`, 'i').test(outer) ? alias : undefined)
