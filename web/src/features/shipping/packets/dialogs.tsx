import {
  type CourierFileRow,
  courierFile,
  courierForm,
  type FileOutcome,
  fileOutcomes,
  type OfficeCourier,
  officeCouriers,
  saveCourier,
  type UploadColumn,
  type UploadField,
  uploadFields,
} from '@podium/contract/shipping/calls-packets'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { FormDialog, useFormDialog, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { count, Moment, nothing } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Badge, type BadgeKind } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { dispatchCalls, StatusBadge, useMayWrite, useUndoMove, words } from '../data.tsx'

type CourierFileRows = Answer<typeof courierFile>

const badges: Record<FileOutcome, BadgeKind> = {
  known: 'yes',
  already: 'none',
  unknown: 'doubt',
  unfit: 'doubt',
  unclear: 'doubt',
}

const rowsShown = 100

/** Imports a courier's tracking file. It is read and shown first, and saved only on confirmation. */
export function FileDialog({ season, onClose }: { season: string; onClose: () => void }) {
  const t = words.use()
  const undoOf = useUndoMove()
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<CourierFileRows>()
  const reading = useAttempt()
  const applying = useAttempt(dispatchCalls)
  const { leave, question } = useLeaveQuestion(() => file !== null, onClose)
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setPreview(undefined)
    void reading.attempt(
      async () => (chosen ? call(courierFile, { query: { FYear: season }, file: chosen }) : undefined),
      setPreview,
    )
  }
  const apply = (of: File) =>
    applying.attempt(
      () => call(courierFile, { query: { FYear: season, apply: 'yes' }, file: of }),
      ({ applied, packets }) => {
        toast.success(t('fileApplied', { n: applied }), undoOf(packets))
        onClose()
      },
    )
  const knownCount = preview?.counts.known ?? 0
  const problem = applying.problem ?? reading.problem
  return (
    <Dialog opened onClose={leave} title={t('courierFile')} size="wide">
      {question}
      <DialogBody>
        <div className="stack">
          <p className="quiet">{t('fileFormat')}</p>
          <FileField
            label={t('file')}
            hint={t('fileHint')}
            accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            onChange={choose}
          />
          {reading.busy && <p role="status">{t('fileReading')}</p>}
          {problem && <Note kind="bad">{problem}</Note>}
          {preview && <Outcome read={preview} />}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          busy={applying.busy}
          disabled={preview ? (knownCount === 0 ? t('fileNothing') : undefined) : t('fileFirst')}
          onClick={() => file && void apply(file)}>
          {knownCount === 0 ? t('fileApplyNone') : t('fileApply', { n: knownCount })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Outcome({ read }: { read: CourierFileRows }) {
  const t = words.use()
  const used = read.columns.filter(({ field }) => field !== null).map(({ heading }) => heading)
  const unused = read.columns.filter(({ field }) => field === null).map(({ heading }) => heading)
  const doubtfulFirst = read.rows.toSorted((a, b) => weight(b.outcome) - weight(a.outcome) || a.row - b.row)
  return (
    <>
      <ul className="row gap-2" aria-live="polite">
        {fileOutcomes
          .filter((outcome) => (read.counts[outcome] ?? 0) > 0)
          .map((outcome) => (
            <li key={outcome}>
              <Badge kind={badges[outcome]}>{t(`${outcome}Rows`, { n: read.counts[outcome] ?? 0 })}</Badge>
            </li>
          ))}
      </ul>
      <p className="hint">
        {t('columnsUsed', { names: used.join(', ') })}
        {unused.length > 0 && ` ${t('columnsUnused', { names: unused.join(', ') })}`}
      </p>
      <Rows rows={doubtfulFirst.slice(0, rowsShown)} />
      {read.rows.length > rowsShown && (
        <p className="hint">{t('rowsMore', { n: read.rows.length - rowsShown })}</p>
      )}
    </>
  )
}

/** Sort weight: doubtful rows come first. */
const weight = (outcome: FileOutcome) => (badges[outcome] === 'doubt' ? 2 : outcome === 'known' ? 1 : 0)

function Rows({ rows }: { rows: readonly CourierFileRow[] }) {
  const t = words.use()
  const columns: Column<CourierFileRow>[] = columnsOf(t, [
    { key: 'row', num: true, cell: ({ row }) => row },
    {
      key: 'packet',
      title: true,
      cell: (row) =>
        lines(
          row.packetId === null ? row.consignmentNo || '–' : t('packetNo', { id: row.packetId }),
          row.schName,
        ),
    },
    { key: 'statusInFile', cell: ({ courierStatus }) => courierStatus || nothing },
    { key: 'now', cell: ({ now }) => (now ? <StatusBadge of={now} /> : nothing) },
    {
      key: 'newStatus',
      cell: ({ to, at, outcome }) =>
        to && outcome === 'known' ? lines(<StatusBadge of={to} />, <Moment value={at} />) : nothing,
    },
    {
      key: 'outcome',
      cell: ({ outcome, to }) => (
        <Badge kind={badges[outcome]}>{t(outcome === 'unclear' && to ? 'unclearNumber' : outcome)}</Badge>
      ),
    },
  ])
  return (
    <DataTable caption={t('fileRows')} columns={columns} rows={rows} rowKey={(row) => `${row.row}`} compact />
  )
}

/** The list of couriers, where they are added and changed. */
export function CouriersDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const couriers = useEndpoint(officeCouriers)
  const [editing, setEditing] = useState<OfficeCourier | 'new'>()
  if (editing)
    return (
      <CourierDialog
        key={editing === 'new' ? 0 : editing.courierId}
        courier={editing === 'new' ? undefined : editing}
        onClose={() => setEditing(undefined)}
      />
    )
  return (
    <Dialog opened onClose={onClose} title={t('couriers')}>
      <DialogBody>
        {couriers.data ? (
          <CourierList couriers={couriers.data.data} onEdit={setEditing} />
        ) : couriers.isError ? (
          <LoadProblem error={couriers.error} retry={() => couriers.refetch()} />
        ) : (
          <Skeleton shape="text" rows={4} />
        )}
      </DialogBody>
      <DialogFoot onClose={onClose}>
        <NewCourier onClick={() => setEditing('new')} />
      </DialogFoot>
    </Dialog>
  )
}

function NewCourier({ onClick }: { onClick: () => void }) {
  const t = words.use()
  return (
    <Button
      kind="primary"
      icon="plus"
      disabled={useMayWrite() ? undefined : t('mayNotWrite')}
      onClick={onClick}>
      {t('newCourier')}
    </Button>
  )
}

interface ListProps {
  couriers: readonly OfficeCourier[]
  onEdit: (courier: OfficeCourier) => void
}

function CourierList({ couriers, onEdit }: ListProps) {
  const t = words.use()
  const disabledReason = useMayWrite() ? undefined : t('mayNotWrite')
  if (couriers.length === 0) return <p>{t('noCouriers')}</p>
  return (
    <ul className="od-couriers">
      {couriers.map((courier) => (
        <li key={courier.courierId}>
          <span>
            <b>{courier.name}</b> {!courier.active && <Badge kind="inactive">{t('inactive')}</Badge>}
            <small>
              {t('packetsCount', { n: courier.packets })}
              {courier.linkTemplate !== '' && `, ${courier.linkTemplate}`}
            </small>
          </span>
          <Button
            icon="edit"
            disabled={disabledReason}
            aria-label={t('editCourier', { name: courier.name })}
            onClick={() => onEdit(courier)}>
            {t('edit')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function CourierDialog({ courier, onClose }: { courier: OfficeCourier | undefined; onClose: () => void }) {
  const t = words.use()
  const { courierId = 0, version } = courier ?? {}
  const f = useFormDialog({
    schema: courierForm,
    initialValues: {
      name: courier?.name ?? '',
      linkTemplate: courier?.linkTemplate ?? '',
      active: courier?.active ?? true,
      uploadColumns: courier?.uploadColumns ?? [],
    },
    draftKey: `courier.${courierId}.${version ?? 0}`,
    save: (values) => call(saveCourier, { body: { ...values, courierId, version } }),
    invalidates: [officeCouriers],
    done: t('saved'),
    onClose,
  })
  return (
    <FormDialog
      of={f}
      title={courier ? courier.name : t('newCourier')}
      fact={courier && t('packetsCount', { n: count(courier.packets) })}
      save={t('save')}
      back={t('back')}>
      <TextField label={t('courierName')} {...f.form.field('name')} />
      <TextField
        label={t('courierLink')}
        hint={t('courierLinkHint')}
        optional
        {...f.form.field('linkTemplate')}
      />
      <CheckField label={t('courierActive')} {...f.form.field('active', { type: 'checkbox' })} />
      <UploadColumns form={f.form} />
    </FormDialog>
  )
}

/** What most couriers ask for */
const usualFields = [
  'packetId',
  'customerName',
  'address',
  'city',
  'state',
  'pinCode',
  'phone',
  'contents',
  'copies',
  'weightKg',
] as const satisfies readonly UploadField[]

type CourierValues = { name: string; linkTemplate: string; active: boolean; uploadColumns: UploadColumn[] }
type CourierForm = ReturnType<typeof useFormDialog<typeof courierForm, CourierValues, unknown>>['form']

/** The columns of the file that the courier's site takes, in its order and with its headings. */
function UploadColumns({ form }: { form: CourierForm }) {
  const t = words.use()
  const columns = form.useWatchValue('uploadColumns') as CourierValues['uploadColumns']
  const { field } = form
  const columnOf = (name: UploadField) => ({ field: name, title: t(`up_${name}`), fixed: '' })
  const unused = uploadFields.find((name) => columns.every((column) => column.field !== name)) ?? 'fixed'
  const move = (from: number, to: number) => form.reorderListItem('uploadColumns', { from, to })
  return (
    <fieldset className="stack">
      <legend>{t('uploadColumns')}</legend>
      <p className="hint">{t('uploadHint')}</p>
      <ol className="stack ruled">
        {columns.map((column, index) => {
          const n = { n: index + 1 }
          const path = `uploadColumns.${index}` as const
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may be the same
            <li key={index}>
              <div className="row between one-line">
                <span>{t('columnN', n)}</span>
                <span className="row inline">
                  <IconButton
                    icon="up"
                    label={t('columnUp', n)}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    icon="down"
                    label={t('columnDown', n)}
                    disabled={index === columns.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    icon="close"
                    label={t('columnRemove', n)}
                    onClick={() => form.removeListItem('uploadColumns', index)}
                  />
                </span>
              </div>
              <div className="grid">
                <SelectField
                  className="c6"
                  label={t('columnHas')}
                  choices={uploadFields.map((value) => ({ value, label: t(`up_${value}`) }))}
                  {...field(`${path}.field`)}
                />
                <TextField className="c6" label={t('columnTitle')} {...field(`${path}.title`)} />
                {column.field === 'fixed' && (
                  <TextField
                    className="c12"
                    label={t('columnFixed')}
                    hint={t('columnFixedHint')}
                    optional
                    {...field(`${path}.fixed`)}
                  />
                )}
              </div>
            </li>
          )
        })}
      </ol>
      <div className="row gap-2">
        <Button icon="plus" onClick={() => form.insertListItem('uploadColumns', columnOf(unused))}>
          {t('columnAdd')}
        </Button>
        {columns.length === 0 && (
          <Button onClick={() => form.setFieldValue('uploadColumns', usualFields.map(columnOf))}>
            {t('columnsUsual')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
