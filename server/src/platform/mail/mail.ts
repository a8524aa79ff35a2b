import { emailPattern } from '@podium/contract/fields'
import nodemailer from 'nodemailer'
import { isLoopback } from '../http/source.ts'
import { type OutgoingMail, Undeliverable } from '../jobs/outbox.ts'
import { messageId, statusOf } from './bounces.ts'
import { keepMail } from './mail-folder.ts'

export interface MailerOptions {
  /** `smtp://` or `smtps://`; without it mails become files in `<dataDir>/mail`. */
  smtpUrl?: string | undefined
  dataDir: string
  from: { name: string; address: string }
  /** Content of a stored file by its id, for attachments. */
  readFile: (fileId: string) => Promise<Buffer>
}

export interface Mailer {
  deliver(mail: OutgoingMail): Promise<void>
  close(): void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controls = /[\u0000-\u001f\u007f]/

/** Only addresses of plain ASCII and single-line heads leave, whoever wrote the row (docs/security.md, T33). */
function check(mail: OutgoingMail): void {
  if (!emailPattern.test(mail.to.address)) throw new Undeliverable('not an address to write to')
  const names = [
    mail.to.name,
    mail.subject,
    ...(mail.attachments ?? []).flatMap((a) => [a.filename, a.mediaType]),
  ]
  if (names.some((name) => controls.test(name))) throw new Undeliverable('a line break in the head of a mail')
}

async function message(mail: OutgoingMail, options: MailerOptions) {
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

/** A refusal of this recipient or this mail is final (5xx); everything else may pass. */
function finalOf(thrown: unknown): Undeliverable | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { responseCode = 0, command } = thrown as Error & { responseCode?: number; command?: string }
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined
  return new Undeliverable(
    thrown.message,
    command === 'RCPT TO' ? statusOf(responseCode, thrown.message) : '',
  )
}

/**
 * How a mail server is spoken to. On the way to another machine nothing leaves before the line is encrypted, whatever the
 * server seems to offer: who sits between could hide the offer, and read one-time passwords and links.
 */
function smtpOptions(smtpUrl: string) {
  const requireTLS = !isLoopback(new URL(smtpUrl).hostname)
  return { url: smtpUrl, requireTLS }
}

const waits = {
  // All shorter than the outbox's lease
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

/** Connects to a mail server and greets it, with the sign-in that the address says; throws what is wrong. */
export async function askMailServer(smtpUrl: string): Promise<void> {
  const transport = nodemailer.createTransport({ ...smtpOptions(smtpUrl), ...waits })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** The way out for mails: an SMTP server, or a folder of `.eml` files while there is none. */
export function createMailer(options: MailerOptions): Mailer {
  if (!options.smtpUrl) {
    const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    return {
      async deliver(mail) {
        const { message: bytes } = await composer.sendMail(await message(mail, options))
        if (!Buffer.isBuffer(bytes)) throw new Error('the mail was not composed as a whole')
        await keepMail(options.dataDir, mail, bytes)
      },
      close: () => composer.close(),
    }
  }
  const transport = nodemailer.createTransport({
    ...smtpOptions(options.smtpUrl),
    pool: true,
    maxConnections: 4,
    ...waits,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(mail) {
      const composed = await message(mail, options)
      try {
        await transport.sendMail(composed)
      } catch (thrown) {
        throw finalOf(thrown) ?? thrown
      }
    },
    close: () => transport.close(),
  }
}
