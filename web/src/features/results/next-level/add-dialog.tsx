import { nextLevelCandidate } from '@podium/contract/results/calls-next-level-list'
import { decideNextLevel, type NextLevelRound } from '@podium/contract/results/calls-next-level-office'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useReason } from '#shell/allowance.ts'
import { CallError, call } from '#shell/call.ts'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useFreshQuery, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfRounds } from './use-round.ts'
import { officeWords } from './words-office.ts'

const schema = z.pick(decideNextLevel.body, { reason: true })

/** Invites a child by hand that the rules left out: found by its exam roll number, with a reason. */
export function AddDialog({ round, onClose }: { round: NextLevelRound; onClose: () => void }) {
  const t = officeWords.use()
  const reason = useReason(t('mayNot'))
  const renew = useInvalidate(shownOfRounds)
  const [typed, setTyped] = useState('')
  const [roll, setRoll] = useState('')
  const { eventYearId, version } = round
  const found = useFreshQuery(nextLevelCandidate, {
    query: { eventYearId: String(eventYearId), nioRollNo: roll },
    enabled: roll !== '',
  })
  const candidate = roll === '' ? undefined : found.data?.candidate
  const against = candidate ? reason(candidate.can) : false
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    save: async (given) => {
      if (!candidate || against) throw new CallError(t('findFirst'), 400, 'input.invalid')
      const body = {
        eventYearId,
        version,
        studentIds: [candidate.studentId],
        as: 'invite' as const,
        ...given,
      }
      await call(decideNextLevel, { body }).finally(renew)
      toast.success(t('addedToast', { name: candidate.studentName }))
      onClose()
    },
  })
  const look = () => setRoll(typed.trim())
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('add')}
      size="small"
      save={t('as_invite')}
      disabled={candidate && !against ? false : t('findFirst')}
    >
      <div className="nl-find row bottom">
        <TextField
          label={t('rollNo')}
          value={typed}
          maxLength={40}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            look()
          }}
        />
        <Button busy={found.isFetching} disabled={typed.trim() === ''} onClick={look}>
          {t('find')}
        </Button>
      </div>
      {candidate === null && !found.isFetching && <Note kind="bad">{t('noCandidate')}</Note>}
      {candidate && (
        <Note kind={against ? 'due' : 'info'}>
          <strong>{candidate.studentName}</strong>, {translateSentence(candidate.className)}{' '}
          {candidate.section}. {candidate.schName}, {candidate.schCode}.{' '}
          {against || t('candidateSays', { marks: candidate.marks, rank: candidate.olympiadRank ?? '–' })}
        </Note>
      )}
      <TextArea
        label={t('reason')}
        hint={t('reasonHint')}
        rows={3}
        key={f.form.key('reason')}
        {...f.form.getInputProps('reason')}
      />
    </FormDialog>
  )
}
