import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newToken } from './auth/secrets.ts'
import { isLoopback, isProxy } from './http/source.ts'

/** A setting that can't be used; its message is the single line printed at startup. */
export class SettingError extends Error {}

/** The settings that are secret: each may be in a file instead, named by `NAME_FILE` (Docker, Kubernetes, systemd). */
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

type Env = Readonly<Record<string, string | undefined>>
type ReadSetting = (name: string) => string | undefined

/** Reads settings from an environment and the files it names. Throws a SettingError for a file that can't be read. */
function settingReader(env: Env): ReadSetting {
  const inFile = (name: string) => (settingsOfFiles as readonly string[]).includes(name)
  return (name) => {
    const path = inFile(name) ? env[`${name}_FILE`] : undefined
    if (!path) return env[name]
    if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: keep one of them`)
    return readContent(`${name}_FILE`, path)
  }
}

function readContent(name: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new SettingError(`${name} names ${path}, which can't be read${code}`)
  }
  // Editors end the last line with a line end, which is not part of the secret.
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new SettingError(`${name} names ${path}, which is empty`)
  return value
}

const shortestSecret = 32
const fewestLetters = 10
const howToMake = 'use at least 32 random characters, such as those of `openssl rand -base64 33`'

/** Returns the secret; if none is set, generates one and stores it in the data folder. Production must set its own. */
function secretOf(given: string | undefined, production: boolean, dataDir: string, makes: boolean): string {
  if (given) {
    if (given.length < shortestSecret) throw new SettingError(`SECRET is too short: ${howToMake}`)
    if (isGuessable(given)) throw new SettingError(`SECRET is easy to guess: ${howToMake}`)
    return given
  }
  if (production)
    throw new SettingError('SECRET is missing: set it to at least 32 random characters and keep it')
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) {
    if (!makes)
      throw new SettingError(
        `SECRET is missing: set it to the one that the backup was made with. An installation without the setting has it in the file secret of its DATA_DIR; put that file into ${dataDir}`,
      )
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, newToken(), { mode: 0o600 })
  }
  // A restore from a backup may have made it readable for everyone on this machine.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const stored = readFileSync(file, 'utf8').trim()
  // The write was interrupted. Keys derived from nothing could be derived by anyone.
  if (stored.length < shortestSecret)
    throw new SettingError(
      `The secret in ${file} is too short: put back the one of a backup, or delete the file to get a new one`,
    )
  return stored
}

/** Returns the installation's previous secret. It may be weak: that may be why it was changed. */
function previousSecret(given: string | undefined, secret: string): string | undefined {
  if (!given) return undefined
  if (given === secret)
    throw new SettingError('SECRET_PREVIOUS is the same as SECRET: set SECRET to a new one, or take it away')
  return given
}

/** Too few different characters, one part repeated, or mostly neighbours in the alphabet. */
function isGuessable(secret: string): boolean {
  const letters = [...secret]
  if (new Set(letters).size < fewestLetters) return true
  const repeats = (part: number) => secret.startsWith(secret.slice(part))
  for (let part = 1; part <= secret.length / 2; part++) if (repeats(part)) return true
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0)
  const neighbours = codes.filter((code, index) => index > 0 && Math.abs(code - (codes[index - 1] ?? 0)) <= 1)
  return neighbours.length > letters.length / 2
}

export interface SocialSettings {
  clientId: string
  clientSecret: string
  /** OpenID issuer (Google) or base address (Facebook) */
  address: string
}

/** A bucket of an S3-compatible store. */
export interface S3Place {
  bucket: string
  /** Prefix of each object name, without a trailing slash; may be empty */
  prefix: string
  region: string
  /** Address of the store; absent: Amazon's */
  endpoint: string | undefined
  /** Absent: the machine's own credentials (a role) */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
}

export interface Settings {
  production: boolean
  port: number
  host: string
  /** How long a stopping portal keeps serving while it reports that it is not ready */
  drainSeconds: number
  dataDir: string
  /** Folder of the contents of uploaded files */
  filesDir: string
  /** The bucket to use instead of that folder */
  filesBucket: S3Place | undefined
  /** Folder of the backups */
  backupDir: string
  /** The bucket to use instead of that folder */
  backupBucket: S3Place | undefined
  databaseUrl: string | undefined
  /**
   * The same database with a role that may change its tables: for `migrate` and `restore`; the portal doesn't need it
   */
  databaseMigrateUrl: string | undefined
  /** A standby of that database, for reads that tolerate a delay of seconds */
  databaseReadUrl: string | undefined
  /** Connections to PostgreSQL */
  databasePool: number
  /** The mode of a pooler in front of PostgreSQL that reassigns connections after each transaction */
  databasePooler: 'transaction' | undefined
  /** The portal's public address, without a trailing slash */
  publicUrl: string
  smtpUrl: string | undefined
  mailFrom: { name: string; address: string }
  secret: string
  /** The previous secret, while stored data still depends on it */
  secretPrevious: string | undefined
  trustProxy: string[]
  google: SocialSettings | undefined
  facebook: SocialSettings | undefined
  demo: boolean
  logLevel: string
  /** The trace collector's address, without a trailing slash; absent: no traces */
  tracesTo: string | undefined
  /** Required to read /metrics; absent: /metrics is closed in production */
  metricsToken: string | undefined
  /** Required to report bounced mails; absent: bounces can't be reported */
  mailBounceSecret: string | undefined
}

