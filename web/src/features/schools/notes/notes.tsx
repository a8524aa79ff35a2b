import '../office.css'
import {
  deleteSchoolNote,
  type SchoolNote,
  type SchoolRecord,
  schoolNotes,
  setFollowedUp,
} from '@podium/contract/schools/calls-record'
import { istDay } from '@podium/contract/season'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { dayText, Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { recordFilters } from '../filters.ts'
import { shownOfNotes, words } from './words.ts'

const NoteDialog = lazy(() => import('./note-dialog.tsx').then((m) => ({ default: m.NoteDialog })))
const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; note: SchoolNote }

/** What the office notes on a school: calls, and when somebody follows up. */
export function Notes({ school }: { school: SchoolRecord }) {
  const t = words.use()
  const filters = useFilters(recordFilters)
  const { page } = filters.values
  const list = useEndpoint(schoolNotes, { query: { id: String(school.id), page: String(page) } })
  const may = useSession()?.permissions?.includes('schools.notes') ?? false
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const { data, error, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  const mayNot = may ? undefined : t('mayNot')
  const add = (
    <Button
      icon="plus"
      disabled={mayNot ?? (school.mergedInto ? t('merged') : undefined)}
      onClick={() => setDoing({ what: 'add' })}
    >
      {t('add')}
    </Button>
  )
  return (
    <Panel title={t('title')} aside={data.total > 0 && add}>
      {data.total === 0 ? (
        <EmptyState icon="phone" title={t('empty')} actions={add}>
          {t('emptySays')}
        </EmptyState>
      ) : (
        <ul className="school-notes ruled">
          {data.data.map((note) => (
            <Note key={note.id} note={note} mayNot={mayNot} onDo={(what) => setDoing({ what, note })} />
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
      <Suspense>
        {doing?.what === 'add' && <NoteDialog schoolId={school.id} onClose={close} />}
        {doing?.what === 'edit' && <NoteDialog schoolId={school.id} note={doing.note} onClose={close} />}
        {doing?.what === 'delete' && <Deletion note={doing.note} onClose={close} />}
      </Suspense>
    </Panel>
  )
}

function Deletion({ note: { id: noteId, version }, onClose }: { note: SchoolNote; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfNotes)
  const drop = async () => {
    await act(() => call(deleteSchoolNote, { body: { noteId, version } }), t('deleted'))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      danger
      busy={busy}
      title={t('deleteTitle')}
      action={t('delete')}
      onConfirm={drop}
      onCancel={onClose}
    >
      {t('deleteSays')}
    </ConfirmDialog>
  )
}

interface NoteProps {
  note: SchoolNote
  mayNot: string | undefined
  onDo: (what: 'edit' | 'delete') => void
}

function Note({ note, mayNot, onDo }: NoteProps) {
  const t = words.use()
  const day = dayText(note.at)
  return (
    <li>
      <header className="row quiet">
        <Badge tone="mute" icon={note.kind === 'call' ? 'phone' : 'edit'}>
          {t(note.kind)}
        </Badge>
        <span>
          {note.by}, <Moment value={note.at} />
          {note.changedAt !== null && ` · ${t('edited', { day: dayText(note.changedAt) })}`}
        </span>
        {note.own && mayNot === undefined && (
          <span className="push">
            <Button kind="text" aria-label={t('editOf', { day })} onClick={() => onDo('edit')}>
              {t('edit')}
            </Button>
            <Button kind="text" aria-label={t('deleteOf', { day })} onClick={() => onDo('delete')}>
              {t('delete')}
            </Button>
          </span>
        )}
      </header>
      <p>{note.body}</p>
      {note.followUp !== null && <FollowUp note={note} day={note.followUp} mayNot={mayNot} />}
    </li>
  )
}

/** When somebody follows up, whether it is due, and who has. */
function FollowUp({ note, day, mayNot }: { note: SchoolNote; day: string; mayNot: string | undefined }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfNotes)
  const { id: noteId, version, followedUp } = note
  const set = (done: boolean) =>
    act(() => call(setFollowedUp, { body: { noteId, version, done } }), t(done ? 'doneSaid' : 'reopenSaid'))
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
        disabled={mayNot}
        aria-label={followedUp ? undefined : t('doneOf', { day: shown })}
        onClick={() => void set(followedUp === null)}
      >
        {t(followedUp ? 'reopen' : 'done')}
      </Button>
    </footer>
  )
}
