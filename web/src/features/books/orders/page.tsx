import { getBookOrder, type OrderLine } from '@podium/contract/books/calls'
import { classes } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import { getStudentDetails, type StudentRow } from '@podium/contract/students/calls'
import { Link } from '@tanstack/react-router'
import { Suspense, startTransition, useEffect, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useNames, words } from '../figure.ts'
import { OrderTable, sumsOf } from './table.tsx'
import './orders.css'

const pageSize = 20
const listed = (names: string) => names.split(',').filter(Boolean)
const noFilters = { classId: '', subject: '', section: '', rollNo: '', name: '' }

/** The book order by student, as specified (2.11): filtered by class, subject, section, roll no and name. */
function StudentsPanel({ season }: { season: string }) {
  const t = words.use()
  const { ofClass } = useNames()
  const [filters, setFilters] = useState(noFilters)
  const [page, setPage] = useState(1)
  const all = useEndpoint(getStudentDetails, { body: { FYear: season } })
  const active = all.data?.data.filter((row) => row.status)
  const matching = active?.filter((row) => matches(row, filters))
  const field = (name: keyof typeof noFilters) => ({
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setFilters({ ...filters, [name]: event.currentTarget.value })
      setPage(1)
    },
  })
  const choices = (pick: (row: StudentRow) => readonly string[]) =>
    [...new Set(active?.flatMap(pick))].sort().map((value) => ({ value, label: translateSentence(value) }))
  const columns: Column<StudentRow>[] = columnsOf(t, [
    { key: 'class', card: 'beside', cell: (row) => <span className="nowrap">{ofClass(row.classId)}</span> },
    {
      key: 'subject',
      card: 'wide',
      cell: (row) => listed(row.subjectName).map(translateSentence).join(', '),
    },
    { key: 'section', cell: (row) => row.section },
    { key: 'rollNo', num: true, card: 'said', cell: (row) => row.rollNo },
    { key: 'name', title: true, cell: (row) => row.studentName },
    { key: 'books', num: true, card: 'said', cell: (row) => row.bookCount },
    {
      key: 'order',
      label: t('orderNow'),
      act: true,
      card: 'lead',
      // The list of students offers nothing for a paid one.
      cell: (row) =>
        row.paymentStatus ? (
          <span className="quiet">{t('paid')}</span>
        ) : (
          <Link
            to={paths.studentEntry}
            search={{ name: row.studentName, classId: row.classId, section: row.section }}
            aria-label={t('orderFor', { name: row.studentName })}>
            {t('orderNow')}
          </Link>
        ),
    },
  ])
  if (active?.length === 0) return null
  return (
    <Panel title={t('studentsOrder')} padded={false}>
      <div className="bo-find stack gap-3">
        <p className="hint">
          {t('forStudents')} {active?.some((row) => row.paymentStatus) && t('forPaidStudents')}
        </p>
        <div className="grid">
          <SelectField
            label={t('class')}
            className="c2 half-sm"
            empty={t('all')}
            choices={classes.map(({ classId }) => ({ value: String(classId), label: ofClass(classId) }))}
            {...field('classId')}
          />
          <SelectField
            label={t('subject')}
            className="c3"
            empty={t('all')}
            choices={choices((row) => listed(row.subjectName))}
            {...field('subject')}
          />
          <SelectField
            label={t('section')}
            className="c2 half-sm"
            empty={t('all')}
            choices={choices((row) => [row.section])}
            {...field('section')}
          />
          <TextField label={t('rollNo')} className="c2 half-sm" inputMode="numeric" {...field('rollNo')} />
          <TextField label={t('name')} className="c3 full-sm" {...field('name')} />
        </div>
      </div>
      <ListTable
        list={all}
        className="inset"
        caption={t('studentsOrder')}
        columns={columns}
        rows={matching?.slice((page - 1) * pageSize, page * pageSize)}
        rowKey={(row) => String(row.id)}
        folds={(row) => row.studentName}
        empty={<EmptyState icon="search">{t('noStudentFound')}</EmptyState>}
        paging={{ total: matching?.length ?? 0, page, size: pageSize, onPage: setPage }}
      />
    </Panel>
  )
}

function matches(row: StudentRow, filters: typeof noFilters): boolean {
  const { classId, subject, section, rollNo, name } = filters
  if (classId !== '' && row.classId !== Number(classId)) return false
  if (subject !== '' && !listed(row.subjectName).includes(subject)) return false
  if (section !== '' && row.section !== section) return false
  if (rollNo.trim() !== '' && row.rollNo !== Number(rollNo)) return false
  return row.studentName.toLowerCase().includes(name.trim().toLowerCase())
}

