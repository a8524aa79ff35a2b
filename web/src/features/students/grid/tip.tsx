import { useSentences } from '#shell/language/sentences.ts'
import type { GridFault } from './grid-check.ts'
import { gridWords } from './words.ts'

interface GridTipProps {
  faults: readonly GridFault[]
  /** What may have been meant */
  better: readonly string[]
  /** What the cell takes, where it helps to know. */
  hint: string | undefined
  up: boolean
  left: boolean
  /** In how many rows the same is proposed for the same text */
  alike: number
  onAccept: (which: number) => void
  onAcceptInAll: () => void
}

/** At the cell with the cursor: each fault in full, what may have been meant with its key, or what can be written. */
export function GridTip({ faults, better, hint, up, left, alike, onAccept, onAcceptInAll }: GridTipProps) {
  const t = gridWords.use()
  const say = useSentences()
  if (faults.length === 0 && !hint) return null
  return (
    <span id="gr-tip" className={['gr-tip', up && 'up', left && 'left'].filter(Boolean).join(' ')}>
      {faults.map(({ message }) => (
        <b key={message}>{say(message)}</b>
      ))}
      {better.length > 0 && (
        <span className="gr-better">
          {t('didYouMean')}
          {better.slice(0, 9).map((text, which) => (
            <button
              key={text}
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onAccept(which)}
            >
              {text}
              <kbd>{which === 0 ? 'Alt+Enter' : `Alt+${which + 1}`}</kbd>
            </button>
          ))}
          {alike > 1 && (
            <button
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={onAcceptInAll}
            >
              {t('inAll', { text: better[0] ?? '', n: alike })}
              <kbd>Alt+Shift+Enter</kbd>
            </button>
          )}
        </span>
      )}
      {hint && better.length === 0 && <span className="hint">{hint}</span>}
    </span>
  )
}
