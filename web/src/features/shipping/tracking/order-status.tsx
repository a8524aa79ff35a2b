import type { TrackLine } from '@podium/contract/shipping/calls'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { IconName } from '#ui/icon.tsx'
import { words } from './words.ts'

/** The sign of each step of a parcel's way. */
export const signs: Record<TrackLine['orderStatus'], readonly [BadgeTone, IconName]> = {
  Packed: ['mute', 'box'],
  Dispatched: ['info', 'truck'],
  'In transit': ['info', 'truck'],
  Delivered: ['ok', 'ok'],
  Returned: ['due', 'undo'],
  Cancelled: ['mute', 'close'],
}

export function OrderStatus({ of }: { of: TrackLine['orderStatus'] }) {
  const t = words.use()
  const [tone, icon] = signs[of]
  return (
    <Badge tone={tone} icon={icon}>
      {t(of)}
    </Badge>
  )
}
