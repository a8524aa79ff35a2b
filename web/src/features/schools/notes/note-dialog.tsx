import {
  addSchoolNote,
  changeSchoolNote,
  noteKinds,
  type SchoolNote,
  schoolNoteForm,
} from '@podium/contract/schools/calls-record'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useInvalidate } from '#shell/query.ts'
import { RadioField } from '#ui/check-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfNotes, words } from './words.ts'

interface NoteDialogProps {
  schoolId: number
  /** The one to be changed; a new one without it */
  note?: SchoolNote
  onClose: () => void
}

/** Writes a note, or changes one's own; what is typed stays until it is saved. */
export function NoteDialog({ schoolId, note, onClose }: NoteDialogProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfNotes)
  const f = usePortalForm({
    schema: schoolNoteForm,
    initialValues: { kind: note?.kind ?? 'call', body: note?.body ?? '', followUp: note?.followUp ?? '' },
    draftKey: note ? `note.${note.id}.${note.version}` : `note.of.${schoolId}`,
    save: async (body) => {
      const saved = note
        ? call(changeSchoolNote, { body: { ...body, noteId: note.id, version: note.version } })
        : call(addSchoolNote, { body: { ...body, id: schoolId } })
      await saved.finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const field = (name: 'kind' | 'body' | 'followUp') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  const { key: kindKey, ...kind } = field('kind')
  const { key: bodyKey, ...body } = field('body')
  const { key: dayKey, ...day } = field('followUp')
  return (
    <FormDialog of={f} onClose={onClose} title={t(note ? 'editTitle' : 'addTitle')} save={t('save')}>
      <RadioField
        key={kindKey}
        label={t('kind')}
        name="kind"
        choices={noteKinds.map((value) => ({ value, label: t(value) }))}
        {...kind}
      />
      <TextArea key={bodyKey} label={t('body')} rows={4} hint={t('bodyHint')} data-autofocus {...body} />
      <DateField key={dayKey} label={t('followUp')} optional {...day} />
    </FormDialog>
  )
}
