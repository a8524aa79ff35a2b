import { correctResults, mostCorrections } from '@podium/contract/results/calls-corrections'
import { type FormEvent, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { afterPress } from '#shell/field-focus.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type OfficeEvent, shownOfEvents } from '../office-event.ts'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'
import { OnRecord } from './on-record.tsx'
import { mark } from './row-dialog.tsx'

interface Line {
  key: number
  roll: string
  /** The roll no as it was when its field was left */
  left: string
  present: boolean
  marks: string[]
  final: string
}

interface CorrectDialogProps {
  event: OfficeEvent['event']
  onClose: () => void
}

/** Corrects single children of the version that schools see: who, the marks as they are right, and why. */
export function CorrectDialog({ event, onClose }: CorrectDialogProps) {
  const t = officeWords.use()
  const say = useSentences()
  const renew = useInvalidate(shownOfEvents)
  const blank = (key: number): Line => ({
    key,
    roll: '',
    left: '',
    present: true,
    marks: event.sections.map(() => ''),
    final: '',
  })
  const [reason, setReason] = useState('')
  const [lines, setLines] = useState<Line[]>([blank(0)])
  const correct = useEndpointMutation(correctResults, {
    onSettled: renew,
    onSuccess: ({ version }) => {
      toast.success(t('correctedToast', { n: version }))
      onClose()
    },
  })
  const issues = correct.error instanceof CallError ? correct.error.issues : []
  const issue = (path: string) => {
    const found = issues.find((one) => one.path === path)
    return found && say(found.message)
  }
  const set = (key: number, change: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.key === key ? { ...line, ...change } : line)))
  const leaveRoll = (key: number) =>
    setLines((now) => now.map((line) => (line.key === key ? { ...line, left: line.roll.trim() } : line)))
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    correct.mutate({
      body: {
        eventYearId: event.eventYearId,
        reason,
        rows: lines.map(({ roll, present, marks, final }) => ({
          nioRollNo: roll,
          present,
          marks: present ? marks.map(mark) : [],
          finalScore: present ? mark(final) : '',
        })),
      },
    })
  }
  return (
    <Dialog opened onClose={onClose} title={t('correctTitle')} size="wide">
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <p>{t('correctSays')}</p>
            <TextArea
              label={t('correctionReason')}
              hint={t('correctionHint')}
              data-autofocus
              value={reason}
              maxLength={300}
              error={issue('reason')}
              onChange={(changed) => setReason(changed.currentTarget.value)}
            />
            {lines.map((line, at) => (
              <fieldset key={line.key} className="res-correct">
                <legend>{t('studentNo', { n: at + 1 })}</legend>
                <div className="grid">
                  <TextField
                    className="c4"
                    label={t('rollNo')}
                    value={line.roll}
                    maxLength={60}
                    autoComplete="off"
                    error={issue(`rows.${at}.nioRollNo`)}
                    onChange={(changed) => set(line.key, { roll: changed.currentTarget.value, left: '' })}
                    onBlur={() => afterPress(() => leaveRoll(line.key))}
                  />
                  <SelectField
                    className="c3"
                    label={t('attendance')}
                    choices={[
                      { value: 'P', label: t('wasPresent') },
                      { value: 'A', label: t('wasAbsent') },
                    ]}
                    value={line.present ? 'P' : 'A'}
                    onChange={(changed) => set(line.key, { present: changed.currentTarget.value === 'P' })}
                  />
                  {line.present &&
                    event.sections.map(({ name, maximum }, index) => (
                      <TextField
                        key={name}
                        className="c3"
                        label={t('sectionOf', { name, n: maximum })}
                        inputMode="decimal"
                        value={line.marks[index] ?? ''}
                        error={issue(`rows.${at}.marks.${index}`)}
                        onChange={(changed) => {
                          const typed = changed.currentTarget.value
                          set(line.key, { marks: line.marks.map((one, i) => (i === index ? typed : one)) })
                        }}
                      />
                    ))}
                  {line.present && (
                    <TextField
                      className="c3"
                      label={t('finalScore')}
                      optional
                      inputMode="decimal"
                      value={line.final}
                      error={issue(`rows.${at}.finalScore`)}
                      onChange={(changed) => set(line.key, { final: changed.currentTarget.value })}
                    />
                  )}
                </div>
                <OnRecord eventYearId={event.eventYearId} roll={line.left} />
                {lines.length > 1 && (
                  <Button kind="text" onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}>
                    {t('dropStudent', { n: at + 1 })}
                  </Button>
                )}
              </fieldset>
            ))}
            <div>
              <Button
                icon="plus"
                disabled={lines.length >= mostCorrections}
                onClick={() => setLines([...lines, blank(Math.max(...lines.map(({ key }) => key)) + 1)])}
              >
                {t('oneMore')}
              </Button>
            </div>
            {issues.length === 0 && <Problem error={correct.error} />}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind="primary" busy={correct.isPending}>
            {t('correctNow')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
