import type { feesEffect, TouchedPrice } from '@podium/contract/catalogue/calls-events'
import { formatRupees } from '@podium/contract/money'
import type { Answer } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'

export type Effect = Answer<typeof feesEffect>

interface Props {
  effect: Effect
  onYes: () => void
  onNo: () => void
}

/** What a change of prices touches, price by price, with who keeps the old one. */
export function EffectDialog({ effect, onYes, onNo }: Props) {
  const t = words.use()
  const { keep, unpaid, changes } = effect
  const price = (amount: number | null) => (amount === null ? t('notOffered') : formatRupees(amount))
  const columns: Column<TouchedPrice>[] = [
    { key: 'class', label: t('class'), title: true, cell: (row) => translateSentence(row.className) },
    { key: 'what', label: t('what'), cell: (row) => t(row.what === 'class' ? 'takesPart' : row.what) },
    { key: 'from', label: t('from'), num: true, cell: (row) => price(row.from) },
    { key: 'to', label: t('to'), num: true, strong: true, cell: (row) => price(row.to) },
    { key: 'keep', label: t('keep'), num: true, cell: (row) => count(row.keep) },
    { key: 'unpaid', label: t('unpaid'), num: true, cell: (row) => count(row.unpaid) },
  ]
  return (
    <Dialog opened onClose={onNo} title={t('effectTitle')}>
      <DialogBody>
        <div className="stack">
          {changes.length === 0 && <Note>{t('noChange')}</Note>}
          {changes.length > 0 && (
            <Note kind={keep > 0 ? 'due' : 'info'}>
              {keep > 0 ? t('effectKeep', { n: keep, unpaid: count(unpaid) }) : t('effectNobody')}
            </Note>
          )}
          <DataTable
            caption={t('effectCaption')}
            columns={columns}
            rows={changes}
            rowKey={(row) => `${row.className} ${row.what}`}
            compact
          />
        </div>
      </DialogBody>
      <DialogFoot onCancel={onNo}>
        <Button kind="primary" onClick={onYes} disabled={changes.length > 0 ? undefined : t('noChange')}>
          {t('savePrices')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
