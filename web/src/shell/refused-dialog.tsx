import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'

interface RefusedProps {
  title: string
  /** How many were done, and how many were not */
  says: string
  refused: readonly { id: number; message: string }[]
  /** The name of a record by its id */
  nameOf: (id: number) => string
  understood: string
  onClose: () => void
}

/** What of many was done, and what could not be done and why, record by record. */
export function RefusedDialog({ title, says, refused, nameOf, understood, onClose }: RefusedProps) {
  const say = useSentences()
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <DialogBody>
        <p aria-live="polite">{says}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls and must be reachable by keyboard */}
        <ul className="ruled long" aria-label={title} tabIndex={0}>
          {refused.map(({ id, message }) => (
            <li key={id} className="stack gap-1">
              <b>{nameOf(id)}</b>
              <span>{say(message)}</span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" data-autofocus onClick={onClose}>
          {understood}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
