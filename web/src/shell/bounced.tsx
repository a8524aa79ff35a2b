import { type BounceMark, causeOf, statusIn } from '@podium/contract/office/calls-bounces'
import { Badge } from '#ui/badge.tsx'
import type en from '#words/en/bounces.json'
import { dayText, withWholeDays } from './format.tsx'
import { defineWords } from './language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/bounces.json'))

/** Why, of the causes for which an address is marked. */
function ofAddress(status: string) {
  const cause = causeOf(status)
  return cause === 'domain' || cause === 'full' || cause === 'off' ? cause : 'address'
}

/** The sentence of an address that e-mails come back from: since when, and why. */
export function useBounced(): (mark: BounceMark) => string | undefined {
  const t = words.use()
  return (mark) =>
    mark ? t('comeBack', { day: dayText(mark.at), cause: t(`cause_${ofAddress(mark.status)}`) }) : undefined
}

/** Below an address that e-mails come back from. */
export function Bounced({ mark }: { mark: BounceMark }) {
  const says = useBounced()(mark)
  return (
    says && (
      <span className="under long">
        <Badge tone="bad" icon="warning">
          <span>{withWholeDays(says)}</span>
        </Badge>
      </span>
    )
  )
}

/** What a mail server has answered, as a sentence before its own words; those alone where it names no cause. */
export function useRefusal(): (error: string) => string {
  const t = words.use()
  return (error) => {
    const status = statusIn(error)
    const cause = causeOf(status)
    return status.startsWith('5.') && cause !== 'other' ? `${t(`because_${cause}`)} (${error})` : error
  }
}

/** Before a mail leaves to many: how many of them have an address that mails come back from. */
export function useBouncedCount(): (n: number) => string | undefined {
  const t = words.use()
  return (n) => (n > 0 ? t('ofThem', { n }) : undefined)
}
