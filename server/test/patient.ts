/** Two minutes for what takes milliseconds: a machine that stalls for a while must not fail tests. */
export const patient = {
  acquireTimeout: 120_000,
  idleInTransaction: 120_000,
  limits: { statement: 120_000, lock: 120_000 },
}

export function failLoudly(error: Error): void {
  throw error
}
