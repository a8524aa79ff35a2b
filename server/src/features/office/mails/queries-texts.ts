import type { MailTemplate } from '@podium/contract/office/calls-mails'
import { mailSender } from '#features/office/settings/queries-foundation'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import type { Language, Written } from '#platform/mail/mail-templates'
import { letterOf, type MailText, type MailTextKind, mailTexts, ofMailText } from '#platform/mail/mail-texts'

/** The text of a mail: the office's where it has written one, else the program's own. */
export async function mailTextOf(db: Db | Tx, kind: MailTextKind, language: Language): Promise<MailText> {
  const own = await db
    .selectFrom('mail_texts')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .where('language', '=', language)
    .executeTakeFirst()
  return own ?? ofMailText(kind)[language]
}

/** A mail to somebody in their language, made of its text and values: spread it into `enqueueMail`. */
export async function textMail(
  tx: Tx,
  kind: MailTextKind,
  to: { name: string; language: string },
  values: Readonly<Record<string, string>>,
): Promise<Written> {
  const language = to.language === 'hi' ? 'hi' : 'en'
  const text = await mailTextOf(tx, kind, language)
  return letterOf(await mailSender(tx), language, to.name, text, values)
}

/** All texts that the office can write, with who changed them. */
export async function allMailTexts(db: Db, _scope: OfficeScope): Promise<MailTemplate[]> {
  const written = await db
    .selectFrom('mail_texts as m')
    .innerJoin('staff as f', 'f.id', 'm.changed_by')
    .select(['m.kind', 'm.language', 'm.subject', 'm.body', 'm.version', 'm.changed_at', 'f.name'])
    .execute()
  const shown = (kind: MailTextKind, language: Language) => {
    const own = written.find((one) => one.kind === kind && one.language === language)
    const { subject, body } = own ?? ofMailText(kind)[language]
    return {
      subject,
      body,
      own: own !== undefined,
      version: own?.version ?? 0,
      changedBy: own?.name ?? '',
      changedAt: own?.changed_at.toISOString() ?? null,
    }
  }
  return (Object.keys(mailTexts) as MailTextKind[]).map((kind) => ({
    kind,
    placeholders: Object.entries(ofMailText(kind).placeholders).map(([name, example]) => ({
      name,
      example,
      needed: ofMailText(kind).needed.includes(name),
    })),
    en: shown(kind, 'en'),
    hi: shown(kind, 'hi'),
  }))
}
