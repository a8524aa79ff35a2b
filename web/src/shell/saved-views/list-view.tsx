import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import { officeViews, type SavedView } from '@podium/contract/office/calls-saved-views'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/button.tsx'
import type { Column } from '#ui/columns.ts'
import { lazyDialog } from '#ui/lazy-part.ts'
import { MenuButton, type MenuItem } from '#ui/menu-button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { useEndpoint } from '../query.ts'
import { storageKey } from '../session.ts'
import { useDownloads } from '../use-downloads.ts'
import type { ListState } from './view-dialog.tsx'
import './views.css'
import type en from '#words/en/saved-views.json'
import { defineWords } from '../language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/saved-views.json'))

const keyOf = (list: string) => storageKey(`hidden.${list}`)

function stored(list: string): string[] {
  try {
    const columns: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]')
    return Array.isArray(columns) ? columns.map(String) : []
  } catch {
    return []
  }
}

/** Keys of the columns the user hides in a list, stored on this device. */
function useHiddenColumns(list: string) {
  const [hidden, setHidden] = useState(() => stored(list))
  const hide = (keys: readonly string[]) => {
    setHidden([...keys])
    try {
      localStorage.setItem(keyOf(list), JSON.stringify(keys))
    } catch {
      // Without storage the choice is lost with the page.
    }
  }
  return [hidden, hide] as const
}

const ViewDialog = lazyDialog(() => import('./view-dialog.tsx'), 'ViewDialog')

const sorted = (filters: SavedView['filters']) =>
  Object.entries(filters).toSorted(([a], [b]) => a.localeCompare(b))

function isSameView(view: SavedView, now: ListState): boolean {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    isSame(sorted(view.filters), sorted(now.filters)) &&
    isSame([...view.hidden].sort(), [...now.hidden].sort())
  )
}

/** Returns the address's filters without the page number and the open record, which belong to no view. */
function viewFilters(search: Record<string, unknown>): SavedView['filters'] {
  const { page: _, id: __, ...filters } = search
  return filters as SavedView['filters']
}

interface ListView<Row> {
  /** Visible columns; the row's title always is. */
  columns: Column<Row>[]
  /** For `FilterRow view={…}`. */
  tools: ReactNode
}

/**
 * Saved views and the choice of columns (if there are any) of an office list: `list` names it, `columns` are all it can
 * show. Its filters must be in the address (`useFilters`).
 */
export function useListView<Row>(list: string, columns: readonly Column<Row>[]): ListView<Row> {
  const [hidden, hide] = useHiddenColumns(list)
  const optional = columns.filter(({ title, act }) => !title && !act)
  return {
    columns: columns.filter((column) => column.title || column.act || !hidden.includes(column.key)),
    tools: <ViewTools list={list} columns={optional} hidden={hidden} onHide={hide} />,
  }
}

interface ToolsProps {
  list: string
  columns: readonly { key: string; label: string }[]
  hidden: readonly string[]
  onHide: (keys: readonly string[]) => void
}

function ViewTools({ list, columns, hidden, onHide }: ToolsProps) {
  const t = words.use()
  const navigate = useNavigate()
  const now: ListState = { filters: viewFilters(useSearch({ strict: false })), hidden }
  const views = useEndpoint(officeViews, { query: { list } }).data?.data ?? []
  const [open, setOpen] = useState(false)
  const show = (view: SavedView) => {
    onHide(view.hidden)
    void navigate({ to: '.', search: view.filters, replace: true })
  }
  const current = views.find((view) => isSameView(view, now))
  return (
    <div className="view-tools together">
      {views.length > 0 && (
        <SelectField
          label={t('view')}
          value={current ? String(current.id) : ''}
          empty={t('asItIs')}
          choices={views.map((view) => ({
            value: String(view.id),
            label: view.isAuthor ? view.name : t('sharedBy', { name: view.name, by: view.madeBy }),
          }))}
          onChange={(event) => {
            const view = views.find(({ id }) => String(id) === event.currentTarget.value)
            if (view) show(view)
          }}
        />
      )}
      <Button
        icon="table"
        title={t(columns.length > 0 ? 'tools' : 'views')}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void ViewDialog.load()}>
        {t('openView')}
      </Button>
      {open && (
        <ViewDialog
          list={list}
          columns={columns}
          now={now}
          views={views}
          onHide={onHide}
          onShow={(view) => {
            show(view)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

interface Props<E extends Endpoint> {
  endpoint: E
  bodyOf: (format: 'xlsx' | 'csv') => BodyOf<E>
  /** Name of the list, if the page has more than one */
  of?: string | undefined
  /** Why it can't be exported here */
  disabledReason?: string | undefined
  /** Other exports of the list */
  more?: readonly MenuItem[]
}

/** Exports an office list with its filters, behind one button for both formats; the call writes to the audit log. */
export function ListDownloads<E extends Endpoint>({
  endpoint,
  bodyOf,
  of,
  disabledReason,
  more = [],
}: Props<E>) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<'list'>()
  return (
    <MenuButton
      icon="download"
      label={t('export')}
      name={of ? t('exportOf', { of }) : undefined}
      busy={busy !== undefined}
      disabled={disabledReason}
      items={[
        ...formats.map(({ format, label }) => ({
          label,
          name: of ? t('exportOfAs', { of, format: label }) : t('exportAs', { format: label }),
          onChoose: () => void fetchFile('list', endpoint, { body: bodyOf(format) }),
        })),
        ...more,
      ]}
    />
  )
}
