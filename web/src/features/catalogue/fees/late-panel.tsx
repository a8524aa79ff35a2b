import { lazy, Suspense, useState } from 'react'
import { withWholeDays } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import type { EventOne } from '../events/use-event.ts'
import { useLateText } from './late-dialog.tsx'
import { lateWords } from './words-late.ts'

const LateDialog = lazy(() => import('./late-dialog.tsx').then((m) => ({ default: m.LateDialog })))

/** The late fee of an event, and the way to change it. */
export function LatePanel({ of: { event, can } }: { of: EventOne }) {
  const t = lateWords.use()
  const lateText = useLateText()
  const [open, setOpen] = useState(false)
  return (
    <Panel title={t('title')}>
      <div className="row gap-4 mb-3">
        <p>{withWholeDays(lateText(event))}</p>
        <Button disabled={can.write === true ? undefined : t('mayNot')} onClick={() => setOpen(true)}>
          {t('set')}
        </Button>
      </div>
      <Suspense>
        {open && (
          <LateDialog
            FYear={event.FYear}
            what={event.subjectName}
            events={[event]}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </Panel>
  )
}
