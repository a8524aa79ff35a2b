import type { OrderStatus } from '@podium/contract/shipping/calls'
import type { MovedTo } from '@podium/contract/shipping/calls-packets'

/** A parcel as its next step is decided. */
export interface Standing {
  status: OrderStatus
  /** Its contents have not been taken out of it, nor sent again in another */
  counts: boolean
  /** The school has confirmed that it has arrived */
  confirmed: boolean
}

const after: Record<OrderStatus, readonly MovedTo[]> = {
  Packed: [],
  Dispatched: ['In transit', 'Delivered', 'Returned'],
  'In transit': ['Delivered', 'Returned'],
  // A courier may have said too much: what the school has not confirmed can still come back.
  Delivered: ['Returned'],
  Returned: ['In transit'],
  Cancelled: [],
}

/** The steps that a person or a courier's file may write next. */
export function nextSteps({ status, counts, confirmed }: Standing): readonly MovedTo[] {
  return counts && !confirmed ? after[status] : []
}

/** What came back can be sent again or taken apart; a packed one can be taken apart. */
export const mayResend = ({ status, counts }: Standing) => status === 'Returned' && counts
export const mayCancel = ({ status, counts }: Standing) =>
  (status === 'Returned' || status === 'Packed') && counts

/** Where a courier shows a parcel; empty without its number or its page. */
export function courierLink(template: string, consignmentNo: string): string {
  if (template === '' || (consignmentNo === '' && template.includes('{no}'))) return ''
  return template.replaceAll('{no}', encodeURIComponent(consignmentNo))
}
