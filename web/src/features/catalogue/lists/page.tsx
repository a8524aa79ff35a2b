import { lazyDialog } from '#ui/lazy-part.ts'
import '../catalogue.css'
import {
  exportList,
  filterEntries,
  type ListEntry,
  type ListKind,
  listKinds,
  listOffers,
  listSorts,
  officeList,
  orderedKinds,
  orderList,
  switchListEntry,
} from '@podium/contract/catalogue/calls-lists'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { Day, nothing } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import { choicesOf, ListFilters } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState, NothingFound } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import type en from '#words/en/catalogue-lists.json'
import { listFilters } from '../filters.ts'

const listWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-lists.json'))

const namesOf = (entries: readonly ListEntry[], of: 'state' | 'zone', includedName: string) =>
  [...new Set([...entries.map((entry) => entry[of]), includedName].filter(Boolean))].toSorted((a, b) =>
    a.localeCompare(b, 'en'),
  )

interface Props {
  filters: ReturnType<typeof useFilters<typeof listFilters.readers>>
  entries: readonly ListEntry[]
  view: ReactNode
}

/** Search, place, whether it is offered, and the sort order. */
function EntryFilters({ filters, entries, view }: Props) {
  const t = listWords.use()
  const { list, state, zone } = filters.shown
  const placeOf = (name: 'state' | 'zone', chosen: string) => ({
    label: t(name),
    all: t('all'),
    choices: choicesOf(namesOf(entries, name, chosen), String),
  })
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search') },
        state: list === 'districts' && placeOf('state', state),
        zone: list === 'states' && placeOf('zone', zone),
        offered: {
          label: t('offered'),
          choices: choicesOf(listOffers, (value) => t(value === '' ? 'all' : value)),
        },
        sort: {
          label: t('order'),
          choices: choicesOf(list === 'holidays' ? ['', 'name'] : listSorts, (value) => t(orders[value])),
        },
      }}
      view={view}
    />
  )
}

const orders = { '': 'ownOrder', name: 'byName', used: 'byUse' } as const

const EntryDialog = lazyDialog(() => import('./entry-dialog.tsx'), 'EntryDialog')

/** The lists that forms choose from, one at a time. */
export function ListsPage() {
  const t = listWords.use()
  const filters = useFilters(listFilters)
  const { list: kind, ...filterValues } = filters.values
  const list = useEndpoint(officeList, { query: { kind } })
  const [editedEntry, setEditedEntry] = useState<ListEntry | 'new'>()
  const { data, error, refetch } = list
  const disabledReason = data && data.can.write !== true ? t('mayNotWrite') : undefined
  const entries = list.isPlaceholderData ? undefined : data?.data
  const { columns, tools } = useListView(
    `list-${kind}`,
    useListColumns({
      kind,
      entries,
      disabledReason,
      ownOrder:
        filterEntries(entries ?? [], filterValues).length === entries?.length && filterValues.sort === '',
      onEdit: setEditedEntry,
    }),
  )
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Link to={officePaths.catalogue}>{t('back')}</Link>
        <ListDownloads endpoint={exportList} bodyOf={(format) => ({ kind, ...filterValues, format })} />
        <Button kind="primary" icon="plus" disabled={disabledReason} onClick={() => setEditedEntry('new')}>
          {t('add')}
        </Button>
      </PageHeader>
      <LinkTabs label={t('kinds')}>
        {listKinds.map((name) => (
          <Link
            key={name}
            to="."
            search={listFilters.validate({ list: name })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === kind ? 'page' : undefined}>
            {t(name)}
          </Link>
        ))}
      </LinkTabs>
      <EntryFilters filters={filters} entries={data?.data ?? []} view={tools} />
      {error && !data ? (
        <LoadProblem error={error} retry={refetch} />
      ) : (
        <EntriesTable
          kind={kind}
          columns={columns}
          entries={entries && filterEntries(entries, filterValues)}
          filtered={filters.countSet('search', 'state', 'zone', 'offered') > 0}
          onClear={() => filters.reset(['search', 'state', 'zone', 'offered', 'sort'])}
        />
      )}
      {editedEntry && (
        <EntryDialog
          kind={kind}
          entry={editedEntry === 'new' ? undefined : editedEntry}
          onClose={() => setEditedEntry(undefined)}
        />
      )}
    </>
  )
}

interface ListColumnsProps {
  kind: ListKind
  /** All entries of the list */
  entries: readonly ListEntry[] | undefined
  /** Why nothing can be changed */
  disabledReason: string | undefined
  /** The whole list is shown in its own order, so that entries can be moved */
  ownOrder: boolean
  onEdit: (entry: ListEntry) => void
}

