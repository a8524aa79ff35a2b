import { useEffect, useRef, useState } from 'react'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { useMay } from './guard.ts'
import type { MenuEntry } from './side-menu.tsx'
import { shortcutsOn, switchShortcuts } from './use-shortcuts.ts'
import { words } from './words.ts'

interface Props {
  queues: boolean
  /** The pages `g` and a letter open */
  jumps: readonly MenuEntry[]
  onClose: () => void
}

/** The list of shortcuts, with the switch for single-key ones. */
export function ShortcutsDialog({ queues, jumps, onClose }: Props) {
  const t = words.use()
  const [on, setOn] = useState(shortcutsOn())
  const decidesPayments = useMay('payments.decide')
  const decidesSchools = useMay('schools.decide')
  const first = useRef(on)
  useEffect(() => {
    if (on !== first.current) switchShortcuts(on)
  }, [on])
  const queueKeys = [
    ['J K', t('keyMove')] as const,
    ...(decidesPayments ? [['V R X', t('keyPayment')] as const] : []),
    ...(decidesPayments ? [['Enter X', t('keyBank')] as const] : []),
    ...(decidesSchools ? [['A L R B', t('keyApplication')] as const] : []),
  ]
  const list = [
    ['/', t('keySearch')],
    ['?', t('keyHelp')],
    ['Ctrl K', t('keyPalette')],
    ['Ctrl Enter', t('keySave')],
    ['Esc', t('keyClose')],
    ['↑ ↓', t('keyRows')],
    ['Enter', t('keyOpenRow')],
    ...(queues ? queueKeys : ([['N', t('keyNew')]] as const)),
  ] as const
  return (
    <Dialog opened onClose={onClose} title={t('shortcuts')} size="small">
      <DialogBody>
        <Keys list={list} />
        {jumps.length > 0 && (
          <>
            <h3>{t('keyJump')}</h3>
            <Keys many list={jumps.map(({ jump = '', label }) => [`G ${jump.toUpperCase()}`, label])} />
          </>
        )}
        <CheckField
          label={t('shortcutsOn')}
          checked={on}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      </DialogBody>
    </Dialog>
  )
}

function Keys({ list, many }: { list: readonly (readonly [string, string])[]; many?: boolean }) {
  return (
    <dl className={many ? 'keys many' : 'keys'}>
      {list.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}
