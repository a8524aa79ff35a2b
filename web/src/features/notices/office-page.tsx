import { lazyDialog } from '#ui/lazy-part.ts'
import './notices.css'
import { exportNotices, noticeStates, type OfficeNotice, officeNotices } from '@podium/contract/notices/calls'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { noticeFilters } from './office-filters.ts'
import { useNoticeColumns, words } from './office-table.tsx'

const EditDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'EditDialog')
const OpenDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'OpenDialog')
const EndDialog = lazyDialog(() => import('./office-dialogs.tsx'), 'EndDialog')

/** The open dialog: a notice to view, write, change, copy or end. */
type OpenNotice = { action: 'write' } | { action: 'open' | 'edit' | 'again' | 'end'; notice: OfficeNotice }

const empty = { live: 'noLive', planned: 'noPlanned', over: 'noOver' } as const

/** The office's notices to schools: live, scheduled and over. */
export function OfficeNoticesPage() {
  const t = words.use()
  const filters = useFilters(noticeFilters)
  const { state, search, page } = filters.values
  const list = useEndpoint(officeNotices, { query: { state, search, page: String(page) } })
  const mayWrite = useMay('notices.write')
  const [openNotice, setOpenNotice] = useState<OpenNotice>()
  const counts = list.data?.counts
  return (
    <>
      <ListPage
        name="notices"
        title={t('title')}
        fact={counts && t('fact', { n: counts.live })}
        list={list}
        filters={filters}
        fields={{ search: { label: t('search'), placeholder: t('searchHint') } }}
        tabs={{
          name: 'state',
          label: t('show'),
          choices: choicesOf(noticeStates, (value) =>
            counts ? t('tab', { state: t(value), n: counts[value] }) : t(value),
          ),
        }}
        caption={t('caption', { state: t(state) })}
        columns={useNoticeColumns((action, notice) => setOpenNotice({ action, notice }))}
        rowKey={(notice) => String(notice.id)}
        cardColumns={2}
        nothing={<EmptyState icon="info">{t('nothing')}</EmptyState>}
        empty={<EmptyState icon="info">{t(empty[state])}</EmptyState>}>
        <ListDownloads endpoint={exportNotices} bodyOf={(format) => ({ state, search, format })} />
        <Button
          kind="primary"
          icon="plus"
          disabled={mayWrite ? undefined : t('mayNotWrite')}
          onClick={() => setOpenNotice({ action: 'write' })}
          onPointerEnter={() => void EditDialog.load()}>
          {t('write')}
        </Button>
      </ListPage>
      {openNotice && <NoticeDialogs openNotice={openNotice} onOpen={setOpenNotice} />}
    </>
  )
}

function NoticeDialogs({
  openNotice,
  onOpen,
}: {
  openNotice: OpenNotice
  onOpen: (notice: OpenNotice | undefined) => void
}) {
  const close = () => onOpen(undefined)
  return (
    <>
      {openNotice.action === 'open' ? (
        <OpenDialog
          notice={openNotice.notice}
          onClose={close}
          onAct={(action) => onOpen({ ...openNotice, action })}
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
    </>
  )
}
