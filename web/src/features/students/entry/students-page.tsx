import { seasonTrack } from '@podium/contract/dashboard/calls'
import type { Season } from '@podium/contract/season'
import { restoreStudent, type StudentRow, studentStates } from '@podium/contract/students/calls'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, Suspense, startTransition, useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { useFocusBack } from '#shell/focus-back.ts'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LateNote } from '#shell/late/late-note.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { showRefusal } from '#shell/use-downloads.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import type { Sort } from '#ui/columns.ts'
import { Icon } from '#ui/icon.tsx'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note, NothingFound } from '#ui/note.tsx'
import { usePrinting } from '#ui/pager.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { hideAfterSkeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { activationChanges, type BulkResult, sendChanges, withoutRestored } from '../bulk/state.ts'
import { studentFilters } from '../filters.ts'
import { CarryBanner, GridRowsBanner, ImportBanner, PaidHint } from './banners.tsx'
import { LikelyNote, type SavedStudent } from './likely-note.tsx'
import { StudentsCards } from './students-cards.tsx'
import {
  filterBody,
  StudentsFilters,
  useSeasonSubjects,
  useStudents,
  type View,
} from './students-filters.tsx'
import { BulkBar, StudentsTable } from './students-table.tsx'
import { sortRows, type Totals, totalsOf } from './students-totals.ts'
import { words } from './words.ts'
import './students.css'

const key = 'students.view'

/** Returns the view last chosen on this device; `table` by default. */
function readView(): View {
  try {
    return localStorage.getItem(key) === 'list' ? 'list' : 'table'
  } catch {
    return 'table'
  }
}

