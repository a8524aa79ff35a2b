import { type BounceMark, causeOf, statusIn } from '@podium/contract/office/calls-bounces'
import { Badge } from '#ui/badge.tsx'
import type en from '#words/en/bounces.json'
import { dayText, keepDatesTogether } from './format.tsx'
import { defineWords } from './language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/bounces.json'))

/** The cause of a bounce, among those for which an address is marked. */
function ofAddress(status: string) {
  const cause = causeOf(status)
  return cause === 'domain' || cause === 'full' || cause === 'off' ? cause : 'address'
}

/** Returns a function that says since when an address bounces, and why. */
export function useBounced(): (mark: BounceMark) => string | undefined {
  const t = words.use()
  return (mark) =>
    mark
      ? t('returnedSince', { day: dayText(mark.at), cause: t(`cause_${ofAddress(mark.status)}`) })
      : undefined
}

/** Warning below an address that bounces. */
export function Bounced({ mark }: { mark: BounceMark }) {
  const warning = useBounced()(mark)
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
export function useRefusal(): (error: string) => string {
  const t = words.use()
  return (error) => {
    const status = statusIn(error)
    const cause = causeOf(status)
    return status.startsWith('5.') && cause !== 'other' ? `${t(`because_${cause}`)} (${error})` : error
  }
}

/** Returns a function for use before mass e-mails, which says how many of the addresses bounce. */
export function useBouncedCount(): (n: number) => string | undefined {
  const t = words.use()
  return (n) => (n > 0 ? t('ofThem', { n }) : undefined)
}