function address(name: string, value: string, protocols: string[]): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url && protocols.some((protocol) => value.startsWith(`${protocol}//`)))
    throw new SettingError(
      `${name} can't be read: are there characters in its password to be written as %…, such as %23 for #?`,
    )
  if (!url || !protocols.includes(url.protocol)) {
    throw new SettingError(
      `${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
  }
  return value.replace(/\/+$/, '')
}

function readOptionalAddress(setting: ReadSetting, name: string, protocols: string[]): string | undefined {
  const value = setting(name)
  return value ? address(name, value, protocols) : undefined
}

function readUrl(setting: ReadSetting): string | undefined {
  const url = readOptionalAddress(setting, 'DATABASE_READ_URL', ['postgres:', 'postgresql:'])
  if (url && !setting('DATABASE_URL'))
    throw new SettingError('DATABASE_READ_URL names a standby of DATABASE_URL, which is missing')
  return url
}

/**
 * Returns the portal's public address. In production, session cookies and sign-in links must not cross a network
 * unencrypted.
 */
function checkPublicAddress(value: string, production: boolean): string {
  const url = address('PUBLIC_URL', value, ['https:', 'http:'])
  const { protocol, hostname, pathname, search, hash } = new URL(url)
  if (pathname !== '/' || search || hash)
    throw new SettingError(
      'PUBLIC_URL must end with the host or its port: the portal has no other place there',
    )
  if (production && protocol === 'http:' && !isLoopback(hostname))
    throw new SettingError('PUBLIC_URL must begin with https: where NODE_ENV=production')
  return url
}

function parsePort(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535)
    throw new SettingError(`PORT must be a number from 0 to 65535, not "${value}"`)
  return number
}

function parseSeconds(name: string, value: string | undefined, limit: number): number {
  const number = Number(value || 0)
  if (!/^\d*$/.test(value ?? '') || number > limit)
    throw new SettingError(`${name} must be a whole number of seconds from 0 to ${limit}, not "${value}"`)
  return number
}

function migrateAddress(setting: ReadSetting): string | undefined {
  const url = readOptionalAddress(setting, 'DATABASE_MIGRATE_URL', ['postgres:', 'postgresql:'])
  if (url !== undefined && !setting('DATABASE_URL'))
    throw new SettingError('DATABASE_MIGRATE_URL belongs to DATABASE_URL, which is missing')
  return url
}

/** At least two: while one migrates, the other holds this instance's advisory lock. */
function parsePoolSize(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 2 || number > 500)
    throw new SettingError(`DATABASE_POOL must be a number from 2 to 500, not "${value}"`)
  return number
}

function parsePooler(value: string | undefined): 'transaction' | undefined {
  if (!value) return undefined
  if (value !== 'transaction')
    throw new SettingError(
      `DATABASE_POOLER must be "transaction" or left out, which also suits a pooler in session mode; not "${value}"`,
    )
  return value
}

function parseFlag(name: string, value: string | undefined, otherwise: boolean): boolean {
  if (value === undefined || value === '') return otherwise
  if (['1', 'true', 'on', 'yes'].includes(value.toLowerCase())) return true
  if (['0', 'false', 'off', 'no'].includes(value.toLowerCase())) return false
  throw new SettingError(`${name} must be on or off, not "${value}"`)
}

function parseMailFrom(value: string): { name: string; address: string } {
  const match = /^(?:([^<>"]*?)\s*<)?([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>?$/.exec(value.trim())
  if (!match?.[2]) throw new SettingError('MAIL_FROM must be an address like "Podium <no-reply@example.org>"')
  return { name: match[1] ?? '', address: match[2] }
}

function parseProxies(value: string): string[] {
  const proxies = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const wrong = proxies.find((proxy) => !isProxy(proxy))
  if (wrong === undefined) return proxies
  throw new SettingError(`TRUST_PROXY must be addresses or networks such as 10.0.0.0/8, not "${wrong}"`)
}

function readSocialSettings(
  setting: ReadSetting,
  name: 'GOOGLE' | 'FACEBOOK',
  addressName: string,
  usual: string,
): SocialSettings | undefined {
  const clientId = setting(`${name}_CLIENT_ID`)
  const clientSecret = setting(`${name}_CLIENT_SECRET`)
  if (!clientId && !clientSecret) return undefined
  if (!clientId || !clientSecret)
    throw new SettingError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET belong together; one is missing`)
  return {
    clientId,
    clientSecret,
    address: address(addressName, setting(addressName) || usual, ['https:', 'http:']),
  }
}

