import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** A stored mail, as the demo's mail page shows it. */
export interface StoredMail {
  /** The file's name, also used in its address on the page. */
  id: string
  at: Date
  to: string
  subject: string
  text: string
  /** https and http links in the text, in order. */
  links: string[]
  attachments: { filename: string; mediaType: string; content: Buffer }[]
}

const folderOf = (dataDir: string) => join(dataDir, 'mail')
const idPattern = /^\d{8}T\d{9}Z-[a-z0-9-]{1,80}\.eml$/

/** Returns the file name of a mail, made of its time and key, so that a repeated delivery replaces the first. */
export function mailFile(mail: { key: string; createdAt: Date }): string {
  const time = mail.createdAt.toISOString().replace(/[-:.]/g, '')
  const readable = mail.key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  const hash = createHash('sha256').update(mail.key).digest('hex').slice(0, 12)
  return `${time}-${readable}-${hash}.eml`
}

/** Writes a mail to a file, completely or not at all. */
export async function writeMailFile(
  dataDir: string,
  mail: { key: string; createdAt: Date },
  bytes: Buffer,
): Promise<void> {
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = mailFile(mail)
  const temporary = join(folder, `.${name}.${process.pid}`)
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, join(folder, name))
}

/** Lists stored mails, newest first, at most `limit`. */
export async function listMails(dataDir: string, limit = 100): Promise<StoredMail[]> {
  const names = await readdir(folderOf(dataDir)).catch(() => [])
  const newest = names
    .filter((name) => idPattern.test(name))
    .sort()
    .reverse()
    .slice(0, limit)
  const mails = await Promise.all(newest.map((name) => readMail(dataDir, name)))
  return mails.filter((mail) => mail !== undefined)
}

/** Returns a stored mail by its id; undefined if there is none. */
export async function readMail(dataDir: string, id: string): Promise<StoredMail | undefined> {
  if (!idPattern.test(id)) return undefined
  const source = await readFile(join(folderOf(dataDir), id), 'utf8').catch(() => undefined)
  if (source === undefined) return undefined
  const [head, body] = splitMessage(source)
  const parts = bodyParts(head, body)
  const text =
    parts
      .find((part) => part.type === 'text/plain' && part.filename === undefined)
      ?.content.toString('utf8') ?? ''
  return {
    id,
    at: new Date(id.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z')),
    to: decodeWords(field(head, 'to')),
    subject: decodeWords(field(head, 'subject')),
    text: text.trimEnd(),
    links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    attachments: parts.flatMap((part) =>
      part.filename === undefined
        ? []
        : [{ filename: part.filename, mediaType: part.type, content: part.content }],
    ),
  }
}

// The rest parses mails that this product itself composes, and no more of MIME than they use.

interface Leaf {
  type: string
  filename: string | undefined
  content: Buffer
}

function splitMessage(source: string): [head: string, body: string] {
  const text = source.replaceAll('\r\n', '\n')
  const end = text.indexOf('\n\n')
  // A folded line continues after a blank.
  return [text.slice(0, end).replace(/\n[ \t]+/g, ' '), text.slice(end + 2)]
}

function field(head: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head)?.[1] ?? ''
}

function bodyParts(head: string, body: string): Leaf[] {
  const type = field(head, 'content-type')
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary !== undefined) {
    const parts = `\n${body}`.split(`\n--${boundary}`).slice(1, -1)
    return parts.flatMap((part) => bodyParts(...splitMessage(part.replace(/^\n/, ''))))
  }
  const encoding = field(head, 'content-transfer-encoding').toLowerCase()
  const content =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? unquote(body)
        : Buffer.from(body)
  return [
    {
      type: type.split(';')[0]?.trim().toLowerCase() || 'text/plain',
      filename: filenameOf(field(head, 'content-disposition')),
      content,
    },
  ]
}

/** A long or Hindi name is percent-encoded in numbered parts, `filename*0*=utf-8''%E0…` (RFC 2231). */
function filenameOf(disposition: string): string | undefined {
  const pieces = [...disposition.matchAll(/filename\*(?:\d+\*?)?=(?:utf-8'')?"?([^";\s]+)"?/gi)]
  if (pieces.length > 0) return decodeURIComponent(pieces.map((piece) => piece[1]).join(''))
  const plain = /filename=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition)
  return plain ? decodeWords(plain[1] ?? plain[2] ?? '') : undefined
}

function unquote(body: string): Buffer {
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

/** Decodes `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=` in headers (RFC 2047); blanks between two of them are dropped. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : unquote(text.replaceAll('_', ' ')).toString('utf8'),
    )
}
