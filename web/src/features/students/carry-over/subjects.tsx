import type { AnswerOf } from '@podium/contract/endpoint'
import type { previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { carryWords } from './words.ts'

export type OfferedName = AnswerOf<typeof previewCarryOver>['offers'][number]['subjects'][number]

interface SubjectBoxesProps {
  title: string
  offer: readonly OfferedName[]
  chosen: readonly string[]
  onChange: (letters: string[]) => void
  error?: string | undefined
}

/** The subjects of a class as boxes to tick. */
export function SubjectBoxes({ title, offer, chosen, onChange, error }: SubjectBoxesProps) {
  return (
    <fieldset className={error ? 'cy-subjects err' : 'cy-subjects'}>
      <legend>{title}</legend>
      {offer.map(({ eventLetter, subjectName }) => (
        <CheckField
          key={eventLetter}
          label={translateSentence(subjectName)}
          checked={chosen.includes(eventLetter)}
          onChange={(event) =>
            onChange(
              offer
                .map((one) => one.eventLetter)
                .filter((letter) =>
                  letter === eventLetter ? event.currentTarget.checked : chosen.includes(letter),
                ),
            )
          }
        />
      ))}
      {error && <p className="msg">{error}</p>}
    </fieldset>
  )
}

interface SubjectTicksProps {
  title: string
  offer: readonly OfferedName[]
  chosen: readonly string[]
  onApply: (letters: string[]) => void
}

/** The same, decided together. */
export function SubjectTicks({ title, offer, chosen, onApply }: SubjectTicksProps) {
  const t = carryWords.use()
  const [ticked, setTicked] = useState<readonly string[]>(chosen)
  return (
    <div className="cy-choose row bottom">
      <SubjectBoxes title={title} offer={offer} chosen={ticked} onChange={setTicked} />
      <Button onClick={() => onApply([...ticked])}>{t('apply')}</Button>
    </div>
  )
}
