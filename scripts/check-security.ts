import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { titlesOf } from './check-specification.ts'

/**
 * The requirements of levels 1 and 2 of OWASP ASVS 5.0.0 (May 2025), by section: 70 of level 1, 183 of level 2. Those
 * only of level 3 are left out.
 */
const sections: Readonly<Record<string, string>> = {
  '1.1': '1 2',
  '1.2': '1 2 3 4 5 6 7 8 9',
  '1.3': '1 2 3 4 5 6 7 8 9 10 11',
  '1.4': '1 2 3',
  '1.5': '1 2',
  '2.1': '1 2 3',
  '2.2': '1 2 3',
  '2.3': '1 2 3 4',
  '2.4': '1',
  '3.2': '1 2',
  '3.3': '1 2 3 4',
  '3.4': '1 2 3 4 5 6',
  '3.5': '1 2 3 4 5',
  '3.7': '1 2',
  '4.1': '1 2 3',
  '4.2': '1',
  '4.3': '1 2',
  '4.4': '1 2 3 4',
  '5.1': '1',
  '5.2': '1 2 3',
  '5.3': '1 2',
  '5.4': '1 2 3',
  '6.1': '1 2 3',
  '6.2': '1 2 3 4 5 6 7 8 9 10 11 12',
  '6.3': '1 2 3 4',
  '6.4': '1 2 3 4',
  '6.5': '1 2 3 4 5',
  '6.6': '1 2 3',
  '6.8': '1 2 3 4',
  '7.1': '1 2 3',
  '7.2': '1 2 3 4',
  '7.3': '1 2',
  '7.4': '1 2 3 4 5',
  '7.5': '1 2',
  '7.6': '1 2',
  '8.1': '1 2',
  '8.2': '1 2 3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1 2 3',
  '9.2': '1 2 3 4',
  '10.1': '1 2',
  '10.2': '1 2',
  '10.3': '1 2 3 4',
  '10.4': '1 2 3 4 5 6 7 8 9 10 11',
  '10.5': '1 2 3 4 5',
  '10.6': '1 2',
  '10.7': '1 2 3',
  '11.1': '1 2',
  '11.2': '1 2 3',
  '11.3': '1 2 3',
  '11.4': '1 2 3 4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1 2 3',
  '12.2': '1 2',
  '12.3': '1 2 3 4',
  '13.1': '1',
  '13.2': '1 2 3 4 5',
  '13.3': '1 2',
  '13.4': '1 2 3 4 5',
  '14.1': '1 2',
  '14.2': '1 2 3 4',
  '14.3': '1 2 3',
  '15.1': '1 2 3',
  '15.2': '1 2 3',
  '15.3': '1 2 3 4 5 6 7',
  '16.1': '1',
  '16.2': '1 2 3 4 5',
  '16.3': '1 2 3 4',
  '16.4': '1 2 3',
  '16.5': '1 2 3',
  '17.1': '1',
  '17.2': '1 2 3 4',
  '17.3': '1 2',
}

/** Their numbers, such as `V1.1.1`, in order. */
export const asvs: readonly string[] = Object.entries(sections).flatMap(([section, numbers]) =>
  numbers.split(' ').map((number) => `V${section}.${number}`),
)

/**
 * Checks docs/security.md against the standard and the repository (every requirement and threat has a row, every row
 * names existing code and an existing test or says why not), and the source against that document's promises.
 */

