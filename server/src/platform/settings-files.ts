import { readFileSync } from 'node:fs'
import { SettingError } from './setting-error.ts'

/** The settings that are secret: each may stand in a file instead, which `NAME_FILE` names (Docker, Kubernetes, systemd). */
export const settingsOfFiles = [
  'SECRET',
  'SECRET_PREVIOUS',
  'DATABASE_URL',
  'DATABASE_MIGRATE_URL',
  'DATABASE_READ_URL',
  'SMTP_URL',
  'METRICS_TOKEN',
  'MAIL_BOUNCE_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'GOOGLE_CLIENT_SECRET',
  'FACEBOOK_CLIENT_SECRET',
] as const

export type Env = Readonly<Record<string, string | undefined>>
export type ReadSetting = (name: string) => string | undefined

/** Reads settings of an environment, and of the files that it names. Throws a SettingError for one that can't be read. */
export function settingReader(env: Env): ReadSetting {
  const inFile = (name: string) => (settingsOfFiles as readonly string[]).includes(name)
  return (name) => {
    const path = inFile(name) ? env[`${name}_FILE`] : undefined
    if (!path) return env[name]
    if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: keep one of them`)
    return contentOf(`${name}_FILE`, path)
  }
}

function contentOf(name: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new SettingError(`${name} names ${path}, which can't be read${code}`)
  }
  // An editor ends the last line; the line end is no part of the secret.
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new SettingError(`${name} names ${path}, which is empty`)
  return value
}
