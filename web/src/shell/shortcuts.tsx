import { useEffect, useRef, useState } from 'react'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { useSession } from './session.ts'
import { shortcutsOn, switchShortcuts } from './use-shortcuts.ts'
import { words } from './words.ts'

/** The list of shortcuts, with the switch for those of a single key. */
export function ShortcutsDialog({ desks, onClose }: { desks: boolean; onClose: () => void }) {
  const t = words.use()
  const [on, setOn] = useState(shortcutsOn())
  const session = useSession()
  const first = useRef(on)
  useEffect(() => {
    if (on !== first.current) switchShortcuts(on)
  }, [on])
  const may = (permission: string) => session?.permissions?.includes(permission)
  const deskKeys = [
    ['J K', t('keyMove')] as const,
    ...(may('payments.decide') ? [['V R X', t('keyPayment')] as const] : []),
    ...(may('payments.decide') ? [['Enter X', t('keyBank')] as const] : []),
    ...(may('schools.decide') ? [['A L R B', t('keyApplication')] as const] : []),
  ]
  const list = [
    ['/', t('keySearch')],
    ['?', t('keyHelp')],
    ['Ctrl K', t('keyPalette')],
    ['Ctrl Enter', t('keySave')],
    ['Esc', t('keyClose')],
    ['↑ ↓', t('keyRows')],
    ['Enter', t('keyOpenRow')],
    ...(desks ? deskKeys : ([['N', t('keyNew')]] as const)),
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
