import './dialog.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { KitProvider } from './kit-provider.tsx'
import { useKitWords } from './kit-words.ts'
import { focusReturn } from './list-arrows.ts'
import { useIsTopmost } from './scroll-lock.ts'

export interface DialogProps {
  opened: boolean
  /** Called by Escape and the close button; clicking outside does nothing. */
  onClose: () => void
  title: ReactNode
  /** A line beside the title, read with it. */
  fact?: ReactNode
  /** The question, read with the title */
  asks?: ReactNode
  size?: 'small' | 'normal' | 'wide'
  /** Body and foot: `<DialogBody>` and `<DialogFoot>`, inside the form if there is one. */
  children: ReactNode
}

/** Returns the focus when a dialog is unmounted while open; Mantine does it for one that stays mounted and closes. */
function useFocusBack(opened: boolean): void {
  const [goBack] = useState(() =>
    opened && document.activeElement !== document.body ? focusReturn() : undefined,
  )
  useLayoutEffect(() => () => void (goBack && setTimeout(goBack)), [goBack])
}

/** The content of `Dialog`, once this file is loaded. */
export function DialogFrame({ opened, onClose, title, fact, asks, size = 'normal', children }: DialogProps) {
  const words = useKitWords()
  const isTopmost = useIsTopmost(opened)
  useFocusBack(opened)
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
            {fact && <Modal.Body className="fact">{fact}</Modal.Body>}
          </div>
          <div className="dlg-form">
            {asks && (
              <div className="db">
                <Modal.Body>{asks}</Modal.Body>
              </div>
            )}
            {children}
          </div>
          {/* Last, so that the focus starts in the first field; positioned at the top right. */}
          <IconButton className="dlg-close" icon="close" label={words.close} onClick={onClose} />
        </Modal.Content>
      </Modal.Root>
    </KitProvider>
  )
}
