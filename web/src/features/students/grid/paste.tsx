import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { gridWords } from './words.ts'

interface GridPasteProps {
  onPaste: (text: string) => void
  onClose: () => void
}

/** A field to paste into, for those without a keyboard. */
export function GridPaste({ onPaste, onClose }: GridPasteProps) {
  const t = gridWords.use()
  const [text, setText] = useState('')
  return (
    <Dialog opened onClose={onClose} title={t('pasteTitle')}>
      <DialogBody>
        <TextArea
          label={t('pasteField')}
          hint={t('pasteText')}
          rows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          disabled={text.trim() === '' ? t('nothingPasted') : undefined}
          onClick={() => onPaste(text)}
        >
          {t('pasteButton')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
