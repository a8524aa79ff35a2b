import '#ui/filters.css'
import { classCode, classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { resultEvents } from '@podium/contract/results/calls'
import { type FormEvent, useRef, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { seasons } from '#shell/season.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type { Choice, ResultEvent } from './choice.ts'
import { words } from './words.ts'

interface SearchFormProps {
  choice: Choice
  onSearch: (wanted: Choice & { event: ResultEvent }) => void
}

/** Exam level, FYear, subject, class; what is chosen counts with Search. Its subject follows level and season. */
export function SearchForm({ choice, onSearch }: SearchFormProps) {
  const t = words.use()
  const say = useSentences()
  const [level, setLevel] = useState(choice.examLevel)
  const [season, setSeason] = useState(choice.season)
  const [letter, setLetter] = useState(choice.event?.eventLetter ?? '')
  const [classId, setClassId] = useState(choice.classId)
  const [missing, setMissing] = useState(false)
  const subjectField = useRef<HTMLSelectElement>(null)
  const { data, isPlaceholderData } = useEndpoint(resultEvents, { query: { FYear: season } })
  const events = (isPlaceholderData ? [] : (data?.data ?? [])).filter(
    ({ examLevel }) => String(examLevel) === level,
  )
  const none = data !== undefined && !isPlaceholderData && events.length === 0
  const event = events.find(({ eventLetter }) => eventLetter === letter)
  const years = seasons().map(String)
  const known = years.includes(season) ? years : [season, ...years]

  const search = (submitted: FormEvent) => {
    submitted.preventDefault()
    setMissing(!event)
    if (event) onSearch({ examLevel: level, season, event, classId, page: 1 })
    else subjectField.current?.focus()
  }

  return (
    <form className="filters" noValidate onSubmit={search}>
      <SelectField
        label={t('examLevel')}
        choices={(['1', '2'] as const).map((value) => ({ value, label: t('level', { level: value }) }))}
        value={level}
        onChange={(changed) => setLevel(changed.currentTarget.value === '2' ? '2' : '1')}
      />
      <SelectField
        label={t('fyear')}
        choices={known.map((value) => ({ value, label: value }))}
        value={season}
        onChange={(changed) => setSeason(changed.currentTarget.value)}
      />
      <SelectField
        label={t('subject')}
        className="mid"
        ref={subjectField}
        empty={none ? t('noSubjects') : t('chooseSubject')}
        choices={events.map(({ eventLetter, subjectName, released }) => ({
          value: eventLetter,
          label: released ? subjectName : t('notOut', { subject: subjectName }),
        }))}
        value={event ? letter : ''}
        error={
          missing && !event
            ? none
              ? t('noSubjectsIn', { level, season })
              : say(messages.resultSubjectRequired)
            : undefined
        }
        onChange={(changed) => setLetter(changed.currentTarget.value)}
      />
      <SelectField
        label={t('class')}
        choices={[
          { value: '0', label: t('allClasses') },
          ...classes.map((one) => ({ value: String(one.classId), label: classCode(one.classId) })),
        ]}
        value={String(classId)}
        onChange={(changed) => setClassId(Number(changed.currentTarget.value))}
      />
      <Button type="submit" kind="primary">
        {t('search')}
      </Button>
    </form>
  )
}
