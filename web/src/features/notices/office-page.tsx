import './notices.css'
import {
  exportNotices,
  type NoticeState,
  type OfficeNotice,
  officeNotices,
} from '@podium/contract/notices/calls'
import { lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { noticeFilters } from './office-filters.ts'
import { NoticesTable, useNoticeColumns, words } from './office-table.tsx'

const loadEdit = () => import('./office-dialogs.tsx').then((m) => ({ default: m.EditDialog }))
const EditDialog = lazy(loadEdit)
const OpenDialog = lazy(() => import('./office-dialogs.tsx').then((m) => ({ default: m.OpenDialog })))
const EndDialog = lazy(() => import('./office-dialogs.tsx').then((m) => ({ default: m.EndDialog })))

/** The open dialog: a notice to view, write, change, copy or end. */
type OpenNotice = { action: 'write' } | { action: 'open' | 'edit' | 'again' | 'end'; notice: OfficeNotice }

/** The office's notices to schools: live, scheduled and over. */
export function OfficeNoticesPage() {
  const t = words.use()
  const filters = useFilters(noticeFilters)
  const { state, search, page } = filters.values
  const list = useEndpoint(officeNotices, { query: { state, search, page: String(page) } })
  const mayWrite = useMay('notices.write')
  const [openNotice, setOpenNotice] = useState<OpenNotice>()
  const { columns, tools } = useListView(
    'notices',
    useNoticeColumns((act, notice) => setOpenNotice({ action: act, notice })),
  )
  const counts = list.data?.counts
  const tab = (value: NoticeState) => ({
    value,
    label: counts ? t('tab', { state: t(value), n: counts[value] }) : t(value),
  })
  return (
    <>
      <PageHeader title={t('title')} fact={counts && t('fact', { n: counts.live })}>
        <ListDownloads endpoint={exportNotices} bodyOf={(format) => ({ state, search, format })} />
        <Button
          kind="primary"
          icon="plus"
          disabled={mayWrite ? undefined : t('mayNotWrite')}
          onClick={() => setOpenNotice({ action: 'write' })}
          onPointerEnter={() => void loadEdit()}
        >
          {t('write')}
        </Button>
      </PageHeader>
      <FilterRow
        set={0}
        {...(search === '' ? {} : { onClear: () => filters.change({ search: '' }) })}
        search={
          <SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />
        }
        view={
          <div className="view-tools">
            <Segmented
              label={t('show')}
              value={filters.shown.state}
              choices={[tab('live'), tab('planned'), tab('over')]}
              onChange={(next) => filters.change({ state: next })}
            />
            {tools}
          </div>
        }
      />
      <NoticesTable
        list={list}
        state={state}
        searched={search !== ''}
        page={page}
        onPage={(next) => filters.change({ page: next })}
        columns={columns}
      />
      {openNotice && <NoticeDialogs openNotice={openNotice} onHand={setOpenNotice} />}
    </>
  )
}

function NoticeDialogs({
  openNotice,
  onHand,
}: {
  openNotice: OpenNotice
  onHand: (hand: OpenNotice | undefined) => void
}) {
  const close = () => onHand(undefined)
  return (
    <Suspense>
      {openNotice.action === 'open' ? (
        <OpenDialog
          notice={openNotice.notice}
          onClose={close}
          onAct={(action) => onHand({ ...openNotice, action })}
        />
      ) : openNotice.action === 'end' ? (
        <EndDialog notice={openNotice.notice} onClose={close} />
      ) : (
        <EditDialog
          notice={openNotice.action === 'write' ? undefined : openNotice.notice}
          isCopy={openNotice.action === 'again'}
          onClose={close}
        />
      )}
    </Suspense>
  )
}
