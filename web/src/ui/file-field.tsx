import './file-field.css'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldProps, resetsWithControl, useFieldIds } from './field.tsx'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { formatBytes } from './numbers.ts'

interface FileFieldProps extends FieldProps {
  /** As the `accept` attribute: `image/jpeg,image/png,application/pdf`. */
  accept?: string
  /** Name of the file that is used if none is chosen here. */
  stored?: string | undefined
  onChange?: (file: File | null) => void
  onBlur?: () => void
  disabled?: boolean
  'data-path'?: string
}

/**
 * One file, chosen or dropped here; an image is previewed. Needs `blob:` in the page's img-src. The native input keeps
 * focus and keys but is hidden: its text is in the browser's language, not the page's.
 */
export const FileField = resetsWithControl(function FileField(all: FileFieldProps) {
  const { label, labelHidden, hint, error, optional, className, aside, onChange, disabled, stored, ...rest } =
    all
  const words = useKitWords()
  const { id, describedBy } = useFieldIds(error, hint)
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [picture, setPicture] = useState<string>()
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setPicture(undefined)
    const address = URL.createObjectURL(file)
    setPicture(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  const choose = (file: File | null) => {
    setFile(file)
    onChange?.(file)
    // Lets the same file be chosen again after it was corrected.
    if (input.current) input.current.value = ''
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover' && !disabled)
    const [dropped] = event.type === 'drop' && !disabled ? event.dataTransfer.files : []
    if (dropped) choose(dropped)
  }
  return (
    <FieldFrame id={id} props={{ label, labelHidden, hint, error, optional, className, aside }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the input handles the keyboard */}
      <div className={over ? 'file over' : 'file'} onDragOver={drag} onDragLeave={drag} onDrop={drag}>
        <input
          {...rest}
          ref={input}
          type="file"
          className="sr"
          id={id}
          disabled={disabled}
          onKeyDown={(event) => {
            // Screen readers announce a button, which Enter presses; the browser would submit the form.
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            event.currentTarget.click()
          }}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) choose(file)
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={[describedBy, `${id}-f`].filter(Boolean).join(' ')}
        />
        <label htmlFor={id}>
          <span className="file-box" aria-hidden="true">
            {file && (picture ? <img src={picture} alt="" /> : <Icon name="file" />)}
            {file && (
              <span className="file-name">
                {file.name}, {formatBytes(file.size)}
              </span>
            )}
            {!file && stored && <Icon name="file" />}
            {!file && stored && <span className="file-name">{stored}</span>}
            <span className="file-button">{words[file || stored ? 'otherFile' : 'chooseFile']}</span>
            {!file && !stored && <span className="file-drop">{words.dropFile}</span>}
          </span>
        </label>
        <span className="sr" role="status" id={`${id}-f`}>
          {file ? `${file.name}, ${formatBytes(file.size)}` : (stored ?? words.noFile)}
        </span>
        {file && (
          <IconButton
            icon="close"
            label={words.removeFile}
            onClick={() => {
              choose(null)
              input.current?.focus()
            }}
          />
        )}
      </div>
    </FieldFrame>
  )
})
