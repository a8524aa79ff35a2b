import { useEffect, useRef } from 'react'

interface GridFieldProps {
  label: string
  text: string
  quick: boolean
  /** The field is left: what stands in it goes into the cell. */
  onDone: (text: string) => void
}

/** The field in the cell that is being typed in. What Enter, Tab, Esc and the arrows do is the grid's. */
export function GridField({ label, text, quick, onDone }: GridFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const input = field.current
    if (!quick) input?.setSelectionRange(input.value.length, input.value.length)
  }, [quick])
  return (
    <input
      ref={field}
      className="gr-in"
      aria-label={label}
      aria-describedby="gr-tip"
      defaultValue={text}
      maxLength={500}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      data-quick={quick || undefined}
      onBlur={(event) => {
        // Only when it was left: a field that is taken away has been dealt with.
        if (event.currentTarget.isConnected) onDone(event.currentTarget.value)
      }}
    />
  )
}
