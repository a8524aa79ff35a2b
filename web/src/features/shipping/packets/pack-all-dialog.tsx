import { messages } from '@podium/contract/messages'
import { packAll } from '@podium/contract/shipping/calls-orders'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { isCount, type TypedNumber } from '#ui/typed-number.ts'
import { type Due, shownOfDispatch } from '../orders/data.ts'
import { words } from '../words.ts'

/** Packs for every school that the filters leave; the work goes on when the page is left. */
export function PackAllDialog({ due, onClose }: { due: Due; onClose: () => void }) {
  const t = words.use()
  const say = useSentences()
  const renew = useInvalidate(shownOfDispatch)
  const [most, setMost] = useState<TypedNumber>(0)
  const start = useEndpointMutation(packAll, { onSuccess: () => renew().then(onClose) })
  const { sums, asked, set } = due
  const fault = !isCount(most) || most > 10_000 ? say(messages.mostCopies) : undefined
  return (
    <Dialog opened onClose={onClose} title={t('packAllTitle')} size="small">
      <DialogBody>
        <div className="stack">
          <p>{t('packAllSays', { copies: count(sums?.due ?? 0), n: sums?.schools ?? 0 })}</p>
          <p className="quiet">{t(set > 0 ? 'packAllFiltered' : 'packAllWhole')}</p>
          <NumberField label={t('most')} hint={t('mostHint')} value={most} error={fault} onChange={setMost} />
          {start.error && <Note kind="bad">{say(start.error.message)}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          busy={start.isPending || due.list.isPlaceholderData || due.items.isPlaceholderData}
          disabled={fault}
          onClick={() => start.mutate({ body: { ...asked, most: Number(most) } })}
        >
          {t('packAllNow')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
