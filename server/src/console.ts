import { parseArgs } from 'node:util'
import { readSettings, type Settings } from '#platform/settings'

// Loaded only when a command runs, so that usage errors are reported at once.
const backups = () => import('./backups.ts')
const work = () => import('./console-commands.ts')

type Env = Readonly<Record<string, string | undefined>>

/** Runs a command; resolves to the exit code. */
type Work = (env: Env) => Promise<number>

interface Command {
  /** One line for each way to call it: the words after `npm run`, and what it does */
  usage: ReadonlyArray<readonly [call: string, what: string]>
  options?: Record<string, { type: 'boolean' } | { type: 'string' }>
  /** Undefined if the words don't fit. */
  plan(words: readonly string[], options: Options): Work | undefined
}

interface Options {
  check?: boolean
  replaces?: string
  new?: string
}

const withSettings =
  (act: (settings: Settings) => Promise<number>): Work =>
  (env) =>
    act(readSettings(env))

const withSecret =
  (act: (settings: Settings) => Promise<number>): Work =>
  (env) =>
    act(readSettings(env, { makesSecret: false }))

const commands: Readonly<Record<string, Command>> = {
  backup: {
    usage: [['backup [-- FOLDER]', 'writes a backup into FOLDER, else where BACKUP_URL says']],
    plan: ([folder, ...more]) =>
      more.length === 0
        ? withSettings(async (settings) => (await backups()).backup(settings, folder))
        : undefined,
  },
  restore: {
    usage: [
      [
        'restore -- FILE',
        '(or the name of a backup where they are) into the empty database and data folder of the settings',
      ],
      [
        'restore -- FILE --check',
        'into a database of its own that is thrown away: proves that the backup restores',
      ],
      [
        'restore -- FILE --replaces DATABASE',
        'the one that is given up (postgres://… or a data folder): who was erased there is erased',
      ],
    ],
    options: { check: { type: 'boolean' }, replaces: { type: 'string' } },
    plan([file, ...more], { check, replaces }) {
      if (file === undefined || more.length > 0) return undefined
      // A secret generated now could not decrypt any backup.
      return withSecret(async (settings) => {
        const { restore, tryRestore } = await backups()
        return check ? tryRestore(settings, file, replaces) : restore(settings, file, replaces)
      })
    },
  },
  migrate: {
    usage: [['migrate', 'brings the database to this version, and ends']],
    plan: (words) =>
      words.length === 0
        ? withSettings(async (settings) => (await work()).applyMigrations(settings))
        : undefined,
  },
  check: {
    usage: [
      [
        'check',
        'looks at settings, database, folders, mail server and clock: one line each, 1 if one is wrong',
      ],
    ],
    plan: (words) =>
      words.length === 0 ? async (env) => (await import('./console-check.ts')).check(env) : undefined,
  },
  owner: {
    usage: [
      ['owner -- invite MAIL', 'prints and mails a link with which this owner sets a new password, once'],
      ['owner -- invite MAIL --new NAME', 'makes a new owner of that name, and prints and mails the link'],
      [
        'owner -- reset-second-factor MAIL',
        'takes the second factor of this owner back: a new one is set up at the next sign-in',
      ],
    ],
    options: { new: { type: 'string' } },
    plan([what, mail, ...more], { new: name }) {
      if (mail === undefined || more.length > 0) return undefined
      if (what === 'invite')
        return withSettings(async (settings) => (await work()).inviteOwner(settings, mail, name))
      if (what === 'reset-second-factor' && name === undefined)
        return withSettings(async (settings) => (await work()).resetOwner(settings, mail))
      return undefined
    },
  },
  version: {
    usage: [['version', 'prints the version of Podium, its newest migration and Node']],
    plan: (words) => (words.length === 0 ? async () => (await work()).version() : undefined),
  },
}

function usageOf(those: readonly Command[]): string {
  const lines = those.flatMap(({ usage }) => usage)
  const width = Math.max(...lines.map(([call]) => call.length)) + 3
  return lines.map(([call, what]) => `npm run ${call.padEnd(width)}${what}`).join('\n')
}

const overview = () =>
  `npm start runs the portal; all its settings are environment variables (README). Beside it:
${usageOf(Object.values(commands))}
Exit codes: 0 done, 1 failed, 2 not called like this, 3 restored, with something left to look at.`

const isHelp = (word: string) => word === '--help' || word === '-h' || word === 'help'

/** Runs a command other than the start. Returns the exit code. */
export async function runConsole(env: Env, name: string, words: readonly string[]): Promise<number> {
  if (isHelp(name)) {
    console.log(overview())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.error(`There is no command ${name}.\n${overview()}`)
    return 2
  }
  const parsed = readWords(command, words)
  if (typeof parsed !== 'string' && parsed.options.help === true) {
    console.log(usageOf([command]))
    return 0
  }
  const planned = typeof parsed === 'string' ? undefined : command.plan(parsed.words, parsed.options)
  if (planned) return planned(env)
  if (typeof parsed === 'string') console.error(parsed)
  console.error(usageOf([command]))
  return 2
}

/** Parses a command's words and options; returns the error message if they are invalid. */
function readWords(command: Command, words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    const options: Options & { help?: boolean } = values
    return { options, words: positionals }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
