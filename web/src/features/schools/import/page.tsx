import {
  confirmSchoolImport,
  type ImportField,
  importFields,
  mapSchoolImport,
  neededFields,
  schoolImportFaults,
  schoolImports,
  schoolImportTemplate,
  startSchoolImport,
} from '@podium/contract/schools/calls-import'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { importFilters } from '../filters.ts'
import { ImportRows, type SchoolImport, useImport, words } from './rows.tsx'
import '../office.css'

/** Imports schools from a spreadsheet: choose the file, match its columns, review the rows, create the schools. */
export function SchoolImportPage() {
  const t = words.use()
  const filters = useFilters(importFilters)
  const id = filters.values.file
  const importQuery = useImport(id)
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Link to={officePaths.schools}>{t('back')}</Link>
      </PageHeader>
      {id === '' ? (
        <StartImport onStarted={(file) => filters.change({ file })} />
      ) : importQuery.isError && !importQuery.data ? (
        <LoadProblem error={importQuery.error} retry={importQuery.refetch} />
      ) : importQuery.data ? (
        <OpenImport key={id} id={id} record={importQuery.data} />
      ) : (
        <Skeleton shape="form" />
      )}
    </>
  )
}

function StartImport({ onStarted }: { onStarted: (id: string) => void }) {
  const t = words.use()
  const mayWrite = useMay('schools.write')
  const [file, setFile] = useState<File | null>(null)
  const { act, busy } = useAction('all')
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
            onClick={() => void act(() => download(schoolImportTemplate))}>
            {t('template')}
          </Button>
        }>
        <form className="school-import-start stack gap-4" onSubmit={send}>
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
            disabled={!mayWrite ? t('mayNot') : file ? undefined : t('chooseFile')}>
            {t('check')}
          </Button>
        </form>
      </Panel>
      <EarlierImports onOpen={onStarted} mayWrite={mayWrite} />
    </div>
  )
}

const stateWords = {
  checking: 'state_checking',
  checked: 'state_checked',
  importing: 'state_importing',
  done: 'state_done',
} as const

function EarlierImports({ onOpen, mayWrite }: { onOpen: (id: string) => void; mayWrite: boolean }) {
  const t = words.use()
  const list = useEndpoint(schoolImports)
  if (list.isError && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  const stateText = (state: string) =>
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
          { key: 'state', label: t('stateLabel'), cell: ({ state }) => stateText(state) },
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
                onClick={() => onOpen(id)}>
                {t('open')}
              </Button>
            ),
          },
        ]}
      />
    </Panel>
  )
}

type Fields = readonly ('' | ImportField)[]

/** An uploaded file: its progress, columns and rows, and the confirmation. */
function OpenImport({ id, record }: { id: string; record: SchoolImport }) {
  const t = words.use()
  const working = record.state === 'checking' || record.state === 'importing'
  const readable = !working && record.state !== 'failed'
  const isDone = record.state === 'done'
  const undecided = record.counts.likely - record.counts.same - record.counts.different
  const checked = record.columns.map(({ field }) => field)
  const [changed, setChanged] = useState<Fields>()
  const fields = changed ?? checked
  const isChanged = fields.some((field, index) => field !== checked[index])
  return (
    <div className="stack">
      <Panel
        title={record.fileName}
        aside={
          <Link to={officePaths.schoolImport} search={{}} className={buttonClass('secondary')}>
            {t('another')}
          </Link>
        }>
        <div className="stack">
          <State record={record} working={working} />
          {isDone && <ImportActions id={id} record={record} />}
        </div>
      </Panel>
      {record.state === 'checked' && (
        <Columns id={id} record={record} fields={fields} onChange={setChanged} />
      )}
      {readable && <ImportRows id={id} current={record} />}
      {readable && undecided > 0 && <Note kind="due">{t('undecided', { n: undecided })}</Note>}
      {record.state === 'checked' && (
        <ImportActions id={id} record={record} disabled={isChanged ? t('checkFirst') : undefined} />
      )}
    </div>
  )
}

