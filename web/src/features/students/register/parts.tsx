import type { StudentFee } from '@podium/contract/students/calls-register'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import type en from '#words/en/students-register.json'

/** The words of the office's register of students. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-register.json'))

const kinds = {
  due: { kind: 'unpaid', word: 'feeDue' },
  sent: { kind: 'waiting', word: 'feeSent' },
  paid: { kind: 'paid', word: 'feePaid' },
  waived: { kind: 'yes', word: 'feeWaived' },
} as const

/** The status of a student's registration fee; the end of the entry takes precedence. */
export function FeeBadge({
  fee,
  active,
  cancelled,
}: {
  fee: StudentFee
  active: boolean
  cancelled: boolean
}) {
  const t = words.use()
  if (!active) return <Badge kind="deleted">{t(cancelled ? 'isCancelled' : 'isDeleted')}</Badge>
  return <Badge kind={kinds[fee].kind}>{t(kinds[fee].word)}</Badge>
}