const OrderDialog = lazyPart(() => import('./dialogs.tsx'), 'OrderDialog')
const OrderDelete = lazyPart(() => import('./dialogs.tsx'), 'OrderDelete')

type OpenDialog = { what: 'add' } | { what: 'edit' | 'delete'; line: OrderLine }

/** books/order: the copies that a school orders for its library, the amount due and the amount paid (2.11). */
export function BookOrderPage() {
  const t = words.use()
  const season = useSeason()
  const school = useSession()?.schName
  const order = useEndpoint(getBookOrder, { query: { FYear: season } })
  const [opened, show] = useState<OpenDialog>()
  const lines = order.data?.data
  const reasons: Record<string, string> = {
    'books.season_closed': t('seasonClosed', { season }),
    'books.closed': t('allClosed', { season }),
  }
  const can = order.data?.can.add
  const reason = can === undefined || can === true ? undefined : (reasons[can] ?? can)
  // In a transition, because React would show an empty fallback for 300 ms.
  const open = (what: OpenDialog) => startTransition(() => show(what))
  const close = () => show(undefined)
  const add = () => open({ what: 'add' })
  useKey('n', can === true ? add : undefined)
  useEffect(() => {
    const timer = setTimeout(() => void OrderDialog.load(), 600)
    return () => clearTimeout(timer)
  }, [])
  const hasLines = lines !== undefined && lines.length > 0
  const addButton = (
    <Button
      kind="primary"
      icon="plus"
      disabled={reason ?? can === undefined}
      onClick={add}
      aria-keyshortcuts="n">
      {t('addBooks')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('orderTitle')} fact={t('orderFact', { season })}>
        {hasLines && (
          <>
            <Button icon="print" onClick={() => window.print()}>
              {t('print')}
            </Button>
            {addButton}
          </>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      <div ref={hideAfterSkeleton}>
        {order.isError && !lines ? (
          <PanelProblem error={order.error} retry={() => order.refetch()} />
        ) : !lines ? (
          <Panel>
            <Skeleton shape="table" rows={8} />
          </Panel>
        ) : lines.length === 0 ? (
          <Panel padded={false}>
            <EmptyState icon="book" title={t('orderEmptyTitle')} actions={addButton}>
              {reason ?? t('orderEmptyText')}
            </EmptyState>
          </Panel>
        ) : (
          <>
            <OrderTiles lines={lines} />
            {reason && (
              <Note className="mb-4" kind="due">
                {reason}
              </Note>
            )}
            <OrderTable
              season={season}
              lines={lines}
              stale={order.isPlaceholderData}
              edit={(line) => open({ what: 'edit', line })}
              remove={(line) => open({ what: 'delete', line })}
            />
          </>
        )}
        <div className="bo-students mt-6">
          <StudentsPanel season={season} />
        </div>
      </div>
      <Suspense>
        {(opened?.what === 'add' || opened?.what === 'edit') && (
          <OrderDialog
            key={opened.what === 'edit' ? opened.line.id : 'new'}
            season={season}
            line={opened.what === 'edit' ? opened.line : undefined}
            onClose={close}
          />
        )}
        {opened?.what === 'delete' && <OrderDelete line={opened.line} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The number of copies, and the amounts due, being verified and paid. */
function OrderTiles({ lines }: { lines: readonly OrderLine[] }) {
  const t = words.use()
  const all = sumsOf(lines)
  const sumsWith = (status: OrderLine['status']) => sumsOf(lines.filter((line) => line.status === status))
  const due = sumsWith('unpaid')
  const amount = (status: OrderLine['status']) => {
    const { payable, copies } = sumsWith(status)
    return { value: formatRupees(payable), meaning: t('forCopies', { n: copies }) }
  }
  return (
    <Tiles>
      <Tile label={t('copies')} value={count(all.copies)} meaning={t('ofBooks', { n: all.lines })} />
      <Tile
        label={t('toPay')}
        {...amount('unpaid')}
        link={due.lines > 0 ? <Link to={paths.managePayment} /> : undefined}
      />
      <Tile label={t('beingVerified')} {...amount('sent')} />
      <Tile label={t('paid')} {...amount('paid')} />
    </Tiles>
  )
}