interface TableProps {
  kind: ListKind
  columns: readonly Column<ListEntry>[]
  entries: readonly ListEntry[] | undefined
  filtered: boolean
  onClear: () => void
}

const usedWords = { designations: 'usedContacts', titles: 'usedContacts', zones: 'usedStates' } as const

const invalidates = [officeList]

/** Changes a list, shows why if that is refused, and refetches the list. */
function useListAction() {
  const t = listWords.use()
  const { act } = useAction(invalidates)
  return (work: () => Promise<unknown>) => act(work, t('saved'))
}

/** Returns the columns of a list, with the actions on an entry. */
function useListColumns({
  kind,
  entries,
  disabledReason,
  ownOrder,
  onEdit,
}: ListColumnsProps): Column<ListEntry>[] {
  const t = listWords.use()
  const change = useListAction()
  const ordered = orderedKinds.find((candidate) => candidate === kind)
  const used =
    kind === 'states' || kind === 'districts'
      ? 'usedSchools'
      : kind === 'holidays'
        ? undefined
        : usedWords[kind]
  /** The order of the last move while it is saved: the next one goes on from there, and is saved after it. */
  const moving = useRef<{ ids: readonly number[]; saved: Promise<unknown> }>(undefined)
  const move = (entry: ListEntry, by: -1 | 1) => {
    if (!ordered || !entries) return
    const ids = [...(moving.current?.ids ?? entries.map(({ id }) => id))]
    const index = ids.indexOf(entry.id)
    ids.splice(index, 1)
    ids.splice(index + by, 0, entry.id)
    const save = () => change(() => call(orderList, { body: { kind: ordered, ids } }))
    const saved = (moving.current?.saved ?? Promise.resolve()).then(save)
    moving.current = { ids, saved }
    void saved.then(() => {
      if (moving.current?.ids === ids) moving.current = undefined
    })
  }
  const switchIt = ({ id, version, active }: ListEntry) =>
    void change(() => call(switchListEntry, { body: { kind, id, version, active: !active } }))
  const stays = disabledReason ?? (ownOrder ? undefined : t('moveInOrder'))
  return columnsOf(t, [
    { key: 'name', title: true, cell: (row) => row.name },
    { key: 'nameHi', cell: (row) => <span lang="hi">{row.nameHi || nothing}</span> },
    kind === 'holidays' && { key: 'day', cell: (row) => <Day value={row.day} /> },
    kind === 'states' && { key: 'code', cell: (row) => row.code },
    kind === 'states' && { key: 'zone', cell: (row) => row.zone },
    kind === 'districts' && { key: 'state', cell: (row) => row.state },
    used && { key: 'used', cell: (row) => t(used, { n: row.used }) },
    {
      key: 'offered',
      cell: (row) => <Badge kind={row.active ? 'active' : 'inactive'}>{t(row.active ? 'on' : 'off')}</Badge>,
    },
    {
      key: 'acts',
      label: '',
      act: true,
      cell: (row) => {
        const lockReason = disabledReason ?? (row.fixed ? t('fixed') : undefined)
        const index = entries?.indexOf(row) ?? 0
        return (
          <span className="row inline gap-2">
            {ordered && (
              <>
                <IconButton
                  icon="up"
                  label={t('up', { name: row.name })}
                  disabled={stays ?? index === 0}
                  onClick={() => move(row, -1)}
                />
                <IconButton
                  icon="down"
                  label={t('down', { name: row.name })}
                  disabled={stays ?? index === (entries?.length ?? 0) - 1}
                  onClick={() => move(row, 1)}
                />
              </>
            )}
            <IconButton
              icon="edit"
              label={t('edit', { name: row.name })}
              disabled={lockReason}
              onClick={() => onEdit(row)}
            />
            <Button
              aria-label={t(row.active ? 'switchOffOf' : 'switchOnOf', { name: row.name })}
              disabled={lockReason}
              onClick={() => switchIt(row)}>
              {t(row.active ? 'switchOff' : 'switchOn')}
            </Button>
          </span>
        )
      },
    },
  ])
}

/** The filtered list. */
function EntriesTable({ kind, columns, entries, filtered, onClear }: TableProps) {
  const t = listWords.use()
  return (
    <DataTable
      caption={t(kind)}
      columns={columns}
      rows={entries}
      rowKey={({ id }) => String(id)}
      gone={({ active }) => !active}
      empty={
        filtered ? (
          <NothingFound title={t('nothingFound')} onClear={onClear} />
        ) : (
          <EmptyState>{t('none')}</EmptyState>
        )
      }
      cardColumns={2}
    />
  )
}
