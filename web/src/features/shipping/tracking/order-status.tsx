import type { TrackLine } from '@podium/contract/shipping/calls'
import { defineWords } from '#shell/language/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { IconName } from '#ui/icon.tsx'
import type en from '#words/en/shipping-tracking.json'

/** Translations of the pages Track Order and Question Paper Status, and of the dialog they share. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shipping-tracking.json'))

/** The badge of each step of a parcel's tracking. */
export const statusLooks: Record<TrackLine['orderStatus'], readonly [BadgeTone, IconName]> = {
  Packed: ['mute', 'box'],
  Dispatched: ['info', 'truck'],
  'In transit': ['info', 'truck'],
  Delivered: ['ok', 'ok'],
  Returned: ['due', 'undo'],
  Cancelled: ['mute', 'close'],
}

export function OrderStatus({ of }: { of: TrackLine['orderStatus'] }) {
  const t = words.use()
  const [tone, icon] = statusLooks[of]
  return (
    <Badge tone={tone} icon={icon}>
      {t(of)}
    </Badge>
  )
}
