import type { OrderStatus } from '@podium/contract/shipping/calls'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { IconName } from '#ui/icon.tsx'
import { words } from './words.ts'

/** The sign of each state of a parcel. */
export const signs: Record<OrderStatus, readonly [BadgeTone, IconName]> = {
  Packed: ['mute', 'box'],
  Dispatched: ['info', 'truck'],
  'In transit': ['info', 'truck'],
  Delivered: ['ok', 'ok'],
  Returned: ['due', 'undo'],
  Cancelled: ['mute', 'close'],
}

export function StatusBadge({ of }: { of: OrderStatus }) {
  const t = words.use()
  const [tone, icon] = signs[of]
  return (
    <Badge tone={tone} icon={icon}>
      {t(of)}
    </Badge>
  )
}
