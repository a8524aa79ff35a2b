/** A setting that can't be used; its message is the one line that the start prints. */
export class SettingError extends Error {}
