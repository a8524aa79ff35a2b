import './dialog.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { KitProvider } from './kit-provider.tsx'
import { useKitWords } from './kit-words.ts'
import { focusReturn } from './list-arrows.ts'
import { Note } from './note.tsx'
import { ClosingProvider, useIsTopmost } from './scroll-lock.ts'

export interface DialogProps {
  opened: boolean
  /** Called by Escape and the close button, once no call of the dialog runs; clicking outside does nothing. */
  onClose: () => void
  title: ReactNode
  /** A line beside the title, read with it. */
  fact?: ReactNode
  /** The question, read with the title */
  asks?: ReactNode
  size?: 'small' | 'normal' | 'wide'
  /** Nobody may close it before the answer to its call */
  waits?: boolean
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

const isBusy = (dialog: HTMLElement | null) => Boolean(dialog?.querySelector('button[aria-busy="true"]'))

/**
 * While a button in the dialog is busy, closing waits: the answer may be a refusal that only this dialog can show.
 * `anyway` is set once someone has tried to close it, until the answer is there.
 */
function useClosingOnceAnswered() {
  const content = useRef<HTMLDivElement>(null)
  const [anyway, setAnyway] = useState<() => void>()
  const close = useCallback(
    (then: () => void) => (isBusy(content.current) ? setAnyway(() => then) : then()),
    [],
  )
  useEffect(() => {
    if (!anyway || !content.current) return
    const answers = new MutationObserver(() => isBusy(content.current) || setAnyway(undefined))
    answers.observe(content.current, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
    return () => answers.disconnect()
  }, [anyway])
  return { content, close, anyway }
}

/** The content of `Dialog`, once this file is loaded. */
export function DialogFrame(props: DialogProps) {
  const { opened, onClose, title, fact, asks, size = 'normal', waits, children } = props
  const words = useKitWords()
  const isTopmost = useIsTopmost(opened)
  useFocusBack(opened)
  const { content, close, anyway } = useClosingOnceAnswered()
  return (
    <KitProvider>
      <Modal.Root
        opened={opened}
        onClose={() => isTopmost() && close(onClose)}
        closeOnClickOutside={false}
        lockScroll={false}
        transitionProps={{ duration: 0 }}>
        <Modal.Overlay className="scrim" transitionProps={{ duration: 0 }} />
        <Modal.Content
          ref={content}
          classNames={{ inner: 'dlg-inner', content: size === 'normal' ? 'dlg' : `dlg ${size}` }}
          transitionProps={{ duration: 0 }}
          aria-modal="true">
          <div className="dh">
            <Modal.Title>{title}</Modal.Title>
            {fact && <Modal.Body className="fact">{fact}</Modal.Body>}
          </div>
          <div className="answer" role="status">
            {anyway && (
              <div className="form-notes">
                <Note kind="due">
                  {words.unanswered}{' '}
                  {!waits && (
                    <button type="button" className="lk" onClick={anyway}>
                      {words.closeAnyway}
                    </button>
                  )}
                </Note>
              </div>
            )}
          </div>
          <div className="dlg-form">
            {asks && (
              <div className="db">
                <Modal.Body>{asks}</Modal.Body>
              </div>
            )}
            <ClosingProvider value={close}>{children}</ClosingProvider>
          </div>
          {/* Last, so that the focus starts in the first field; positioned at the top right. */}
          <IconButton className="dlg-close" icon="close" label={words.close} onClick={() => close(onClose)} />
        </Modal.Content>
      </Modal.Root>
    </KitProvider>
  )
}
