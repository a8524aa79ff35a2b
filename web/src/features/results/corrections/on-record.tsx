import { resultOnRecord } from '@podium/contract/results/calls-corrections'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useFreshQuery } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { finalScore } from '../score.ts'
import { officeWords } from '../words-office.ts'

interface OnRecordProps {
  eventYearId: number
  roll: string
  /** Whether schools see marks of the event already; else only the student is named */
  marksKnown?: boolean
}

/** Who has the roll number that was typed, with the marks that schools see now: the wrong child is noticed at once. */
export function OnRecord({ eventYearId, roll, marksKnown = true }: OnRecordProps) {
  const t = officeWords.use()
  const say = useSentences()
  const { data } = useFreshQuery(resultOnRecord, {
    query: { eventYearId: String(eventYearId), nioRollNo: roll },
    enabled: roll !== '',
  })
  if (!data) return null
  const one = data.data
  if (!one) return <Note kind="due">{say('No student of this event has this roll number.')}</Note>
  const { studentName, className, section, schName, schCode, result } = one
  return (
    <Note>
      <b>{studentName}</b>, {translateSentence(className)} {section}, {schName}, {schCode}.{' '}
      {marksKnown && !result && t('recordNone')}
      {marksKnown && result && !result.present && t('recordAbsent')}
      {marksKnown &&
        result?.present &&
        t('recordMarks', { marks: result.marks.join(' + '), score: finalScore(result.finalScore) })}
    </Note>
  )
}
