import { resultAnomalies } from '@podium/contract/results/calls-anomalies'
import { correctMarksRow, searchCandidates } from '@podium/contract/results/calls-corrections'
import { officeResultEvent } from '@podium/contract/results/calls-office'
import { type FormEvent, useEffect, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useEndpoint, useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { numberTyped } from '#ui/numbers.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { Anomaly } from '../marks/anomaly-columns.tsx'
import type { OfficeEvent } from '../office-event.ts'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'
import { OnRecord } from './on-record.tsx'

interface RowDialogProps {
  event: OfficeEvent['event']
  setId: number
  row: Anomaly
  onClose: () => void
  onDone: () => void
}

/** A mark as it is sent: not a number where none can be read, which the server refuses at its field. */
export function mark(typed: string): number | '' {
  const read = numberTyped(typed)
  return typeof read === 'number' ? read : read === '' ? '' : Number.NaN
}

/** Puts one odd row right: whose marks they are, by roll no or name, and the marks. */
export function RowDialog({ event, setId, row, onClose, onDone }: RowDialogProps) {
  const t = officeWords.use()
  const say = useSentences()
  const ofNobody = row.kind === 'unknown_roll' || row.kind === 'not_enrolled'
  const [who, setWho] = useState(row.nioRollNo)
  const [roll, setRoll] = useState(ofNobody ? '' : row.nioRollNo)
  const [searched, setSearched] = useState('')
  const [present, setPresent] = useState(row.kind !== 'absent_marked')
  const [marks, setMarks] = useState(event.sections.map(() => ''))
  const [final, setFinal] = useState('')
  const [note, setNote] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(who.trim()), 250)
    return () => clearTimeout(timer)
  }, [who])
  const found = useEndpoint(searchCandidates, {
    query: { eventYearId: String(event.eventYearId), search: searched },
    enabled: searched.length > 1 && roll === '',
  })
  const correct = useEndpointMutation(correctMarksRow, {
    invalidates: [resultAnomalies, officeResultEvent],
    onSuccess: () => {
      toast.success(t('rowCorrectedToast'))
      onDone()
    },
  })
  const issues = correct.error instanceof CallError ? correct.error.issues : []
  const issue = (path: string) => {
    const one = issues.find((known) => known.path === path || known.path === path.replace('rows.0', 'row'))
    return one && say(one.message)
  }
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    const right = {
      nioRollNo: roll || who,
      present,
      marks: present ? marks.map(mark) : [],
      finalScore: present ? mark(final) : ('' as const),
    }
    correct.mutate({ body: { setId, anomalyId: row.anomalyId, row: right, note } })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="wide"
      title={t('rowTitle')}
      fact={row.rowNo > 0 ? t('rowFact', { n: row.rowNo, roll: row.nioRollNo || '–' }) : undefined}
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <TextField
              label={t('rowWho')}
              hint={t('rowWhoHint')}
              value={who}
              maxLength={60}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              error={issue('rows.0.nioRollNo')}
              onChange={(changed) => {
                setWho(changed.currentTarget.value)
                setRoll('')
              }}
            />
            {roll === '' && searched.length > 1 && found.data && (
              <ul className="res-found" aria-label={t('rowFound')}>
                {found.data.data.map((one) => (
                  <li key={one.nioRollNo}>
                    <button
                      type="button"
                      className="lk"
                      onClick={() => {
                        setWho(one.nioRollNo)
                        setRoll(one.nioRollNo)
                      }}
                    >
                      {one.nioRollNo}
                    </button>{' '}
                    {one.studentName}, {translateSentence(one.className)} {one.section}, {one.schCode}
                  </li>
                ))}
                {found.data.data.length === 0 && <li className="quiet">{t('rowNobody')}</li>}
              </ul>
            )}
            <OnRecord eventYearId={event.eventYearId} roll={roll} marksKnown={false} />
            <div className="grid">
              <SelectField
                className="c3"
                label={t('attendance')}
                choices={[
                  { value: 'P', label: t('wasPresent') },
                  { value: 'A', label: t('wasAbsent') },
                ]}
                value={present ? 'P' : 'A'}
                onChange={(changed) => setPresent(changed.currentTarget.value === 'P')}
              />
              {present &&
                event.sections.map(({ name, maximum }, index) => (
                  <TextField
                    key={name}
                    className="c3"
                    label={t('sectionOf', { name, n: maximum })}
                    inputMode="decimal"
                    value={marks[index] ?? ''}
                    error={issue(`rows.0.marks.${index}`)}
                    onChange={(changed) => {
                      const typed = changed.currentTarget.value
                      setMarks(marks.map((one, i) => (i === index ? typed : one)))
                    }}
                  />
                ))}
              {present && (
                <TextField
                  className="c3"
                  label={t('finalScore')}
                  optional
                  inputMode="decimal"
                  value={final}
                  error={issue('rows.0.finalScore')}
                  onChange={(changed) => setFinal(changed.currentTarget.value)}
                />
              )}
            </div>
            <TextField
              label={t('rowNote')}
              optional
              value={note}
              maxLength={500}
              onChange={(changed) => setNote(changed.currentTarget.value)}
            />
            {issues.length === 0 && <Problem error={correct.error} />}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind="primary" busy={correct.isPending}>
            {t('rowSave')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
