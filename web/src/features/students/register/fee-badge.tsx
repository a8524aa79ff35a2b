import type { StudentFee } from '@podium/contract/students/calls-register'
import { Badge } from '#ui/badge.tsx'
import { words } from './words.ts'

const kinds = {
  due: { kind: 'unpaid', word: 'feeDue' },
  sent: { kind: 'waiting', word: 'feeSent' },
  paid: { kind: 'paid', word: 'feePaid' },
  waived: { kind: 'yes', word: 'feeWaived' },
} as const

/** Where the registration fee of a child stands; that it is deleted comes first. */
export function FeeBadge({ fee, active }: { fee: StudentFee; active: boolean }) {
  const t = words.use()
  if (!active) return <Badge kind="deleted">{t('deleted')}</Badge>
  return <Badge kind={kinds[fee].kind}>{t(kinds[fee].word)}</Badge>
}