/** The actions on a file: below the rows while they are reviewed, always in sight; at the top once it is done. */
function ImportActions({ id, record, disabled }: { id: string; record: SchoolImport; disabled?: string }) {
  const t = words.use()
  const { act, busy } = useAction()
  const filters = useFilters(importFilters)
  const [asking, setAsking] = useState(false)
  const { counts } = record
  const total = counts.new + counts.different
  const isDone = record.state === 'done'
  return (
    <div className={isDone ? 'row' : 'act-bar row'}>
      {isDone && counts.created > 0 && (
        <Link to={officePaths.schoolLetters} search={{ file: id }} className={buttonClass('primary')}>
          {t('letters', { n: counts.created })}
        </Link>
      )}
      {(!isDone || total > 0) && (
        <Button
          kind="primary"
          disabled={total > 0 ? disabled : t('nothingToMake')}
          onClick={() => setAsking(true)}>
          {t('make', { n: total })}
        </Button>
      )}
      {counts.faulty > 0 && (
        <Button
          icon="download"
          busy={busy}
          onClick={() => void act(() => download(schoolImportFaults, { query: { id } }))}>
          {t('faultsFile')}
        </Button>
      )}
      {asking && (
        <ConfirmAction
          title={t('makeTitle', { n: total })}
          action={t('make', { n: total })}
          act={() => call(confirmSchoolImport, { body: { id } })}
          invalidates="all"
          onDone={() => {
            filters.change({ state: 'created' })
            setAsking(false)
          }}
          onClose={() => setAsking(false)}>
          {t('makeHint')}
        </ConfirmAction>
      )}
    </div>
  )
}

function State({ record, working }: { record: SchoolImport; working: boolean }) {
  const t = words.use()
  const translate = useSentences()
  if (record.state === 'failed') return <Note kind="bad">{translate(record.error) || t('failed')}</Note>
  const { created, known: existing, faulty: withErrors } = record.counts
  if (record.state === 'done')
    return (
      <Note kind="ok">
        {t('doneCreated', { n: created })} {existing > 0 && t('doneKnown', { n: existing })}{' '}
        {withErrors > 0 && t('doneFaulty', { n: withErrors })}
      </Note>
    )
  if (!working) return <p>{t('state_checked')}</p>
  return (
    <ProgressBar label={t('progress')} done={record.done} total={record.total}>
      {t(record.state === 'checking' ? 'checking' : 'importing', {
        done: count(record.done),
        total: count(record.total),
      })}{' '}
      {t('leave')}
    </ProgressBar>
  )
}

interface ColumnsProps {
  id: string
  record: SchoolImport
  fields: Fields
  /** Without fields: those the rows were checked with */
  onChange: (fields?: Fields) => void
}

function Columns({ id, record, fields, onChange }: ColumnsProps) {
  const t = words.use()
  const { act, busy } = useAction('all')
  const missing = neededFields.filter((field) => !fields.includes(field))
  const set = (column: number, field: '' | ImportField) =>
    onChange(fields.map((earlier, index) => (index === column ? field : earlier === field ? '' : earlier)))
  return (
    <Panel title={t('columnsTitle')}>
      <p className="hint">{t(record.remembered ? 'columnsRemembered' : 'columnsHint')}</p>
      {missing.length > 0 && (
        <Note kind="bad">{t('missing', { fields: missing.map((field) => t(field)).join(', ') })}</Note>
      )}
      <div className="grid school-import-columns">
        {record.columns.map(({ heading, samples }, index) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and stay where they are
            key={index}
            className="c3"
            label={heading || t('noHeading')}
            hint={samples.filter(Boolean).slice(0, 2).join(' · ')}
            empty={t('nothing')}
            value={fields[index] ?? ''}
            choices={importFields.map((field) => ({ value: field, label: t(field) }))}
            onChange={(event) =>
              set(index, importFields.find((field) => field === event.currentTarget.value) ?? '')
            }
          />
        ))}
      </div>
      <Button
        busy={busy}
        onClick={() =>
          void act(async () => {
            await call(mapSchoolImport, { body: { id, fields: [...fields] } })
            onChange()
          })
        }>
        {t('again')}
      </Button>
    </Panel>
  )
}
