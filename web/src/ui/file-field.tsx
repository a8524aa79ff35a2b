import { useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { sizeText } from './size-text.ts'

interface FileFieldProps extends FieldProps {
  /** As the `accept` attribute: `image/jpeg,image/png,application/pdf`. */
  accept?: string
  onChange?: (file: File | null) => void
  onBlur?: () => void
  disabled?: boolean
  'data-path'?: string
}

/** One file, its picture shown where it is one. Needs `blob:` in the page's img-src. */
export function FileField(all: FileFieldProps) {
  const { label, labelHidden, hint, error, optional, className, aside, onChange, ...rest } = all
  const words = useKitWords()
  const { id, describedBy } = useFieldIds(error, hint)
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setPicture(undefined)
    const address = URL.createObjectURL(file)
    setPicture(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  const choose = (chosen: File | null) => {
    setFile(chosen)
    onChange?.(chosen)
    if (!chosen && input.current) input.current.value = ''
  }
  return (
    <FieldFrame id={id} props={{ label, labelHidden, hint, error, optional, className, aside }}>
      <input
        {...rest}
        ref={input}
        type="file"
        className="in"
        id={id}
        onChange={(event) => choose(event.currentTarget.files?.[0] ?? null)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
      {file && (
        <div className="preview">
          {picture ? <img src={picture} alt="" /> : <Icon name="file" />}
          <span>
            {file.name}, {sizeText(file.size)}
          </span>
          <IconButton icon="close" label={words.removeFile} onClick={() => choose(null)} />
        </div>
      )}
    </FieldFrame>
  )
}
