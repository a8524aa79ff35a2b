import '../office.css'
import {
  addSchoolNote,
  changeSchoolNote,
  deleteSchoolNote,
  noteKinds,
  type SchoolNote,
  type SchoolRecord,
  schoolNoteForm,
  schoolNotes,
  setFollowedUp,
} from '@podium/contract/schools/calls-record'
import { istDay } from '@podium/contract/season'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { useFilters } from '#shell/filters.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { dayText, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { useLastPage } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { recordFilters } from '../filters.ts'
import { noteCalls, words } from './words.ts'

type OpenDialog = { action: 'add' } | { action: 'edit' | 'delete'; note: SchoolNote }

/** The office's notes on a school: calls and follow-ups. */
export function Notes({ school }: { school: SchoolRecord }) {
  const t = words.use()
  const filters = useFilters(recordFilters)
  const { page } = filters.values
  const list = useEndpoint(schoolNotes, { query: { id: String(school.id), page: String(page) } })
  useLastPage(list.data, filters)
  const may = useMay('schools.notes')
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const close = () => setOpenDialog(undefined)
  const { data, error, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  const refusal = may ? undefined : t('mayNot')
  const add = (
    <Button
      icon="plus"
      disabled={refusal ?? (school.mergedInto ? t('merged') : undefined)}
      onClick={() => setOpenDialog({ action: 'add' })}>
      {t('add')}
    </Button>
  )
  return (
    <Panel title={t('title')} aside={data.total > 0 && add}>
      {data.total === 0 ? (
        <EmptyState icon="phone" title={t('empty')} actions={add}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <ul className="school-notes ruled">
          {data.data.map((note) => (
            <Note
              key={note.id}
              note={note}
              refusal={refusal}
              onAction={(action) => setOpenDialog({ action, note })}
            />
          ))}
        </ul>
      )}
      {data.total > data.pageSize && (
        <Pager
          total={data.total}
          page={page}
          size={data.pageSize}
          shown={data.data.length}
          onPage={(to) => filters.change({ page: to })}
        />
      )}
      {openDialog?.action === 'add' && <NoteDialog schoolId={school.id} onClose={close} />}
      {openDialog?.action === 'edit' && (
        <NoteDialog schoolId={school.id} note={openDialog.note} onClose={close} />
      )}
      {openDialog?.action === 'delete' && <DeleteNoteDialog note={openDialog.note} onClose={close} />}
    </Panel>
  )
}

function DeleteNoteDialog({
  note: { id: noteId, version },
  onClose,
}: {
  note: SchoolNote
  onClose: () => void
}) {
  const t = words.use()
  return (
    <ConfirmAction
      danger
      title={t('deleteTitle')}
      action={t('delete')}
      act={() => call(deleteSchoolNote, { body: { noteId, version } })}
      invalidates={noteCalls}
      done={t('deleted')}
      onClose={onClose}>
      {t('deleteHint')}
    </ConfirmAction>
  )
}

interface NoteProps {
  note: SchoolNote
  refusal: string | undefined
  onAction: (action: 'edit' | 'delete') => void
}

function Note({ note, refusal, onAction }: NoteProps) {
  const t = words.use()
  const day = dayText(note.at)
  return (
    <li className="stack gap-2">
      <header className="row quiet">
        <Badge tone="mute" icon={note.kind === 'call' ? 'phone' : 'edit'}>
          {t(note.kind)}
        </Badge>
        <span>
          {note.by}, <Moment value={note.at} />
          {note.changedAt !== null && ` · ${t('edited', { day: dayText(note.changedAt) })}`}
        </span>
        {note.isAuthor && refusal === undefined && (
          <span className="push">
            <Button kind="text" aria-label={t('editOf', { day })} onClick={() => onAction('edit')}>
              {t('edit')}
            </Button>
            <Button kind="text" aria-label={t('deleteOf', { day })} onClick={() => onAction('delete')}>
              {t('delete')}
            </Button>
          </span>
        )}
      </header>
      <p>{note.body}</p>
      {note.followUp !== null && <FollowUp note={note} day={note.followUp} refusal={refusal} />}
    </li>
  )
}

/** When the follow-up is, whether it is due, and who has done it. */
function FollowUp({ note, day, refusal }: { note: SchoolNote; day: string; refusal: string | undefined }) {
  const t = words.use()
  const { busy, act } = useAction(noteCalls)
  const { id: noteId, version, followedUp } = note
  const set = (isDone: boolean) =>
    act(
      () => call(setFollowedUp, { body: { noteId, version, done: isDone } }),
      t(isDone ? 'doneToast' : 'reopenedToast'),
    )
  const shown = dayText(day)
  const open = note.due
    ? t(day === istDay(new Date()) ? 'followUpToday' : 'followUpSince', { day: shown })
    : t('followUpOn', { day: shown })
  return (
    <footer className="row">
      {followedUp ? (
        <Badge kind="verified">{t('followedUp', { by: followedUp.by, day: dayText(followedUp.at) })}</Badge>
      ) : (
        <Badge tone={note.due ? 'due' : 'info'} icon="clock">
          {open}
        </Badge>
      )}
      <Button
        className="sm"
        busy={busy}
        disabled={refusal}
        aria-label={followedUp ? undefined : t('doneOf', { day: shown })}
        onClick={() => void set(followedUp === null)}>
        {t(followedUp ? 'reopen' : 'done')}
      </Button>
    </footer>
  )
}

interface NoteDialogProps {
  schoolId: number
  /** The note to change; undefined for a new one */
  note?: SchoolNote
  onClose: () => void
}

/** Writes a note, or changes one of the user's own; what is typed is kept until it is saved. */
function NoteDialog({ schoolId, note, onClose }: NoteDialogProps) {
  const t = words.use()
  const f = useFormDialog({
    schema: schoolNoteForm,
    initialValues: { kind: note?.kind ?? 'call', body: note?.body ?? '', followUp: note?.followUp ?? '' },
    draftKey: note ? `note.${note.id}.${note.version}` : `note.of.${schoolId}`,
    save: (body): Promise<unknown> =>
      note
        ? call(changeSchoolNote, { body: { ...body, noteId: note.id, version: note.version } })
        : call(addSchoolNote, { body: { ...body, id: schoolId } }),
    invalidates: noteCalls,
    done: t('saved'),
    onClose,
  })
  const { field } = f.form
  return (
    <FormDialog of={f} title={t(note ? 'editTitle' : 'addTitle')} save={t('save')}>
      <RadioField
        label={t('kind')}
        name="kind"
        choices={noteKinds.map((value) => ({ value, label: t(value) }))}
        {...field('kind')}
      />
      <TextArea label={t('body')} rows={4} hint={t('bodyHint')} data-autofocus {...field('body')} />
      <DateField label={t('followUp')} optional {...field('followUp')} />
    </FormDialog>
  )
}
