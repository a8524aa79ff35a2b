import '../office.css'
import { type DueContents, exportDue } from '@podium/contract/shipping/calls-orders'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { count } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Downloads } from '../downloads.tsx'
import { JobNote } from '../job-note.tsx'
import { words } from '../words.ts'
import { type Due, useDue, useMayWrite } from './data.ts'
import { DueFilters } from './filter-row.tsx'
import { DueItemsTable, useItemColumns } from './items.tsx'
import { Spares } from './spares-dialog.tsx'
import { DueTable, useDueColumns } from './table.tsx'

const loadAll = () => import('../packets/pack-all-dialog.tsx').then((m) => ({ default: m.PackAllDialog }))
const PackAllDialog = lazy(loadAll)

/** Paid books that are not in a parcel yet. */
export function BookOrdersPage() {
  return <DuePage contents="books" />
}

/** Question papers that are not in a parcel yet. */
export function QuestionPapersDuePage() {
  return <DuePage contents="papers" />
}

/** Medals, prizes, awards and certificates of released results that are not in a parcel yet. */
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
        }
      >
        <Link to={officePaths.packets} className={buttonClass('text')}>
          {t('toPackets')}
        </Link>
        {contents === 'papers' && <Spares season={due.season} />}
        <Downloads fetch={exportDue} body={due.asked} />
        <PackAll due={due} onOpen={() => setPacking(true)} />
      </PageHeader>
      <JobNote />
      {counting > 0 && <Note kind="info">{t('counting', { n: counting })}</Note>}
      {by === 'school' ? <BySchool due={due} /> : <ByItem due={due} />}
      {packing && (
        <Suspense>
          <PackAllDialog due={due} onClose={() => setPacking(false)} />
        </Suspense>
      )}
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
      onPointerEnter={() => void loadAll()}
    >
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
