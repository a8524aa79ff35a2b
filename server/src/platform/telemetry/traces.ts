import { tracingChannel } from 'node:diagnostics_channel'

/**
 * The message of a tracing channel. Nobody subscribes unless traces are enabled (traces-export.ts); then it costs
 * nothing.
 */
export interface ChannelMessage {
  /** Set if the operation failed */
  error?: unknown
}

/** SQL statements; their text holds no values. */
export const statementsRun = tracingChannel<ChannelMessage & { text: string }, unknown>('podium.statement')
/** Background jobs, by kind. */
export const jobsRun = tracingChannel<ChannelMessage & { kind: string }, unknown>('podium.job')
