import { useEffect, useRef, useState } from 'react'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { shortcutsOn, switchShortcuts } from './use-shortcuts.ts'
import { words } from './words.ts'

/** The list of shortcuts, with the switch for those of a single key. */
export function ShortcutsDialog({ desks, onClose }: { desks: boolean; onClose: () => void }) {
  const t = words.use()
  const [on, setOn] = useState(shortcutsOn())
  const first = useRef(on)
  useEffect(() => {
    if (on !== first.current) switchShortcuts(on)
  }, [on])
  const list = [
    ['/', t('keySearch')],
    ['?', t('keyHelp')],
    ['Ctrl K', t('keyPalette')],
    ['Ctrl Enter', t('keySave')],
    ['Esc', t('keyClose')],
    ...(desks ? [['J K', t('keyMove')] as const, ['A – Z', t('keyLetter')] as const] : []),
  ] as const
  return (
    <Dialog opened onClose={onClose} title={t('shortcuts')} size="small">
      <DialogBody>
        <dl className="keys">
          {list.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <CheckField
          label={t('shortcutsOn')}
          checked={on}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      </DialogBody>
    </Dialog>
  )
}
