import { seasonTrack } from '@podium/contract/dashboard/calls'
import { type ExamDateSubject, getExamDates, setExamDate } from '@podium/contract/exams/calls'
import { messages } from '@podium/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import type { Choice } from '#ui/select-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

function choicesOf(t: ReturnType<typeof words.use>, subject: ExamDateSubject): Choice[] {
  const { firstDateId, firstDate, secondDateId, secondDate } = subject
  const choice = (id: number | null, name: string, day: string | null): Choice[] =>
    id === null ? [] : [{ value: String(id), label: t('option', { name, day: dayText(day) }) }]
  return [...choice(firstDateId, t('first'), firstDate), ...choice(secondDateId, t('second'), secondDate)]
}

interface Props {
  subject: ExamDateSubject
  /** Translates a sentence of the contract; the card has it ready, so that opening the form waits for nothing */
  say: (sentence: string) => string
  onDone: () => void
}

/** The two dates and the button; a refusal is said, and the list then shows how it stands. */
export function DateForm({ subject, say, onDone }: Props) {
  const t = words.use()
  const client = useQueryClient()
  const select = useRef<HTMLSelectElement>(null)
  const before = subject.examDateId === null ? '' : String(subject.examDateId)
  const [chosen, setChosen] = useState(before)
  const [problem, setProblem] = useState<string>()
  const save = useEndpointMutation(setExamDate, { renews: [getExamDates, seasonTrack] })
  useEffect(() => select.current?.focus(), [])

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    if (chosen === before) {
      const said = before === '' ? say(messages.selectExamDate) : t('chosenAlready')
      setProblem(said)
      toast.error(said)
      select.current?.focus()
      return
    }
    const { eventManagementId, version } = subject
    try {
      const body = { eventManagementId, examDateId: Number(chosen), version }
      const { message } = await save.mutateAsync({ body })
      toast.success(say(message))
      onDone()
    } catch (cause) {
      toast.error(say(cause instanceof CallError ? cause.message : String(cause)))
      await client.invalidateQueries({ queryKey: [getExamDates.path] })
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <SelectField
        ref={select}
        label={t('examDate')}
        empty={t('choose')}
        choices={choicesOf(t, subject)}
        value={chosen}
        error={problem}
        onChange={(event) => {
          setChosen(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <div className="acts">
        <Button type="submit" kind="primary" busy={save.isPending}>
          {t('change')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
