import { emailPattern } from '@podium/contract/fields'
import nodemailer from 'nodemailer'
import { isLoopback } from '../http/source.ts'
import { type OutgoingMail, Undeliverable } from '../jobs/outbox.ts'
import { messageId, statusOf } from './bounces.ts'
import { writeMailFile } from './mail-folder.ts'

interface MailerOptions {
  /** `smtp://` or `smtps://`; without it mails become files in `<dataDir>/mail`. */
  smtpUrl?: string | undefined
  dataDir: string
  from: { name: string; address: string }
  /** Returns the content of a stored file by its id, for attachments. */
  readFile: (fileId: string) => Promise<Buffer>
}

interface Mailer {
  deliver(mail: OutgoingMail): Promise<void>
  close(): void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controls = /[\u0000-\u001f\u007f]/

/**
 * Refuses any address that isn't plain ASCII and any header with a line break, whoever wrote the row (docs/security.md,
 * T33).
 */
function check(mail: OutgoingMail): void {
  if (!emailPattern.test(mail.to.address)) throw new Undeliverable('not an address to write to')
  const names = [
    mail.to.name,
    mail.subject,
    ...(mail.attachments ?? []).flatMap((a) => [a.filename, a.mediaType]),
  ]
  if (names.some((name) => controls.test(name))) throw new Undeliverable('a line break in the head of a mail')
}

async function buildMessage(mail: OutgoingMail, options: MailerOptions) {
  check(mail)
  const attachments = await Promise.all(
    (mail.attachments ?? []).map(async (attachment) => ({
      filename: attachment.filename,
      contentType: attachment.mediaType,
      content:
        'fileId' in attachment
          ? await options.readFile(attachment.fileId)
          : Buffer.from(attachment.contentBase64, 'base64'),
    })),
  )
  return {
    from: options.from,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    attachments,
    messageId: messageId(mail, options.from.address),
    date: mail.createdAt,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Returns an Undeliverable if this recipient or mail was refused for good (5xx); other errors may be temporary. */
function toUndeliverable(thrown: unknown): Undeliverable | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { responseCode = 0, command } = thrown as Error & { responseCode?: number; command?: string }
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined
  return new Undeliverable(
    thrown.message,
    command === 'RCPT TO' ? statusOf(responseCode, thrown.message) : '',
  )
}

/**
 * Returns the connection options for a mail server. To another machine nothing is sent before the connection is
 * encrypted, whatever the server offers: an attacker in between could hide the offer and read one-time passwords and
 * links.
 */
function smtpOptions(smtpUrl: string) {
  const requireTLS = !isLoopback(new URL(smtpUrl).hostname)
  return { url: smtpUrl, requireTLS }
}

const timeouts = {
  // All shorter than the outbox's lease
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

/** Connects and signs in to a mail server as its address says; throws the server's error. */
export async function askMailServer(smtpUrl: string): Promise<void> {
  const transport = nodemailer.createTransport({ ...smtpOptions(smtpUrl), ...timeouts })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Creates the mailer: an SMTP server, or a folder of `.eml` files if none is set. */
export function createMailer(options: MailerOptions): Mailer {
  if (!options.smtpUrl) {
    const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    return {
      async deliver(mail) {
        const { message: bytes } = await composer.sendMail(await buildMessage(mail, options))
        if (!Buffer.isBuffer(bytes)) throw new Error('the mail was not composed as a whole')
        await writeMailFile(options.dataDir, mail, bytes)
      },
      close: () => composer.close(),
    }
  }
  const transport = nodemailer.createTransport({
    ...smtpOptions(options.smtpUrl),
    pool: true,
    maxConnections: 4,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(mail) {
      const composed = await buildMessage(mail, options)
      try {
        await transport.sendMail(composed)
      } catch (thrown) {
        throw toUndeliverable(thrown) ?? thrown
      }
    },
    close: () => transport.close(),
  }
}
