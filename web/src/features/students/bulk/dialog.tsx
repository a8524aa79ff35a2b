import { sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { useAttempt, useClosing } from '#shell/use-action.ts'
import { showRefusal } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/students-bulk.json'
import { useEntryOffers } from '../entry/use-entry-offers.ts'
import { type BulkResult, bulkChanges, type ChangeKind, sendChanges } from './state.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/students-bulk.json'))

interface BulkChangeDialogProps {
  season: Season
  rows: readonly StudentRow[]
  onChanged: (changed: BulkResult) => void
  onClose: () => void
}

const maxNamed = 8
const isKind = (value: string): value is ChangeKind => ['add', 'remove', 'move'].includes(value)

/**
 * Adds or removes a subject, or changes the section, for all selected students. Shows first how many are affected.
 */
export function BulkChangeDialog({ season, rows: selected, onChanged, onClose }: BulkChangeDialogProps) {
  const t = words.use()
  const translate = useSentences()
  const { close, closeAfter } = useClosing(onClose)
  const client = useQueryClient()
  // The rows as they were when the dialog opened: the list behind it may be refetched.
  const [rows] = useState(selected)
  const [kind, setKind] = useState<ChangeKind>('add')
  const [to, setTo] = useState('')
  const { busy, problem, attempt } = useAttempt()
  const [answer, setAnswer] = useState<BulkResult>()
  const changes = bulkChanges(rows, kind, to)
  const unchanged = rows.length - changes.length
  const othersText = { add: 'haveAlready', remove: 'haveNot', move: 'alreadyThere' } as const
  const { catalogue } = useEntryOffers(season)
  // Subjects to add: open ones that at least one of the selected classes can take.
  const offered = [...new Set(rows.map((row) => row.classId))]
    .flatMap((classId) => catalogue?.offerTo(classId) ?? [])
    .filter(({ letter }) => !catalogue?.closed(letter) && !catalogue?.signedOff?.(letter))
    .map(({ name }) => name)
  const names = [...new Set(kind === 'remove' ? rows.flatMap((row) => row.subjectName.split(',')) : offered)]
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (changes.length === 0) return
    await attempt(async () => {
      const result = await sendChanges(season, changes)
      await client.invalidateQueries()
      if (result.changed > 0) onChanged(result)
      if (result.refused.length > 0) setAnswer(result)
      else closeAfter()
    })
  }
  if (answer) {
    const { changed, refused } = answer
    return (
      <Dialog opened onClose={close} title={t('title', { n: rows.length })} size="small">
        <DialogBody>
          {changed > 0 && <Note kind="ok">{t('changed', { n: changed })}</Note>}
          <Note kind="bad">
            <b>{t('refused', { n: refused.length })}</b>
            {refused.slice(0, maxNamed).map(({ id, studentName, message }) => (
              <p key={id}>{t('why', { name: studentName, message: translate(message) })}</p>
            ))}
            {refused.length > maxNamed && <p>{t('more', { n: refused.length - maxNamed })}</p>}
          </Note>
        </DialogBody>
        <DialogFoot>
          <Button kind="primary" onClick={close} data-autofocus>
            {t('close')}
          </Button>
        </DialogFoot>
      </Dialog>
    )
  }
  return (
    <Dialog opened onClose={close} title={t('title', { n: rows.length })} fact={season} size="small">
      <form className="dlg-form" noValidate onSubmit={(event) => void send(event)}>
        <DialogBody>
          {problem && <Note kind="bad">{problem}</Note>}
          <RadioField
            label={t('what')}
            name="what"
            value={kind}
            choices={(['add', 'remove', 'move'] as const).map((option) => ({
              value: option,
              label: t(option),
            }))}
            onChange={(value) => {
              if (isKind(value)) setKind(value)
              setTo('')
            }}
          />
          <SelectField
            label={t(kind === 'move' ? 'section' : 'subject')}
            empty={t('choose')}
            value={to}
            choices={
              kind === 'move'
                ? sections.map((option) => ({
                    value: option,
                    label: option === '-' ? t('noSection') : option,
                  }))
                : names.map((name) => ({ value: name, label: translateSentence(name) }))
            }
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <p aria-live="polite">
            {to !== '' && (
              <>
                <b>{t('willChange', { n: changes.length })}</b>{' '}
                {unchanged > 0 && t(othersText[kind], { n: unchanged })}
              </>
            )}
          </p>
          {kind !== 'move' && (
            <p className="hint">
              {kind === 'remove' && `${t('booksGo')} `}
              {t('priced')}
            </p>
          )}
        </DialogBody>
        <DialogFoot onCancel={close}>
          <Button
            type="submit"
            kind="primary"
            busy={busy}
            disabled={changes.length === 0 ? t(to === '' ? 'choose' : 'nobody') : undefined}>
            {changes.length === 0 ? t('confirmNone') : t('confirm', { n: changes.length })}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

/** What was just changed, deleted or restored together, with Undo where possible. */
export function ChangedNote({ changed, onDismiss }: { changed: BulkResult; onDismiss: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    if (busy) return
    setBusy(true)
    try {
      const back = await sendChanges(changed.season, changed.before)
      if (back.changed > 0) toast.success(t('undone', { n: back.changed }))
      for (const { studentName: name, message } of back.refused.slice(0, 3))
        toast.error(t('why', { name, message: translateSentence(message) }))
      onDismiss()
    } catch (cause) {
      showRefusal(cause)
    }
    await client.invalidateQueries()
    setBusy(false)
  }
  return (
    <div className="mb-4" role="status">
      <Note kind="ok">
        <b>{t(changed.did, { n: changed.changed })}</b>{' '}
        <button type="button" className="lk" onClick={() => void undo()} aria-busy={busy || undefined}>
          {t('undo')}
        </button>{' '}
        <button type="button" className="lk" onClick={onDismiss}>
          {t('dismiss')}
        </button>
      </Note>
    </div>
  )
}
