import './import.css'
import { schoolImports, schoolImportTemplate, startSchoolImport } from '@podium/contract/schools/calls-import'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useImport } from './data.ts'
import { importFilters } from './filters.ts'
import { OpenImport } from './open-import.tsx'
import { words } from './words.ts'

/** Schools from a spreadsheet: the file, which column is what, what its rows are, and then they are made. */
export function SchoolImportPage() {
  const t = words.use()
  const filters = useFilters(importFilters)
  const id = filters.values.file
  const one = useImport(id)
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Link to={officePaths.schools} className="school-import-back">
          {t('back')}
        </Link>
      </PageHeader>
      {id === '' ? (
        <Start onStarted={(file) => filters.change({ file })} />
      ) : one.isError && !one.data ? (
        <LoadProblem error={one.error} retry={one.refetch} />
      ) : one.data ? (
        <OpenImport key={id} id={id} one={one.data} />
      ) : (
        <Skeleton shape="form" />
      )}
    </>
  )
}

function Start({ onStarted }: { onStarted: (id: string) => void }) {
  const t = words.use()
  const mayWrite = useSession()?.permissions?.includes('schools.write') ?? false
  const [file, setFile] = useState<File | null>(null)
  const { act, busy } = useAct('all')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (file && !busy) void act(async () => onStarted((await call(startSchoolImport, { file })).importId))
  }
  return (
    <div className="stack">
      {!mayWrite && <Note kind="due">{t('mayNot')}</Note>}
      <Panel
        title={t('fileTitle')}
        aside={
          <Button
            icon="download"
            disabled={mayWrite ? undefined : t('mayNot')}
            onClick={() => void act(() => download(schoolImportTemplate))}
          >
            {t('template')}
          </Button>
        }
      >
        <form className="school-import-start" onSubmit={send}>
          <FileField
            label={t('file')}
            hint={t('fileHint')}
            accept=".xlsx,.csv"
            disabled={!mayWrite}
            onChange={setFile}
          />
          <Button
            type="submit"
            kind="primary"
            busy={busy}
            disabled={!mayWrite ? t('mayNot') : file ? undefined : t('chooseFile')}
          >
            {t('check')}
          </Button>
        </form>
      </Panel>
      <Earlier onOpen={onStarted} mayWrite={mayWrite} />
    </div>
  )
}

const stateWords = {
  checking: 'state_checking',
  checked: 'state_checked',
  importing: 'state_importing',
  done: 'state_done',
} as const

function Earlier({ onOpen, mayWrite }: { onOpen: (id: string) => void; mayWrite: boolean }) {
  const t = words.use()
  const list = useEndpoint(schoolImports)
  if (list.isError && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  const said = (state: string) =>
    t(Object.entries(stateWords).find(([name]) => name === state)?.[1] ?? 'state_failed')
  return (
    <Panel title={t('earlier')} padded={false}>
      <DataTable
        caption={t('earlier')}
        compact
        className="inset"
        rows={list.data?.data}
        rowKey={({ id }) => id}
        empty={<p className="pad">{t('none')}</p>}
        columns={[
          { key: 'file', label: t('fileName'), title: true, cell: ({ fileName }) => fileName },
          { key: 'state', label: t('stateLabel'), cell: ({ state }) => said(state) },
          { key: 'by', label: t('by'), cell: ({ by }) => by },
          { key: 'at', label: t('at'), card: 'wide', cell: ({ at }) => <Moment value={at} /> },
          {
            key: 'open',
            label: t('open'),
            act: true,
            cell: ({ id, fileName }) => (
              <Button
                disabled={mayWrite ? undefined : t('mayNot')}
                aria-label={t('openFile', { name: fileName })}
                onClick={() => onOpen(id)}
              >
                {t('open')}
              </Button>
            ),
          },
        ]}
      />
    </Panel>
  )
}