const filePattern = /`([\w@./$-]+\.(?:ts|tsx|mjs|md|json|yaml|sql|service)|ops\/\w+|Dockerfile|\.npmrc)`/g
const testPattern = /`([^`]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g
const without = /^(?:not used|not yet|not as asked|the operator's|written)\b[^:]*: \S/

/** Returns what is wrong with the cells «where» and «shown by» of a row. */
function checkCells(root: string, name: string, where: string, shown: string): string[] {
  const files = [...`${where} ${shown}`.matchAll(filePattern)].map(([, file = '']) => file)
  const absent = files.filter((file) => !existsSync(join(root, file)))
  if (absent.length > 0) return absent.map((file) => `${name}: there is no ${file}`)
  if (where !== 'nowhere' && !filePattern.test(where)) return [`${name}: «where» names no file`]
  filePattern.lastIndex = 0
  const named = [...shown.matchAll(testPattern)].flatMap(([, file = '', list = '']) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  )
  if (named.length === 0 && !without.test(shown))
    return [`${name}: no test shows it; name one, or say «not yet: …»`]
  return named
    .filter(({ file, title }) => !titlesOf(readFileSync(join(root, file), 'utf8')).has(title))
    .map(({ file, title }) => `${name}: ${file} has no test "${title}"`)
}

/**
 * Returns one sentence for each row that is missing, duplicated, has an empty cell or names something that does not
 * exist.
 */
export function checkSecurityDocument(root: string, text: string): string[] {
  const rows = text
    .split('\n')
    .filter((line) => /^\| (?:V\d|T\d)/.test(line))
    .map((line) => line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim()))
  const expected = new Map<string, number>([
    ...asvs.map((id) => [id, 5] as const),
    ...Array.from({ length: 46 }, (_, index) => [`T${index + 1}`, 4] as const),
  ])
  const names = rows.map(([name = '']) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...[...expected.keys()].filter((name) => !names.includes(name)).map((name) => `${name} has no row`),
    ...names
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is no requirement of level 1 or 2, nor a threat`),
    ...twice.map((name) => `${name} has two rows`),
    ...rows.flatMap((cells) => {
      const name = cells[0] ?? ''
      if (cells.length !== expected.get(name)) return [`${name} has ${cells.length} cells`]
      if (cells.includes('')) return [`${name} has an empty cell`]
      const shown = cells.at(-1) ?? ''
      if (name.startsWith('T') && without.test(shown)) return [`${name}: a threat is answered by a test`]
      return checkCells(root, name, cells.at(-2) ?? '', shown)
    }),
  ]
}

interface Rule {
  pattern: RegExp
  /** Exempt files, each with the reason */
  but: Readonly<Record<string, string>>
  label: string
}

const rules: readonly Rule[] = [
  {
    pattern:
      /\b(?:eval|Function)\(|from 'node:vm'|\b(?:inner|outer)HTML\b|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write\b/,
    but: {},
    label: 'runs text as code, or takes it for markup',
  },
  {
    pattern: /from 'node:child_process'/,
    but: {
      'server/src/platform/db/embedded.ts': 'the embedded database',
      'server/src/platform/db/embedded-folder.ts':
        'makes the embedded database, and asks whom root starts it as',
      'server/src/platform/files/sandbox.ts': 'looks at sent files',
      'server/src/platform/sheets/spreadsheet.ts': 'reads spreadsheets',
    },
    label: 'starts programs',
  },
  {
    pattern:
      /(?<![.\w])fetch\(|from 'node:(?:https?|http2|dgram|tls)'|from 'openid-client'|from 'nodemailer'|'@aws-sdk\//,
    but: {
      'server/src/platform/http/edge.ts': 'the names of statuses',
      'server/src/platform/mail/mail.ts': 'the mail server',
      'server/src/platform/files/stores.ts': 'the stores of files and backups',
      'server/src/platform/auth/social.ts': 'Google and Facebook',
      'web/src/shell/call.ts': 'the one fetch of the web',
      'web/src/shell/connection.tsx': 'whether the portal is back',
    },
    label: 'calls other machines',
  },
  {
    pattern: /createHash\('(?!sha256'|sha512')|createCipheriv\('(?!aes-256-gcm')|Math\.random\(/,
    but: {},
    label: 'uses a hash, a cipher or chance that is not ours',
  },
  {
    pattern: /\bnew RegExp\(/,
    but: {
      'server/src/platform/http/pages.ts': 'addresses of the build',
      'server/src/platform/mail/mail-folder.ts': 'names of heads',
      'web/src/features/catalogue/data.ts': 'names of lists',
      'web/src/shell/language/lookup.ts': 'sentences of ours',
    },
    label: 'makes a regular expression of a text',
  },
]

/** What a statement may be assembled from, besides parameters: by file, with the reason. */
const sqlOfText: Readonly<Record<string, string>> = {
  'server/src/features/privacy/retention/commands.ts': 'names of tables, from a list of its own',
  'server/src/features/catalogue/queries.ts': 'kinds of books, from the contract',
  'server/src/features/students/entry/queries.ts': 'columns, from a list of its own',
  'server/src/features/students/entry/commands-write.ts': 'aliases and types, from its callers',
  'server/src/features/results/ranking/commands-ranks.ts': 'whole numbers of the rules',
  'server/src/features/results/ranking/commands.ts': 'an index',
  'server/src/features/results/queries.ts': 'columns, from a list of its own',
  'server/src/features/office/secret-rotation/commands.ts': 'a type, by the table',
  'server/src/features/payments/waivers/queries.ts': 'columns, from its own statement',
}
const escaped = /searchWords\(|containing\(|foldName\(|codeLetters\(/

/** Returns one sentence for each breach in a source file. */
export function checkSource(path: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
  const breaches = rules
    .filter(({ pattern, but }) => pattern.test(code) && !Object.hasOwn(but, path))
    .map(({ label }) => `${path} ${label}: keep to what is listed in scripts/check-security.ts`)
  if (!path.startsWith('server/')) return breaches
  if (/sql\.raw\((?:[^'"`)]|`[^`]*\$\{)/.test(code) && !Object.hasOwn(sqlOfText, path))
    breaches.push(`${path} puts a statement together of text: use parameters`)
  if (/\blike \$\{/.test(code) && !escaped.test(code))
    breaches.push(`${path} searches with signs of LIKE that are not escaped`)
  return breaches
}

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; link?: boolean; resolved?: string }>
}

/** Returns one sentence for each dependency without an exact version or a hash. */
export function checkLock(manifests: Record<string, string>, lock: string): string[] {
  const loose = Object.entries(manifests).flatMap(([file, text]) => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(text)
    return Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !/^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|\*)$/.test(version))
      .map(([name, version]) => `${file}: ${name} has no exact version (${version})`)
  })
  const { packages }: Lock = JSON.parse(lock)
  const unheld = Object.entries(packages)
    .filter(([place, { integrity, link }]) => place.includes('node_modules/') && !link && !integrity)
    .map(([place]) => `package-lock.json: ${place} has no hash`)
  return [...loose, ...unheld]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const sources = globSync(['server/src/**/*.{ts,mjs}', 'web/src/**/*.{ts,tsx}', 'contract/src/**/*.ts'], {
    cwd: root,
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('.test.') && !path.endsWith('/test-browser.ts'))
    .sort()
  const manifests = ['package.json', 'contract/package.json', 'server/package.json', 'web/package.json']
  const breaches = [
    ...checkSecurityDocument(root, read('docs/security.md')),
    ...sources.flatMap((path) => checkSource(path, read(path))),
    ...checkLock(Object.fromEntries(manifests.map((file) => [file, read(file)])), read('package-lock.json')),
    ...(/^ignore-scripts=true$/m.test(read('.npmrc')) ? [] : ['.npmrc lets packages run scripts']),
  ]
  for (const breach of breaches) console.log(breach)
  console.log(`${asvs.length} requirements, 46 threats, ${sources.length} files: ${breaches.length} breaches`)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
