import { addressLabels } from '@podium/contract/shipping/calls-packets'
import { useState } from 'react'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { words } from '../words.ts'

/** The eight places of a sheet: a sheet that was begun is used up from the place that is chosen. */
const places = [0, 1, 2, 3, 4, 5, 6, 7]

export function LabelsDialog({ body, n, onClose }: { body: object; n: number; onClose: () => void }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<string>()
  const [first, setFirst] = useState(0)
  const print = async () => {
    if (await fetchFile('labels', addressLabels, { body: { ...body, first } })) onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('labelsTitle', { n })} size="small">
      <DialogBody>
        <div className="stack">
          <p>{t('labelsSay')}</p>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can not be a grid everywhere */}
          <div className="od-sheet" role="group" aria-label={t('firstLabel')}>
            {places.map((place) => (
              <button
                key={place}
                type="button"
                className={place < first ? 'used' : undefined}
                aria-pressed={place === first}
                aria-label={t('labelPlace', { n: place + 1 })}
                onClick={() => setFirst(place)}
              >
                {place + 1}
              </button>
            ))}
          </div>
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button kind="primary" icon="print" busy={busy !== undefined} onClick={() => void print()}>
          {t('labelsNow')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