/** Returns the folder of a `file:` address; undefined if none is set, or if it is a bucket. */
function folderOf(name: string, value: string | undefined): string | undefined {
  if (!value || value.startsWith('s3:')) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'file:' || url.host !== '' || !value.startsWith('file:///'))
    throw new SettingError(
      `${name} must be the address of a folder that begins with file:///, or of a bucket: s3://…`,
    )
  return resolve(fileURLToPath(url))
}

function readBackupDir(setting: ReadSetting, dataDir: string): string {
  const [url, path] = [setting('BACKUP_URL'), setting('BACKUP_DIR')]
  if (url && path) throw new SettingError('BACKUP_URL and BACKUP_DIR name one thing: set one of them')
  return folderOf('BACKUP_URL', url) ?? resolve(path || join(dataDir, 'backups'))
}

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…` and adds the keys from the environment; undefined if the setting
 * names no bucket.
 */
function readBucket(setting: ReadSetting, name: string): S3Place | undefined {
  const accessKeyId = setting('AWS_ACCESS_KEY_ID')
  const secretAccessKey = setting('AWS_SECRET_ACCESS_KEY')
  const value = setting(name)
  if (!value?.startsWith('s3:')) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const endpoint = url?.searchParams.get('endpoint') ?? undefined
  const unknown = [...(url?.searchParams.keys() ?? [])].some((key) => key !== 'endpoint' && key !== 'region')
  if (url?.protocol !== 's3:' || !url.hostname || url.username || unknown)
    throw new SettingError(`${name} must look like s3://bucket/prefix?endpoint=https://…&region=…`)
  if (endpoint !== undefined) address(`endpoint of ${name}`, endpoint, ['https:', 'http:'])
  if (!accessKeyId !== !secretAccessKey)
    throw new SettingError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together; one is missing')
  return {
    bucket: url.hostname,
    prefix: decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, ''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    keys: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug']

function logLevel(value: string): string {
  if (!logLevels.includes(value))
    throw new SettingError(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${value}"`)
  return value
}

function checkToken(name: string, value: string | undefined): string | undefined {
  if (!value) return undefined
  if (value.length < 16 || /\s/.test(value))
    throw new SettingError(`${name} must be at least 16 characters without blanks`)
  return value
}

/**
 * Reads the settings of one installation from its environment (README lists them). Throws a SettingError that names the
 * setting, what is wrong with it and what it should be.
 */
export function readSettings(env: Env, { makesSecret = true } = {}): Settings {
  const setting = settingReader(env)
  const production = setting('NODE_ENV') === 'production'
  const dataDir = resolve(setting('DATA_DIR') || './data')
  const host = setting('HOST') || '127.0.0.1'
  const chosenPort = parsePort(setting('PORT') || '3000')
  const demo = parseFlag('DEMO', setting('DEMO'), !production)
  if (production && demo)
    throw new SettingError('DEMO must be off with NODE_ENV=production: the demo world has known passwords')
  const secret = secretOf(setting('SECRET'), production, dataDir, makesSecret)
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return {
    production,
    port: chosenPort,
    host,
    drainSeconds: parseSeconds('DRAIN_SECONDS', setting('DRAIN_SECONDS'), 600),
    dataDir,
    filesDir: folderOf('FILES_URL', setting('FILES_URL')) ?? join(dataDir, 'files'),
    filesBucket: readBucket(setting, 'FILES_URL'),
    backupDir: readBackupDir(setting, dataDir),
    backupBucket: readBucket(setting, 'BACKUP_URL'),
    databaseUrl: readOptionalAddress(setting, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseMigrateUrl: migrateAddress(setting),
    databaseReadUrl: readUrl(setting),
    databasePool: parsePoolSize(setting('DATABASE_POOL') || '10'),
    databasePooler: parsePooler(setting('DATABASE_POOLER')),
    publicUrl: checkPublicAddress(setting('PUBLIC_URL') || `http://${shownHost}:${chosenPort}`, production),
    smtpUrl: readOptionalAddress(setting, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: parseMailFrom(setting('MAIL_FROM') || 'Podium <no-reply@podium.example>'),
    secret,
    secretPrevious: previousSecret(setting('SECRET_PREVIOUS'), secret),
    trustProxy: parseProxies(setting('TRUST_PROXY') ?? ''),
    google: readSocialSettings(setting, 'GOOGLE', 'GOOGLE_ISSUER', 'https://accounts.google.com'),
    facebook: readSocialSettings(setting, 'FACEBOOK', 'FACEBOOK_BASE_URL', 'https://graph.facebook.com'),
    demo,
    logLevel: logLevel(setting('LOG_LEVEL') || (production ? 'info' : 'warn')),
    tracesTo: readOptionalAddress(setting, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['https:', 'http:']),
    metricsToken: checkToken('METRICS_TOKEN', setting('METRICS_TOKEN')),
    mailBounceSecret: checkToken('MAIL_BOUNCE_SECRET', setting('MAIL_BOUNCE_SECRET')),
  }
}
