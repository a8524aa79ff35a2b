import { Icon } from '#ui/icon.tsx'

/** The labels of the four options. */
export const letters = ['A', 'B', 'C', 'D'] as const

interface OptionsProps {
  of: { options: readonly string[]; answer: number }
  /** For speech, after the right one */
  rightAnswer: string
}

/** The four options of a question, the right one marked. */
export function QuestionOptions({ of: { options, answer }, rightAnswer }: OptionsProps) {
  return (
    <ol className="oq-options">
      {options.map((option, index) => {
        const right = answer === index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the four options never move
          <li key={index} className={right ? 'right' : undefined}>
            <span aria-hidden="true">{letters[index]}</span>
            <span>
              {option}
              {right && <span className="sr"> ({rightAnswer})</span>}
            </span>
            {right && <Icon name="check" small />}
          </li>
        )
      })}
    </ol>
  )
}
