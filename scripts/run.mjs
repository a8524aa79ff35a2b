// node scripts/run.mjs start [arguments] | dev | test [parts] | backup | restore | migrate | check | owner | version | exec
// FILE [arguments]: sets up what is missing (see prepare.mjs), then runs the command with the pinned Node. The scripts
// of package.json use `exec node`, so that a signal to npm reaches this program and is not held by the shell between
// them.
import { runFollowing } from './child.mjs'
import { environment, node, prepare, root, SetUpError, say } from './prepare.mjs'

const server = 'server/src/main.ts'
const programs = { start: [server], dev: ['scripts/dev.ts'], test: ['scripts/test.ts'] }
// Each with --help (server/src/console.ts)
for (const name of ['backup', 'restore', 'migrate', 'check', 'owner', 'version'])
  programs[name] = [server, name]

async function main([command, ...rest]) {
  const [program, ...args] = command === 'exec' ? rest : [...(programs[command] ?? []), ...rest]
  if (program === undefined || (command !== 'exec' && programs[command] === undefined)) {
    say(
      'usage: node scripts/run.mjs start | dev | test [parts] | backup | restore | migrate | check | owner | version (each with --help) | exec FILE [arguments]',
    )
    return 2
  }
  const stop = () => process.exit(130)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  await prepare()
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const options = { cwd: root, env: environment() }
  if (command === 'start') {
    const built = await runFollowing(node, ['scripts/build-web.ts'], options)
    if (built !== 0) return built
  }
  const drain = command === 'start' ? (Number(process.env.DRAIN_SECONDS) || 0) * 1_000 : 0
  return runFollowing(node, [program, ...args], { ...options, drain })
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    say(error instanceof SetUpError ? error.message : String(error.stack))
    process.exit(1)
  },
)
