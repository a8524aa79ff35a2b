import { tracingChannel } from 'node:diagnostics_channel'

/** What is told of work while it runs. Nobody listens unless traces are asked for (traces-export.ts), and then it costs nothing. */
export interface Told {
  /** Set where it failed */
  error?: unknown
}

/** Statements that the database is asked; their text holds no value. */
export const statementsRun = tracingChannel<Told & { text: string }, unknown>('podium.statement')
/** Long work, by its kind. */
export const jobsRun = tracingChannel<Told & { kind: string }, unknown>('podium.job')
