import {
  type DataRequest,
  dataRequests,
  exportDataRequests,
  requestKinds,
} from '@podium/contract/privacy/calls'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { requestFilters } from '../filters.ts'
import { useRequestColumns, words } from './request-columns.tsx'

const RequestDialog = lazyDialog(() => import('./dialogs.tsx'), 'RequestDialog')
const AskDialog = lazyDialog(() => import('./dialogs.tsx'), 'AskDialog')

/**
 * Returns the current state of the open request. A finished one leaves the list of open requests, but can still be
 * read.
 */
function useLatestRequest(opened: DataRequest | undefined): DataRequest | undefined {
  const ofChild = useEndpoint(dataRequests, {
    query: { state: 'all', student: String(opened?.studentId ?? 0) },
    enabled: opened !== undefined,
  })
  return opened && (ofChild.data?.data.find(({ id }) => id === opened.id) ?? opened)
}

/** Families' requests about their children's data, the next due first. */
export function RequestsPage() {
  const t = words.use()
  const filters = useFilters(requestFilters)
  const { state, kind, student, search, page } = filters.values
  const studentId = /^[1-9]\d{0,14}$/.test(student) ? student : ''
  const list = useEndpoint(dataRequests, {
    query: { state, kind, search, page: String(page), ...(studentId === '' ? {} : { student: studentId }) },
  })
  const refusal = useMay('privacy.write') ? undefined : t('mayNot')
  const [opened, setOpened] = useState<DataRequest>()
  const [asking, setAsking] = useState(false)
  const { data } = list
  const request = useLatestRequest(opened)
  return (
    <>
      <ListPage
        name="data-requests"
        title={t('title')}
        fact={t('fact')}
        note={data && data.late > 0 && <Note kind="bad">{t('lateOnes', { n: data.late })}</Note>}
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('searchHint') },
          kind: { label: t('kind'), all: t('allKinds'), choices: choicesOf(requestKinds, t) },
          student: false,
        }}
        tabs={{
          name: 'state',
          label: t('state'),
          choices: choicesOf(['open', 'over', 'all'], (value) => t(`show_${value}`)),
        }}
        caption={t('title')}
        columns={useRequestColumns(setOpened)}
        rowKey={(row) => String(row.id)}
        cardColumns={2}
        empty={
          <EmptyState
            icon="ok"
            title={search !== '' ? t('nothing') : state === 'open' ? t('noneOpen') : t('none')}>
            {t('noneHint')}
          </EmptyState>
        }>
        <ListDownloads
          endpoint={exportDataRequests}
          bodyOf={(format) => ({
            ...{ state, kind, search, format },
            ...(studentId === '' ? {} : { student: Number(studentId) }),
          })}
          disabledReason={refusal}
        />
        {studentId === '' ? (
          <Link className={buttonClass('primary')} to={officePaths.students}>
            {t('chooseChild')}
          </Link>
        ) : (
          <Button kind="primary" disabled={refusal} onClick={() => setAsking(true)}>
            {t('enter')}
          </Button>
        )}
      </ListPage>
      {request && <RequestDialog request={request} onClose={() => setOpened(undefined)} />}
      {asking && <AskDialog studentId={Number(studentId)} onClose={() => setAsking(false)} />}
    </>
  )
}
