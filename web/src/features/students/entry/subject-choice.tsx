import type { Subject } from '@podium/contract/catalogue/calls'
import { formatRupees } from '@podium/contract/money'
import type { ReactNode } from 'react'
import { dayText } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useKitWords } from '#ui/kit-words.ts'
import { MultiSelect } from '#ui/multi-select.tsx'
import { Note } from '#ui/note.tsx'
import { type StudentValues, withoutLostBooks } from './student-values.ts'
import { words } from './words.ts'
import { lateWords } from './words-late.ts'

interface SubjectChoiceProps {
  season: string
  classId: string
  subjects: readonly Subject[] | undefined
  error: Error | null
  reload: () => unknown
  values: StudentValues
  choose: (some: Partial<StudentValues>) => void
  invalid: ReactNode
  onBlur: () => void
}

/** «from 25-Nov-2026 ₹50 more as a late fee», or that it is in the fee; '' for neither, or where subjects differ. */
function useLateHint(): (subjects: readonly Subject[]) => string {
  const l = lateWords.use()
  return (subjects) => {
    const [one] = subjects
    const same = subjects.every(
      ({ lateFee, late }) =>
        lateFee === one?.lateFee && late?.from === one.late?.from && late?.fee === one.late?.fee,
    )
    if (!one || !same) return ''
    if (one.lateFee > 0) return l('ofFee', { fee: formatRupees(one.lateFee) })
    return one.late ? l('eachAhead', { day: dayText(one.late.from), fee: formatRupees(one.late.fee) }) : ''
  }
}

/** The subjects of the class with their fee; one hint where all cost the same. */
export function SubjectChoice(props: SubjectChoiceProps) {
  const { season, classId, subjects, error, reload, values, choose, invalid, onBlur } = props
  const t = words.use()
  const say = useSentences()
  const kit = useKitWords()
  const lateHint = useLateHint()
  const fees = new Set(subjects?.map((subject) => subject.eventFee))
  const [fee] = fees
  const hint =
    classId === ''
      ? t('classFirst')
      : subjects === undefined
        ? t('loadingSubjects')
        : fee === undefined
          ? t('noSubjects', { season })
          : fees.size === 1
            ? t('each', { amount: formatRupees(fee) })
            : undefined
  const late = lateHint(subjects ?? [])
  const choices = subjects?.map((subject) => {
    const { subjectName, eventFee, closed, signedOff } = subject
    const name = translateSentence(subjectName)
    const own = late === '' ? lateHint([subject]) : ''
    const priced = [name, (fees.size > 1 || own !== '') && formatRupees(eventFee), own]
    // What one can't enter any more has no price.
    const named = closed || signedOff ? name : priced.filter(Boolean).join(', ')
    return {
      value: subjectName,
      label: closed ? t('closedOn', { name: named }) : signedOff ? t('signedOff', { name: named }) : named,
      disabled: (closed || signedOff) && !values.subjectName.includes(subjectName),
    }
  })
  if (error) {
    return (
      <Note kind="bad">
        {say(error.message)}{' '}
        <button type="button" className="lk" onClick={() => void reload()}>
          {kit.tryAgain}
        </button>
      </Note>
    )
  }
  return (
    <MultiSelect
      // What was wished for another class is over.
      key={classId}
      label={t('subjects')}
      placeholder={t('searchSubjects')}
      choices={classId === '' ? [] : choices}
      value={values.subjectName}
      onChange={(subjectName) => choose({ subjectName, ...withoutLostBooks(values, subjectName) })}
      onBlur={onBlur}
      error={invalid}
      hint={late === '' || hint === undefined ? hint : `${hint}, ${late}`}
      data-path="subjectName"
    />
  )
}