function writeView(view: View): void {
  try {
    localStorage.setItem(key, view)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

const loadStudentDialog = () => import('./student-dialog.tsx')
const StudentDialog = lazyPart(loadStudentDialog, 'StudentDialog')
/** With the file of the note that follows it, which would move the list under the mouse if it came later. */
const DeleteDialog = lazyPart(async () => {
  const [dialogs] = await Promise.all([import('./list-dialogs.tsx'), ChangedNote.load()])
  return dialogs
}, 'DeleteDialog')
const DownloadDialog = lazyPart(() => import('./list-dialogs.tsx'), 'DownloadDialog')
const BulkChangeDialog = lazyPart(() => import('../bulk/dialog.tsx'), 'BulkChangeDialog')
const ChangedNote = lazyDialog(() => import('../bulk/dialog.tsx'), 'ChangedNote')

type OpenDialog =
  | { what: 'add' }
  | { what: 'edit'; row: StudentRow }
  | { what: 'delete'; rows: StudentRow[] }
  | { what: 'download'; rows: readonly StudentRow[]; chosen: boolean }
  | { what: 'change'; rows: StudentRow[] }

const pageSize = 50

/**
 * Manage Student Enrollment (specification, 2.9): the school's students of a season, added, changed, deleted,
 * imported.
 */
export function StudentsPage() {
  const t = words.use()
  const season = useSeason()
  const school = useSession()?.schName
  const filters = useFilters(studentFilters)
  const { rows, all, error, stale, retry } = useStudents(season, filters.values)
  const { subjects, closed } = useSeasonSubjects(season)
  const [view, setView] = useState<View>(readView)
  const [sort, setSort] = useState<Sort>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [opened, show] = useState<OpenDialog>()
  const focus = useFocusBack()
  const [saved, setSaved] = useState<SavedStudent>()
  const [changed, setChanged] = useState<BulkResult>()
  // The note about a deletion goes away once all of it is undone.
  const restore = useRestore(({ id }) => setChanged((note) => withoutRestored(note, id)), focus)
  const restoreAll = useRestoreAll(season, setChanged)
  const after = (cleanUp: () => void) => () => {
    cleanUp()
    focus.goBack()
  }
  const printing = usePrinting()
  const closedReason = closed ? t('seasonClosed', { season }) : undefined
  const setOpened = (what: OpenDialog) => {
    focus.remember()
    // In a transition, because React would show an empty fallback for 300 ms.
    startTransition(() => show(what))
  }
  const add = () => setOpened({ what: 'add' })
  const close = () => {
    show(undefined)
    focus.goBack()
  }
  useKey('n', closedReason === undefined ? add : undefined)
  useEffect(() => {
    const timer = setTimeout(() => void loadStudentDialog(), 600)
    return () => clearTimeout(timer)
  }, [])

  const counts = all && totalsOf(all)
  const ordered = rows && sortRows(rows, sort)
  const last = Math.max(1, Math.ceil((ordered?.length ?? 0) / pageSize))
  const page = Math.min(filters.values.page, last)
  const shown = printing ? ordered : ordered?.slice((page - 1) * pageSize, page * pageSize)
  const chosen = rows?.filter((row) => row.can.delete === true && selected.has(String(row.id))) ?? []
  const deletedRows = rows?.filter((row) => row.can.restore === true && selected.has(String(row.id))) ?? []
  const selection = {
    selected: new Set([...chosen, ...deletedRows].map((row) => String(row.id))),
    onChange: setSelected,
    selectable: (row: StudentRow) => row.can.delete === true || row.can.restore === true,
    name: (row: StudentRow) => row.studentName,
  }
  const selectable = rows?.filter(selection.selectable) ?? []
  const pageWhole = shown?.filter(selection.selectable).every((row) => selected.has(String(row.id)))
  const uses = {
    edit: (row: StudentRow) => setOpened({ what: 'edit', row }),
    remove: (deletedRows: StudentRow[]) => setOpened({ what: 'delete', rows: deletedRows }),
    restore,
  }
  const list = {
    season,
    totals: totalsOf(rows ?? []),
    uses,
    stale,
    selection,
    bulk: (
      <BulkBar
        rows={chosen}
        deletedRows={deletedRows}
        more={pageWhole && selectable.length > selection.selected.size ? selectable.length : 0}
        onAll={() => setSelected(new Set(selectable.map((row) => String(row.id))))}
        onRestore={() => void restoreAll(deletedRows).then(focus.goBack)}
        onChange={() => setOpened({ what: 'change', rows: chosen })}
        onDownload={() => setOpened({ what: 'download', rows: chosen, chosen: true })}
        onDelete={() => setOpened({ what: 'delete', rows: chosen })}
        onClear={after(() => setSelected(new Set()))}
      />
    ),
    paging: {
      total: ordered?.length ?? 0,
      page,
      size: pageSize,
      onPage: (next: number) => filters.change({ page: next }),
    },
  }
  const names = [
    ...new Set([
      ...subjects.map((subject) => subject.subjectName),
      ...(all ?? []).flatMap((row) => row.subjectName.split(',')).filter(Boolean),
    ]),
  ]
  const noneAtAll = all?.length === 0
  const empty = noneAtAll ? (
    <EmptyState
      icon="users"
      title={t('emptyTitle')}
      actions={
        <>
          {!closedReason && <GridLink />}
          <ImportLink closedReason={closedReason} />
          <Button kind="primary" icon="plus" disabled={closedReason} onClick={add}>
            {t('addEntry')}
          </Button>
        </>
      }>
      {closedReason ?? t('emptyText')}
    </EmptyState>
  ) : (
    <NothingFound title={t('noMatchTitle')} onClear={filters.clear}>
      {t('noMatchText', { season })}
    </NothingFound>
  )
  return (
    <>
      <PageHeader title={t('title')} fact={<StudentsFact season={season} counts={counts} />}>
        {!noneAtAll && (
          <>
            {!closedReason && <GridLink />}
            <ImportLink closedReason={closedReason} />
            <Button
              icon="download"
              aria-label={t('downloadStudents')}
              disabled={!ordered?.length}
              onClick={() => setOpened({ what: 'download', rows: ordered ?? [], chosen: false })}>
              {t('download')}
            </Button>
            <Button kind="primary" icon="plus" disabled={closedReason} onClick={add} aria-keyshortcuts="n">
              {t('addEntry')}
            </Button>
          </>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      <div ref={hideAfterSkeleton}>
        {!closedReason && <LateNote season={season} />}
        {closedReason && !noneAtAll && (
          <Note className="mb-4" kind="due">
            {closedReason}
          </Note>
        )}
        <ImportBanner />
        {!closedReason && <GridRowsBanner key={season} season={season} />}
        <CarryBanner season={season} />
        {changed?.season === season && (
          <ChangedNote
            changed={changed}
            onDismiss={after(() => setChanged((now) => (now === changed ? undefined : now)))}
          />
        )}
        {saved && <LikelyNote saved={saved} onDismiss={after(() => setSaved(undefined))} />}
        {!noneAtAll && (
          <StudentsFilters
            subjects={names}
            all={all}
            view={view}
            onView={(next) => {
              writeView(next)
              setView(next)
            }}
          />
        )}
        {error && !rows ? (
          <Panel>
            <LoadProblem error={error} retry={retry} />
          </Panel>
        ) : view === 'list' && shown && shown.length > 0 ? (
          <StudentsCards {...list} rows={shown} />
        ) : (
          <StudentsTable {...list} rows={shown} empty={empty} sort={sort} onSort={setSort} />
        )}
        {shown?.some(({ status, paymentStatus }) => status && paymentStatus) && <PaidHint />}
      </div>
      <Suspense>
        {(opened?.what === 'add' || opened?.what === 'edit') && (
          <StudentDialog
            key={opened.what === 'edit' ? opened.row.id : 'new'}
            season={season}
            row={opened.what === 'edit' ? opened.row : undefined}
            start={{
              classId: filters.values.classId === 0 ? '' : String(filters.values.classId),
              section: filters.values.section,
            }}
            onSaved={setSaved}
            onClose={close}
          />
        )}
        {opened?.what === 'delete' && (
          <DeleteDialog season={season} rows={opened.rows} onDeleted={setChanged} onClose={close} />
        )}
        {opened?.what === 'download' && (
          <DownloadDialog
            season={season}
            rows={opened.rows}
            chosen={opened.chosen}
            filter={{
              ...filterBody(season, filters.values),
              state: studentStates.find((state) => state === filters.values.state),
            }}
            onClose={close}
          />
        )}
        {opened?.what === 'change' && (
          <BulkChangeDialog season={season} rows={opened.rows} onChanged={setChanged} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function GridLink() {
  const t = words.use()
  return (
    <Link to={paths.gridEntry} className={buttonClass('secondary')}>
      <Icon name="list" small />
      {t('grid')}
    </Link>
  )
}

/** Links to the import page; for a closed season, to its history. */
function ImportLink({ closedReason }: { closedReason: string | undefined }) {
  const t = words.use()
  return (
    <Link to={paths.importDesk} className={buttonClass('secondary')} title={closedReason}>
      <Icon name="upload" />
      {t('import')}
    </Link>
  )
}

/** The number of students, in all and by status, each a link that filters the list. */
function StudentsFact({ season, counts }: { season: string; counts: Totals | undefined }) {
  const t = words.use()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  if (!counts || track.isPending) return <span className="st-fact">{'\u00a0'}</span>
  const next = track.data?.next
  const books = next?.key === 'payment' ? next.books : 0
  const { active, unpaid, locked, deleted } = counts
  const stateLink = (state: string, text: string) => (
    <Link to={paths.studentEntry} search={{ state }} className="lk">
      {text}
    </Link>
  )
  const facts: ReactNode[] = [
    t('factStudents', { n: active, season }),
    unpaid > 0 && stateLink('unpaid', t('factUnpaid', { n: unpaid })),
    locked > 0 && stateLink('locked', t('factLocked', { n: locked })),
    active > 0 && unpaid + locked + books === 0 && t('factPaid'),
    // Library books are included: the payments page says what each payment is for.
    books > 0 && (
      <Link to={paths.managePayment} className="lk">
        {t('factBooks', { n: books })}
      </Link>
    ),
    deleted > 0 && stateLink('deleted', t('factDeleted', { n: deleted })),
  ].filter(Boolean)
  return (
    <span className="st-fact">
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other
        <Fragment key={index}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </span>
  )
}

/** Restores several deleted students and reports how to undo that; names those that can't be restored. */
function useRestoreAll(season: Season, onRestored: (changed: BulkResult) => void) {
  const t = words.use()
  const client = useQueryClient()
  return async (rows: readonly StudentRow[]) => {
    try {
      const back = await sendChanges(season, activationChanges(rows, true), 'restored')
      if (back.changed > 0) onRestored(back)
      for (const { studentName: name, message } of back.refused.slice(0, 3))
        toast.error(t('notDeleted', { name, message: translateSentence(message) }))
    } catch (cause) {
      showRefusal(cause)
    }
    await client.invalidateQueries()
  }
}

/** Restores a deleted student and shows a message. */
function useRestore(
  onRestored: (row: StudentRow) => void,
  focus: ReturnType<typeof useFocusBack>,
): (row: StudentRow) => void {
  const t = words.use()
  const client = useQueryClient()
  const restore = async (row: StudentRow) => {
    focus.remember()
    try {
      await call(restoreStudent, { body: { studentId: row.id, version: row.version } })
      toast.success(t('restoredToast', { name: row.studentName }))
      onRestored(row)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(t('notDeleted', { name: row.studentName, message: translateSentence(cause.message) }))
    }
    await client.invalidateQueries()
    focus.goBack()
  }
  return (row) => void restore(row)
}
