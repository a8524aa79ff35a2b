import './dialog.css'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { useHeldPage, useTopmost } from './held-page.ts'
import { KitProvider } from './kit-provider.tsx'
import { useKitWords } from './kit-words.ts'

interface DialogProps {
  opened: boolean
  /** Called by Escape and the close button; a click outside does nothing. */
  onClose: () => void
  title: ReactNode
  /** A line beside the title. */
  fact?: ReactNode
  size?: 'small' | 'normal' | 'wide'
  /** Body and foot: `<DialogBody>` and `<DialogFoot>`, inside a form where there is one. */
  children: ReactNode
}

/**
 * Title, body that scrolls, foot that stays. Full screen on a phone (small ones stay small). Focus goes to
 * `[data-autofocus]` or the first control and comes back to where it was.
 */
export function Dialog({ opened, onClose, title, fact, size = 'normal', children }: DialogProps) {
  const words = useKitWords()
  useHeldPage(opened)
  const isTopmost = useTopmost(opened)
  return (
    <KitProvider>
      <Modal.Root
        opened={opened}
        onClose={() => isTopmost() && onClose()}
        closeOnClickOutside={false}
        lockScroll={false}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay className="scrim" transitionProps={{ duration: 0 }} />
        <Modal.Content
          classNames={{ inner: 'dlg-inner', content: size === 'normal' ? 'dlg' : `dlg ${size}` }}
          transitionProps={{ duration: 0 }}
          aria-modal="true"
        >
          <div className="dh">
            <Modal.Title>{title}</Modal.Title>
            {fact && <p>{fact}</p>}
          </div>
          <div className="dlg-form">{children}</div>
          {/* Last, so that the cursor starts in the first field; it stands at the top right. */}
          <IconButton className="dlg-close" icon="close" label={words.close} onClick={onClose} />
        </Modal.Content>
      </Modal.Root>
    </KitProvider>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="db">{children}</div>
}

/** Sums left, then Cancel and the named action. */
export function DialogFoot({ children, sums }: { children: ReactNode; sums?: ReactNode }) {
  return (
    <div className="df">
      {sums}
      <div className="acts">{children}</div>
    </div>
  )
}

interface ConfirmProps {
  opened: boolean
  title: ReactNode
  children: ReactNode
  /** The word on the button; OK unless said. */
  action?: string
  /** The word on the button that changes nothing, which then has the cursor; Cancel unless said. */
  cancel?: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => unknown
  onCancel: () => void
}

/** Title, message, OK and Cancel; the cursor starts on Cancel where something would be lost. */
export function ConfirmDialog(props: ConfirmProps) {
  const { opened, title, children, action, cancel, danger, busy, onConfirm, onCancel } = props
  const stays = danger || cancel !== undefined
  const words = useKitWords()
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} size="small">
      <DialogBody>
        <div>{children}</div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onCancel} data-autofocus={stays || undefined}>
          {cancel ?? words.cancel}
        </Button>
        <Button
          kind={danger ? 'danger-filled' : 'primary'}
          busy={busy}
          onClick={() => void onConfirm()}
          data-autofocus={stays ? undefined : true}
        >
          {action ?? words.ok}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
