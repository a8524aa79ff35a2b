import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newToken } from './secrets.ts'

export interface SocialSettings {
  clientId: string
  clientSecret: string
  /** OpenID issuer (Google) or base address (Facebook) */
  address: string
}

export interface Settings {
  production: boolean
  port: number
  host: string
  dataDir: string
  /** Where backups are written */
  backupDir: string
  databaseUrl: string | undefined
  /** Where people reach the portal, without a slash at the end */
  publicUrl: string
  smtpUrl: string | undefined
  mailFrom: { name: string; address: string }
  secret: string
  trustProxy: string[]
  google: SocialSettings | undefined
  facebook: SocialSettings | undefined
  demo: boolean
  /** Who reads /metrics brings it; absent: nobody does in production */
  metricsToken: string | undefined
}

/** A setting that can't be used; its message is the one line that the start prints. */
export class SettingError extends Error {}

type Env = Readonly<Record<string, string | undefined>>

function address(name: string, value: string, protocols: string[]): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !protocols.includes(url.protocol)) {
    throw new SettingError(
      `${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
  }
  return value.replace(/\/+$/, '')
}

function port(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535)
    throw new SettingError(`PORT must be a number from 0 to 65535, not "${value}"`)
  return number
}

function flag(name: string, value: string | undefined, otherwise: boolean): boolean {
  if (value === undefined || value === '') return otherwise
  if (['1', 'true', 'on', 'yes'].includes(value.toLowerCase())) return true
  if (['0', 'false', 'off', 'no'].includes(value.toLowerCase())) return false
  throw new SettingError(`${name} must be on or off, not "${value}"`)
}

function mailFrom(value: string): { name: string; address: string } {
  const found = /^(?:([^<>"]*?)\s*<)?([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>?$/.exec(value.trim())
  if (!found?.[2]) throw new SettingError('MAIL_FROM must be an address like "Podium <no-reply@example.org>"')
  return { name: found[1] ?? '', address: found[2] }
}

function social(
  env: Env,
  name: 'GOOGLE' | 'FACEBOOK',
  addressName: string,
  usual: string,
): SocialSettings | undefined {
  const clientId = env[`${name}_CLIENT_ID`]
  const clientSecret = env[`${name}_CLIENT_SECRET`]
  if (!clientId && !clientSecret) return undefined
  if (!clientId || !clientSecret)
    throw new SettingError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET belong together; one is missing`)
  return {
    clientId,
    clientSecret,
    address: address(addressName, env[addressName] || usual, ['https:', 'http:']),
  }
}

const shortestSecret = 32

/** The secret of an installation that has none set: made once and kept in the data folder. Production must bring its own. */
function secret(env: Env, production: boolean, dataDir: string): string {
  const given = env.SECRET
  if (given) {
    if (given.length < shortestSecret)
      throw new SettingError('SECRET is too short: use at least 32 random characters')
    return given
  }
  if (production)
    throw new SettingError('SECRET is missing: set it to at least 32 random characters and keep it')
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, newToken(), { mode: 0o600 })
  }
  // Restored from a backup, it may have become readable for everybody on this machine.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const kept = readFileSync(file, 'utf8').trim()
  // Broken off while it was written: keys made from nothing could be made by anybody.
  if (kept.length < shortestSecret)
    throw new SettingError(
      `The secret in ${file} is too short: put back the one of a backup, or delete the file to get a new one`,
    )
  return kept
}

function metricsToken(value: string | undefined): string | undefined {
  if (!value) return undefined
  if (value.length < 16 || /\s/.test(value))
    throw new SettingError('METRICS_TOKEN must be at least 16 characters without blanks')
  return value
}

/**
 * The settings of one installation, from its environment (see README for each). Throws a SettingError whose message
 * names the setting, what is wrong with it and what it should be.
 */
export function readSettings(env: Env): Settings {
  const production = env.NODE_ENV === 'production'
  const dataDir = resolve(env.DATA_DIR || './data')
  const host = env.HOST || '127.0.0.1'
  const chosenPort = port(env.PORT || '3000')
  const demo = flag('DEMO', env.DEMO, !production)
  if (production && demo)
    throw new SettingError('DEMO must be off with NODE_ENV=production: the demo world has known passwords')
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return {
    production,
    port: chosenPort,
    host,
    dataDir,
    backupDir: resolve(env.BACKUP_DIR || join(dataDir, 'backups')),
    databaseUrl: env.DATABASE_URL
      ? address('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:'])
      : undefined,
    publicUrl: address('PUBLIC_URL', env.PUBLIC_URL || `http://${shownHost}:${chosenPort}`, [
      'https:',
      'http:',
    ]),
    smtpUrl: env.SMTP_URL ? address('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']) : undefined,
    mailFrom: mailFrom(env.MAIL_FROM || 'Podium <no-reply@podium.example>'),
    secret: secret(env, production, dataDir),
    trustProxy: (env.TRUST_PROXY ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    google: social(env, 'GOOGLE', 'GOOGLE_ISSUER', 'https://accounts.google.com'),
    facebook: social(env, 'FACEBOOK', 'FACEBOOK_BASE_URL', 'https://graph.facebook.com'),
    demo,
    metricsToken: metricsToken(env.METRICS_TOKEN),
  }
}
