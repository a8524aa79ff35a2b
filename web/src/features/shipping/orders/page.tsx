import {
  type DueContents,
  type DueItem,
  exportDue,
  officeSpares,
  saveSpares,
  sparePapers,
  spareRule,
} from '@podium/contract/shipping/calls-orders'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { DialogForm, useFormDialog } from '#shell/form-dialog.tsx'
import { count } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type Due, dispatchCalls, useDue, useMayWrite, words } from '../data.tsx'
import { DueFilters, JobNote } from '../list-head.tsx'
import { DueTable, NothingDue, neededCopiesWords, useDueColumns } from './table.tsx'
import '../shipping.css'

/** The button that shows and changes the season's rule for spare papers. */
export function Spares({ season }: { season: string }) {
  const t = words.use()
  const mayWrite = useMayWrite()
  const [open, setOpen] = useState(false)
  const { data, isError, error, refetch } = useEndpoint(officeSpares, { query: { FYear: season } })
  const rule = data?.rule
  const label = !rule
    ? t('spares')
    : rule.percent > 0 || rule.minimum > 0
      ? t('sparesRule', { percent: rule.percent, minimum: rule.minimum })
      : t('sparesNone')
  return (
    <>
      <Button icon="edit" disabled={mayWrite ? undefined : t('mayNotWrite')} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Dialog opened onClose={() => setOpen(false)} title={t('sparesTitle', { season })} size="small">
          {data ? (
            <Rule key={data.version} season={season} spares={data} onClose={() => setOpen(false)} />
          ) : (
            <DialogBody>
              {isError ? <LoadProblem error={error} retry={refetch} /> : <Skeleton shape="text" rows={3} />}
            </DialogBody>
          )}
        </Dialog>
      )}
    </>
  )
}

interface RuleProps {
  season: string
  spares: Answer<typeof officeSpares>
  onClose: () => void
}

/** Number of students in the example. */
const exampleClass = 34

function Rule({ season, spares, onClose }: RuleProps) {
  const t = words.use()
  const { rule, setFor, version } = spares
  const f = useFormDialog({
    schema: spareRule,
    initialValues: rule,
    save: (values) => call(saveSpares, { body: { ...values, FYear: season, version } }),
    invalidates: dispatchCalls,
    done: t('saved'),
    onClose,
  })
  const percent = Number(f.form.useWatchValue('percent'))
  const minimum = Number(f.form.useWatchValue('minimum'))
  const fits = spareRule.safeParse({ percent, minimum }).success
  return (
    <DialogForm of={f} save={t('save')}>
      <p>{t('sparesHint')}</p>
      {setFor !== null && setFor !== season && <p className="quiet">{t('sparesFrom', { season: setFor })}</p>}
      <NumberField label={t('sparePercent')} {...f.form.field('percent')} />
      <NumberField label={t('spareMinimum')} {...f.form.field('minimum')} />
      {fits && (
        <p className="quiet" aria-live="polite">
          {t('sparesExample', { children: exampleClass, n: sparePapers(exampleClass, { percent, minimum }) })}
        </p>
      )}
    </DialogForm>
  )
}

const PackAllDialog = lazyDialog(() => import('../packets/pack-dialog.tsx'), 'PackAllDialog')

/** The page of paid books that are not in a parcel yet. */
export function BookOrdersPage() {
  return <DuePage contents="books" />
}

/** The page of question papers that are not in a parcel yet. */
export function QuestionPapersDuePage() {
  return <DuePage contents="papers" />
}

/** The page of medals, prizes, awards and certificates of released results that are not in a parcel yet. */
export function AwardsDuePage() {
  return <DuePage contents="awards" />
}

const titles = {
  books: 'booksTitle',
  papers: 'papersTitle',
  awards: 'awardsTitle',
} as const satisfies Record<DueContents, string>

function DuePage({ contents }: { contents: DueContents }) {
  const t = words.use()
  const due = useDue(contents)
  const [packing, setPacking] = useState(false)
  const { sums, counting, by } = due
  return (
    <>
      <PageHeader
        title={t(titles[contents])}
        fact={
          sums &&
          t(contents === 'awards' ? 'awardsFact' : 'dueFact', { copies: count(sums.due), n: sums.schools })
        }>
        <Link to={officePaths.packets} className={buttonClass('text')}>
          {t('toPackets')}
        </Link>
        {contents === 'papers' && <Spares season={due.season} />}
        <ListDownloads endpoint={exportDue} bodyOf={(format) => ({ ...due.asked, format })} />
        <PackAll due={due} onOpen={() => setPacking(true)} />
      </PageHeader>
      <JobNote />
      {counting > 0 && <Note kind="info">{t('counting', { n: counting })}</Note>}
      {by === 'school' ? <BySchool due={due} /> : <ByItem due={due} />}
      {packing && <PackAllDialog due={due} onClose={() => setPacking(false)} />}
    </>
  )
}

function PackAll({ due, onOpen }: { due: Due; onOpen: () => void }) {
  const t = words.use()
  const mayWrite = useMayWrite()
  const nothing = due.sums?.due === 0 ? t('nothingDue') : undefined
  return (
    <Button
      kind="primary"
      icon="box"
      disabled={mayWrite ? nothing : t('mayNotWrite')}
      onClick={onOpen}
      onPointerEnter={() => void PackAllDialog.load()}>
      {t('packAll')}
    </Button>
  )
}

function BySchool({ due }: { due: Due }) {
  const columns = useDueColumns(due)
  const view = useListView(`due-${due.contents}`, columns)
  return (
    <>
      <DueFilters due={due} view={view.tools} />
      <DueTable due={due} columns={view.columns} />
    </>
  )
}

function ByItem({ due }: { due: Due }) {
  const columns = useItemColumns(due)
  const view = useListView(`due-items-${due.contents}`, columns)
  return (
    <>
      <DueFilters due={due} view={view.tools} />
      <DueItemsTable due={due} columns={view.columns} />
    </>
  )
}

/** The items to send by subject, class and kind: what to print and what to take from the shelf. */
function DueItemsTable({ due, columns }: { due: Due; columns: Column<DueItem>[] }) {
  const t = words.use()
  return (
    <ListTable
      list={due.items}
      caption={t('itemsCaption')}
      columns={columns}
      rowKey={(row) => `${row.eventYearId}.${row.classId}.${row.kind}`}
      compact
      empty={<NothingDue due={due} />}
    />
  )
}

function useItemColumns(due: Due): Column<DueItem>[] {
  const t = words.use()
  const rows = due.items.data?.data ?? []
  const sum = (of: (row: DueItem) => number) => count(rows.reduce((total, row) => total + of(row), 0))
  const number = (key: 'wanted' | 'packed' | 'due' | 'spare' | 'extra', label: string): Column<DueItem> => ({
    key,
    label,
    num: true,
    strong: key === 'due',
    cell: (row) => count(row[key]),
    foot: sum((row) => row[key]),
  })
  return columnsOf(t, [
    {
      key: 'subject',
      title: true,
      foot: t('all'),
      cell: (row) => `${translateSentence(row.subjectName)} (${row.eventLetter})`,
    },
    { key: 'class', cell: (row) => translateSentence(row.className) },
    { key: 'kind', label: t('item'), card: 'wide', cell: (row) => translateSentence(row.bookCategory) },
    { key: 'schools', num: true, cell: (row) => count(row.schools) },
    number('wanted', t(neededCopiesWords[due.contents])),
    due.contents === 'papers' && number('spare', t('spare')),
    number('packed', t('packed')),
    number('due', t('due')),
    due.contents === 'awards' && number('extra', t('extra')),
  ])
}
