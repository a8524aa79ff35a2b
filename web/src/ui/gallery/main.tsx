import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { SchoolLayout } from '#shell/layout-school.tsx'
import { paths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { firstPage, page, portalRouter } from '#shell/router.ts'
import { startSession } from '#shell/session.ts'
import { start } from '#shell/start.tsx'
import { Badge, SubjectCodes } from '../badge.tsx'
import { Button, IconButton, Segmented } from '../button.tsx'
import { DataTable } from '../data-table.tsx'
import type { Sort } from '../data-table-types.ts'
import { ConfirmDialog } from '../dialog.tsx'
import { FilterRow } from '../filter-row.tsx'
import { EmptyState } from '../note.tsx'
import { PageHeader } from '../panel.tsx'
import { SelectField } from '../select-field.tsx'
import { LinkTabs, Tabs } from '../tabs.tsx'
import { SearchField } from '../text-field.tsx'
import { Toaster } from '../toast.tsx'

/** All components in all states, in the school's layout, for looking and for axe. Built by GALLERY=1, never shipped. */
startSession('gallery', {
  userId: 1,
  userName: 'Meera Namunawala',
  schId: 417,
  schCode: 'VNK0417',
  schName: 'Sri Gnanodaya Vidyaniketan Senior Secondary School',
})

const root = createRootRoute({ component: SchoolLayout })
const pages = {
  [paths.dashboard]: page(() => import('./parts.tsx'), 'DashboardParts'),
  [paths.studentEntry]: TableParts,
  [paths.contactDetails]: page(() => import('./parts.tsx'), 'FormParts'),
  '/gallery.html': page(() => import('./parts.tsx'), 'AllParts'),
}
const routes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => root, path, component }),
)
const router = portalRouter(root.addChildren(routes))

void start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
  () => firstPage(router),
)

const names = [
  'Aadhya Kalpanik',
  'Bhavna Misaal',
  'Devansh Namunawala',
  'Ishaan Udaharan',
  'Lakshmi Thirunavukkarasu Misaal',
]
const rows = names.map(
  (name, n) =>
    ({
      id: String(n),
      name,
      roll: 4 * n + 3,
      total: 175 * (n + 1),
      state: n === 0 ? 'paid' : n === 3 ? 'deleted' : 'unpaid',
    }) as const,
)

function TableParts() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['1', '2']))
  const [sort, setSort] = useState<Sort>({ key: 'name', down: false })
  const [view, setView] = useState<'list' | 'table'>('table')
  const [tab, setTab] = useState<'a' | 'b'>('a')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <PageHeader
        title="Manage Student Enrollment"
        fact="312 students in 2026-27. 264 are still to be paid for."
      >
        <Button icon="upload">Import</Button>
        <Button icon="download">Download</Button>
        <Button kind="primary" icon="plus">
          Add Entry
        </Button>
      </PageHeader>
      <LinkTabs label="Results">
        <a href="#main" aria-current="page">
          View result
        </a>
        <a href="#main">Medal List</a>
      </LinkTabs>
      <FilterRow
        set={1}
        onClear={() => undefined}
        search={<SearchField label="Student name" placeholder="Type a name" />}
        view={
          <Segmented
            label="View"
            value={view}
            onChange={setView}
            choices={[
              { value: 'list', label: 'List', icon: 'list' },
              { value: 'table', label: 'Table', icon: 'table' },
            ]}
          />
        }
      >
        <SelectField label="Class" empty="All" choices={[{ value: '7', label: '7' }]} />
        <SelectField label="Section" empty="All" choices={[{ value: 'A', label: 'A' }]} />
      </FilterRow>
      <DataTable
        caption="Students"
        rows={rows}
        rowKey={(row) => row.id}
        sort={sort}
        onSort={setSort}
        gone={(row) => row.state === 'deleted'}
        more={(row) => (row.id === '4' ? <p>Why this rank.</p> : undefined)}
        selection={{
          selected,
          onChange: setSelected,
          selectable: (row) => row.state === 'unpaid',
          name: (row) => row.name,
        }}
        bulk={
          <>
            <span>
              <b>{selected.size} students selected</b>, ₹2,195 in all
            </span>
            <Button icon="download">Download</Button>
            <Button kind="danger" icon="delete" onClick={() => setAsking(true)}>
              Delete
            </Button>
            <Button kind="text" onClick={() => setSelected(new Set())}>
              Clear
            </Button>
          </>
        }
        paging={{ total: 312, page: 1, onPage: () => undefined }}
        columns={[
          {
            key: 'name',
            label: 'Student',
            title: true,
            sortable: true,
            cell: (row) => row.name,
            foot: '13 active students',
          },
          { key: 'class', label: 'Class', cell: () => '7 A' },
          { key: 'roll', label: 'Roll no', num: true, sortable: true, cell: (row) => row.roll },
          {
            key: 'subjects',
            label: 'Subjects',
            cell: () => (
              <SubjectCodes
                of={[
                  { letter: 'M', name: 'Mathematics' },
                  { letter: 'S', name: 'Science' },
                ]}
              />
            ),
          },
          {
            key: 'total',
            label: 'Total',
            num: true,
            strong: true,
            cell: (row) => `₹${row.total}`,
            foot: '₹9,990',
          },
          { key: 'state', label: 'Status', cell: (row) => <Badge kind={row.state}>{row.state}</Badge> },
          {
            key: 'act',
            label: '',
            act: true,
            cell: (row) =>
              row.state === 'unpaid' && (
                <>
                  <IconButton icon="edit" label={`Edit ${row.name}`} />
                  <IconButton icon="delete" label={`Delete ${row.name}`} bad />
                </>
              ),
          },
        ]}
      />
      <Tabs
        label="Steps"
        active={tab}
        onChange={setTab}
        tabs={[
          { key: 'a', label: 'Waiting' },
          { key: 'b', label: 'Done' },
        ]}
      >
        <DataTable
          caption="Contacts"
          rows={[]}
          rowKey={() => ''}
          columns={[]}
          empty={<EmptyState>Currently, there are no contacts to display. Please Add New Entry</EmptyState>}
        />
      </Tabs>
      <DataTable caption="Loading" rows={undefined} rowKey={() => ''} columns={[]} />
      <ConfirmDialog
        opened={asking}
        danger
        title="Delete"
        action="Delete"
        onConfirm={() => setAsking(false)}
        onCancel={() => setAsking(false)}
      >
        Do you want delete book order
      </ConfirmDialog>
    </>
  )
}
