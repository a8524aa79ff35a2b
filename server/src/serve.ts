import { SettingError, type Settings } from '#platform/settings'
import { createLogger } from '#platform/telemetry/logger'
import { announceStop } from '#platform/telemetry/metrics'
import { isDemo, seedDemo, signIns } from '../seed/demo.ts'
import { offerSetUp } from './features/staff/commands.ts'
import { type RunningServer, startServer } from './start.ts'

/** Runs the portal until a signal: settings → database → app → listen. */
export async function serve(settings: Settings): Promise<void> {
  const log = createLogger(settings.logLevel)
  const running = await startServer({
    settings,
    log,
    nights: !settings.demo,
    ...(settings.demo && { fill: (deps) => seedDemo(deps, (line) => console.log(line)) }),
    onFatal: (error) => {
      console.error(error.message)
      process.exit(1)
    },
  })
  stopOnSignals(running, settings.drainSeconds)
  await listen(running, settings)
  console.log(`Podium is at ${settings.publicUrl}`)
  if (settings.demo && (await isDemo(running.deps.db))) {
    console.log(signIns(settings.publicUrl))
    const loopback = ['127.0.0.1', 'localhost', '::1'].includes(settings.host)
    if (!loopback)
      console.log('Everybody who reaches this address can sign in with these. Set DEMO=off for real data.')
  }
  const setUpLink = await offerSetUp(running.deps, new Date())
  if (setUpLink !== undefined)
    console.log(`Make the first owner of the office here, within a day: ${setUpLink}`)
}

/** Why it can't listen, as one line for the operator. */
const cannotListen: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: () => 'PORT is in use by another program; stop that one or set another PORT',
  EACCES: ({ port }) =>
    `PORT ${port} needs rights that the portal lacks: set one from 1024, with a proxy in front`,
  EADDRNOTAVAIL: ({ host }) => `HOST is no address of this machine: ${host}`,
  ENOTFOUND: ({ host }) => `HOST is no address of this machine: ${host}`,
  EAI_AGAIN: ({ host }) => `HOST is no address of this machine: ${host}`,
}

async function listen({ app }: RunningServer, settings: Settings): Promise<void> {
  try {
    await app.listen({ port: settings.port, host: settings.host })
  } catch (thrown) {
    const line = thrown instanceof Error && 'code' in thrown && cannotListen[String(thrown.code)]
    throw line ? new SettingError(line(settings), { cause: thrown }) : thrown
  }
}

/**
 * Stops on signals. The first one starts the drain: the portal reports that it is not ready, but serves. The end of the
 * drain or a second signal stops the portal; further signals change nothing.
 */
function stopOnSignals(running: RunningServer, drainSeconds: number): void {
  let state: 'running' | 'draining' | 'stopping' = 'running'
  const stop = () => {
    if (state === 'stopping') return
    state = 'stopping'
    const overdue = setTimeout(() => process.exit(1), 10_000)
    overdue.unref()
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        running.deps.log.error({ err: error }, 'stop')
        process.exit(1)
      },
    )
  }
  const onSignal = () => {
    if (state !== 'running' || drainSeconds === 0) return stop()
    state = 'draining'
    announceStop(running.app)
    setTimeout(stop, drainSeconds * 1000)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
