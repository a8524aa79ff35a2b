import {
  type ListEntry,
  type ListKind,
  officeList,
  orderedKinds,
  orderList,
  switchListEntry,
} from '@podium/contract/catalogue/calls-lists'
import { call } from '#shell/call.ts'
import { Day } from '#shell/format.tsx'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { listWords } from './words.ts'

interface Shown {
  kind: ListKind
  /** All of the list */
  entries: readonly ListEntry[] | undefined
  /** Why nothing may be changed */
  lock: string | undefined
  /** The whole list is shown in its own order, so that an entry can be moved in it */
  ownOrder: boolean
  onEdit: (entry: ListEntry) => void
}

interface Props {
  kind: ListKind
  columns: readonly Column<ListEntry>[]
  entries: readonly ListEntry[] | undefined
  filtered: boolean
  onClear: () => void
}

const usedWords = { designations: 'usedContacts', titles: 'usedContacts', zones: 'usedStates' } as const

const invalidates = [officeList]

/** Does something to a list and says why not; the list is asked for again. */
function useChange() {
  const t = listWords.use()
  const { act } = useAct(invalidates)
  return (work: () => Promise<unknown>) => act(work, t('saved'))
}

/** The columns of a list, with what changes an entry. */
export function useListColumns({ kind, entries, lock, ownOrder, onEdit }: Shown): Column<ListEntry>[] {
  const t = listWords.use()
  const change = useChange()
  const ordered = orderedKinds.find((one) => one === kind)
  const used =
    kind === 'states' || kind === 'districts'
      ? 'usedSchools'
      : kind === 'holidays'
        ? undefined
        : usedWords[kind]
  const move = (entry: ListEntry, by: -1 | 1) => {
    if (!ordered || !entries) return
    const ids = entries.map(({ id }) => id)
    const at = ids.indexOf(entry.id)
    ids.splice(at, 1)
    ids.splice(at + by, 0, entry.id)
    void change(() => call(orderList, { body: { kind: ordered, ids } }))
  }
  const switchIt = ({ id, version, active }: ListEntry) =>
    void change(() => call(switchListEntry, { body: { kind, id, version, active: !active } }))
  const stays = lock ?? (ownOrder ? undefined : t('moveInOrder'))
  return [
    { key: 'name', label: t('name'), title: true, cell: (row) => row.name },
    { key: 'nameHi', label: t('nameHi'), cell: (row) => <span lang="hi">{row.nameHi || '–'}</span> },
    ...(kind === 'holidays'
      ? [{ key: 'day', label: t('day'), cell: (row: ListEntry) => <Day value={row.day} /> }]
      : []),
    ...(kind === 'states'
      ? [
          { key: 'code', label: t('code'), cell: (row: ListEntry) => row.code },
          { key: 'zone', label: t('zone'), cell: (row: ListEntry) => row.zone },
        ]
      : []),
    ...(kind === 'districts'
      ? [{ key: 'state', label: t('state'), cell: (row: ListEntry) => row.state }]
      : []),
    ...(used ? [{ key: 'used', label: t('used'), cell: (row: ListEntry) => t(used, { n: row.used }) }] : []),
    {
      key: 'offered',
      label: t('offered'),
      cell: (row) => <Badge kind={row.active ? 'active' : 'inactive'}>{t(row.active ? 'on' : 'off')}</Badge>,
    },
    {
      key: 'acts',
      label: '',
      act: true,
      cell: (row) => {
        const why = lock ?? (row.fixed ? t('fixed') : undefined)
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
              disabled={why}
              onClick={() => onEdit(row)}
            />
            <Button
              aria-label={t(row.active ? 'switchOffOf' : 'switchOnOf', { name: row.name })}
              disabled={why}
              onClick={() => switchIt(row)}
            >
              {t(row.active ? 'switchOff' : 'switchOn')}
            </Button>
          </span>
        )
      },
    },
  ]
}

/** A list as its filters leave it. */
export function ListTable({ kind, columns, entries, filtered, onClear }: Props) {
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
          <EmptyState
            icon="search"
            title={t('nothingFound')}
            actions={<Button onClick={onClear}>{t('clear')}</Button>}
          />
        ) : (
          <EmptyState>{t('none')}</EmptyState>
        )
      }
      cardColumns={2}
    />
  )
}
