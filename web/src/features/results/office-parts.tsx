import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { officeMessages } from '@podium/contract/office/messages'
import { resultOnRecord, searchCandidates } from '@podium/contract/results/calls-corrections'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { useEffect, useId, useState } from 'react'
import type { CallError } from '#shell/call.ts'
import { ListProblem } from '#shell/form-dialog.tsx'
import { finalScore } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { useDebounced, useEndpoint, useFreshQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Note } from '#ui/note.tsx'
import { TextField, type TextFieldProps } from '#ui/text-field.tsx'
import type en from '#words/en/results-office.json'
import { type ShownState, stateBadges } from './office-event.ts'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-office.json'))

/** The state of a version, as an icon with text. */
export function StateBadge({ state }: { state: ShownState }) {
  const t = officeWords.use()
  const [tone, icon] = stateBadges[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(state)}
    </Badge>
  )
}

/** Shows the server's refusal next to the button, one issue per line. */
export function Problem({ error }: { error: CallError | undefined }) {
  const translate = useSentences()
  if (!error?.message) return null
  const { issues } = error
  return (
    <Note kind="bad">
      {translate(error.message)}
      {issues.length > 0 && (
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{translate(message)}</li>
          ))}
        </ul>
      )}
    </Note>
  )
}

/** A school's code: suggests schools by code or name, and names the school whose code is typed. */
export function SchoolCodeField({ hint, onInput, ...field }: TextFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const FYear = useSeason()
  const { data } = useEndpoint(officeSchools, { query: { FYear, search }, enabled: search.length > 1 })
  const schools = search.length > 1 ? (data?.data ?? []) : []
  const known = schools.find(({ schCode }) => schCode === typed.trim().toUpperCase())
  return (
    <>
      <TextField
        {...field}
        hint={known ? `${known.schName}, ${known.city}` : hint}
        list={id}
        autoComplete="off"
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          onInput?.(event)
        }}
      />
      <datalist id={id}>
        {schools.map(({ schCode, schName, city }) => (
          <option key={schCode} value={schCode}>
            {schName}, {city}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** Whose row it is: what was typed, and the roll no once one student is meant. */
export interface Student {
  who: string
  roll: string
}

interface StudentFieldProps {
  eventYearId: number
  student: Student
  error: string | undefined
  autoFocus?: boolean
  onChange: (student: Student) => void
}

/** Finds a student of the event by roll no or name. A roll no typed in full needs no click. */
export function StudentField({
  eventYearId,
  student,
  error,
  autoFocus = false,
  onChange,
}: StudentFieldProps) {
  const t = officeWords.use()
  const { who, roll } = student
  const searched = useDebounced(who.trim())
  const candidates = useEndpoint(searchCandidates, {
    query: { eventYearId: String(eventYearId), search: searched },
    enabled: searched.length > 1 && roll === '',
  })
  const found = candidates.data
  const typed =
    roll === '' && found?.data.find((row) => row.nioRollNo === who.trim().toUpperCase())?.nioRollNo
  useEffect(() => {
    if (typed) onChange({ who, roll: typed })
  }, [typed, who, onChange])
  return (
    <>
      <TextField
        label={t('rowWho')}
        hint={t('rowWhoHint')}
        value={who}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
        error={error}
        onChange={(changed) => onChange({ who: changed.currentTarget.value, roll: '' })}
      />
      {roll === '' && searched.length > 1 && (
        <ListProblem error={candidates.data ? null : candidates.error} retry={candidates.refetch} />
      )}
      {roll === '' && searched.length > 1 && found && (
        <ul className="res-found" aria-label={t('rowFound')}>
          {found.data.map((row) => (
            <li key={row.nioRollNo}>
              <button
                type="button"
                className="lk"
                onClick={() => onChange({ who: row.nioRollNo, roll: row.nioRollNo })}>
                {row.nioRollNo}
              </button>{' '}
              {row.studentName}, {translateSentence(row.className)} {row.section}, {row.schCode}
            </li>
          ))}
          {found.data.length === 0 && <li className="quiet">{t('rowNobody')}</li>}
        </ul>
      )}
    </>
  )
}

interface OnRecordProps {
  eventYearId: number
  roll: string
  /** Whether schools already see marks of the event; if not, only the student is named */
  marksKnown?: boolean
  /** Takes the marks that schools see now, to change only the wrong one. */
  onUse?: (marks: number[]) => void
}

/** Shows who has the roll no and the marks that schools see now: a wrong student is noticed at once. */
export function StudentOnRecord({ eventYearId, roll, marksKnown = true, onUse }: OnRecordProps) {
  const t = officeWords.use()
  const record = useFreshQuery(resultOnRecord, {
    query: { eventYearId: String(eventYearId), nioRollNo: roll },
    enabled: roll !== '',
  })
  if (!record.data) return roll !== '' && <ListProblem error={record.error} retry={record.refetch} />
  const student = record.data.data
  if (!student) return <Note kind="due">{translateSentence(officeMessages.rollNotInEvent)}</Note>
  const { studentName, className, section, schName, schCode, result } = student
  return (
    <Note>
      <b>{studentName}</b>, {translateSentence(className)} {section}, {schName}, {schCode}.{' '}
      {marksKnown && !result && t('recordNone')}
      {marksKnown && result && !result.present && t('recordAbsent')}
      {marksKnown &&
        result?.present &&
        t('recordMarks', { marks: result.marks.join(' + '), score: finalScore(result.finalScore) })}{' '}
      {marksKnown && result?.present && onUse && (
        <button type="button" className="lk" onClick={() => onUse(result.marks)}>
          {t('recordUse')}
        </button>
      )}
    </Note>
  )
}

const isCode = (code: string): code is ErrorCode => code in errors

/** Turns the server's permission for an action (`true` or the code of the reason) into the button's `disabled`. */
export function useReason(): (allowed: true | string) => false | string {
  const translate = useSentences()
  const t = officeWords.use()
  return (allowed) => {
    if (allowed === true) return false
    if (allowed === 'access.denied') return t('mayNot')
    return isCode(allowed) ? translate(sentenceOf(allowed)) : allowed
  }
}
