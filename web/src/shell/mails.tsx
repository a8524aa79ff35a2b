import { type BounceMark, causeOf, extractStatus } from '@podium/contract/office/calls-bounces'
import { type MailingPlaceholder, mailingPlaceholders } from '@podium/contract/schools/calls-mailings'
import { Badge } from '#ui/badge.tsx'
import type en from '#words/en/mails.json'
import { dayText, keepDatesTogether } from './format.tsx'
import { defineWords } from './language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/mails.json'))

/** The cause of a bounce, among those for which an address is marked. */
function addressCause(status: string) {
  const cause = causeOf(status)
  return cause === 'domain' || cause === 'full' || cause === 'off' ? cause : 'address'
}

/** Returns a function that says since when an address bounces, and why. */
export function useBounceText(): (bounce: BounceMark) => string | undefined {
  const t = words.use()
  return (bounce) =>
    bounce
      ? t('returnedSince', { day: dayText(bounce.at), cause: t(`cause_${addressCause(bounce.status)}`) })
      : undefined
}

/** Warning below an address that bounces. */
export function BounceNote({ bounce }: { bounce: BounceMark }) {
  const warning = useBounceText()(bounce)
  return (
    warning && (
      <span className="under long">
        <Badge tone="bad" icon="warning">
          <span>{keepDatesTogether(warning)}</span>
        </Badge>
      </span>
    )
  )
}

/** Returns a function that explains a mail server's answer in a sentence; the raw answer if the cause is unknown. */
export function useMailErrorText(): (error: string) => string {
  const t = words.use()
  return (error) => {
    const status = extractStatus(error)
    const cause = causeOf(status)
    return status.startsWith('5.') && cause !== 'other' ? `${t(`because_${cause}`)} (${error})` : error
  }
}

/** Returns a function for use before mass e-mails, which says how many of the addresses bounce. */
export function useBouncedCount(): (n: number) => string | undefined {
  const t = words.use()
  return (n) => (n > 0 ? t('ofThem', { n }) : undefined)
}

/** Returns a function that names a placeholder of an e-mail to many schools. */
export function usePlaceholderName(): (name: MailingPlaceholder) => string {
  const t = words.use()
  return (name) => t(`ph_${name}`)
}

/** Returns a function that replaces placeholders such as `{school}` in a text by readable words. */
export function usePlaceholderText(): (text: string) => string {
  const nameOf = usePlaceholderName()
  return (text) =>
    mailingPlaceholders.reduce((said, name) => said.replaceAll(`{${name}}`, `[${nameOf(name)}]`), text)
}
