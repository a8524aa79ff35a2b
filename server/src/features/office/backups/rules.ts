const hour = 3_600_000
const day = 24 * hour

/** How many days a backup is kept: what was erased has left the last of them after that. */
export const backupDays = 35

/** After so long without a backup the office is warned. */
const backupLateAfter = 36 * hour

export function backupIsLate(now: Date, last: Date | undefined): boolean {
  return last === undefined || now.getTime() - last.getTime() > backupLateAfter
}

const istOffset = 5.5 * hour

/** The next time that it is so late in India, in the quiet of the night. */
export function nextNight(now: Date, hours: number, minutes: number): Date {
  const midnight = Math.floor((now.getTime() + istOffset) / day) * day - istOffset
  const today = midnight + hours * hour + minutes * 60_000
  return new Date(today > now.getTime() ? today : today + day)
}

export const retentionJob = 'retention'
export const backupJob = 'backup'
/** The same by themselves; one of each waits for its night. */
export const nightlyRetention = 'retention.night'
export const nightlyBackup = 'backup.night'
