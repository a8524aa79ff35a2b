import { type ReactNode, Suspense, useState } from 'react'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-frame.tsx'
import type { IconName } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { lazyPart } from './lazy-part.ts'
import { useClosingDialog, useScrollLock } from './scroll-lock.ts'

/** The Mantine part of a dialog, 30 kB: no page waits for it. */
const Frame = lazyPart(() => import('./dialog-frame.tsx'), 'DialogFrame')

/** Downloads what all dialogs need, so that the first one opens at once. */
export const loadDialogs = Frame.load

/**
 * Title, scrolling body, fixed footer. Full screen on a phone (small ones stay small). Focuses `[data-autofocus]` or
 * the first control, and returns the focus when it closes.
 */
export function Dialog(props: DialogProps) {
  const { opened } = props
  const [hasOpened, setHasOpened] = useState(opened)
  if (opened && !hasOpened) setHasOpened(true)
  useScrollLock(opened)
  return <Suspense>{hasOpened && <Frame {...props} />}</Suspense>
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="db">{children}</div>
}

interface FootProps {
  children?: ReactNode
  sums?: ReactNode
  /** Shows Cancel before the named action */
  onCancel?: (() => void) | undefined
  /** Another label of Cancel */
  cancel?: string | undefined
  /** Cancel has the focus first */
  stays?: boolean | undefined
  /** Shows Close, for a dialog that changes nothing itself */
  onClose?: (() => void) | undefined
}

/** Sums on the left, then Cancel and the named action. */
export function DialogFoot({ children, sums, onCancel, cancel, stays, onClose }: FootProps) {
  const words = useKitWords()
  const closing = useClosingDialog()
  return (
    <div className="df">
      {sums}
      <div className="acts">
        {onCancel && (
          <Button onClick={() => closing(onCancel)} data-autofocus={stays || undefined}>
            {cancel ?? words.cancel}
          </Button>
        )}
        {onClose && <Button onClick={() => closing(onClose)}>{words.close}</Button>}
        {children}
      </div>
    </div>
  )
}

interface ConfirmProps {
  opened: boolean
  title: ReactNode
  children: ReactNode
  /** Label of the confirming button; default OK. */
  action?: string
  /** Label of the button that changes nothing, which is then focused; default Cancel. */
  cancel?: string
  /** Icon of the confirming button */
  icon?: IconName
  danger?: boolean
  busy?: boolean
  /** Why it can't be done */
  disabled?: string | undefined
  onConfirm: () => unknown
  onCancel: () => void
}

/** Title, message, OK and Cancel; Cancel is focused if something would be lost. */
export function ConfirmDialog(props: ConfirmProps) {
  const { opened, title, children, action, cancel, icon, danger, busy, disabled, onConfirm, onCancel } = props
  const stays = danger || cancel !== undefined || disabled !== undefined
  const words = useKitWords()
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} asks={children} size="small">
      <DialogFoot onCancel={onCancel} cancel={cancel} stays={stays}>
        <Button
          kind={danger ? 'danger-filled' : 'primary'}
          icon={icon}
          busy={busy}
          disabled={disabled}
          onClick={() => void onConfirm()}
          data-autofocus={stays ? undefined : true}>
          {action ?? words.ok}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
