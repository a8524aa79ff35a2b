import { deleteSlot, type ExamSlot, exportSlots } from '@podium/contract/exams/calls-schedules-office'
import { lazy, Suspense, useState } from 'react'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useRenew } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { momentText } from './moment-text.ts'
import { loadDialogs, SlotsBar } from './slots-bar.tsx'
import { type Schedule, shownOfSlots } from './use-schedule.ts'
import { words } from './words-office.ts'

const ChangeManyDialog = lazy(() => loadDialogs().then((m) => ({ default: m.ChangeManyDialog })))
const RemoveManyDialog = lazy(() => loadDialogs().then((m) => ({ default: m.RemoveManyDialog })))

interface TableProps {
  eventYearId: number
  slots: Schedule['slots']
  mayWrite: boolean
  onEdit: (slot: ExamSlot) => void
}

/** The slots of an olympiad with how many places are taken. */
export function SlotsTable({ eventYearId, slots, mayWrite, onEdit }: TableProps) {
  const t = words.use()
  const say = useSentences()
  const renew = useRenew(shownOfSlots)
  const [removing, setRemoving] = useState<ExamSlot>()
  const remove = useEndpointMutation(deleteSlot, {
    onSuccess: () => {
      toast.success(t('removed'))
    },
    onError: (cause) => toast.error(say(cause.message)),
    onSettled: () => {
      setRemoving(undefined)
      return renew()
    },
  })
  const mayNot = mayWrite ? undefined : t('mayNotWrite')
  const rows = slots.data?.data
  const sum = (of: (slot: ExamSlot) => number) =>
    count((rows ?? []).reduce((total, slot) => total + of(slot), 0))
  const all: Column<ExamSlot>[] = [
    {
      key: 'from',
      label: t('from'),
      title: true,
      foot: t('all'),
      cell: ({ from }) => <Moment value={from} />,
    },
    { key: 'to', label: t('to'), card: 'wide', cell: ({ to }) => <Moment value={to} /> },
    {
      key: 'places',
      label: t('places'),
      num: true,
      cell: ({ places }) => count(places),
      foot: sum(({ places }) => places),
    },
    {
      key: 'taken',
      label: t('taken'),
      num: true,
      strong: true,
      cell: ({ taken }) => count(taken),
      foot: sum(({ taken }) => taken),
    },
    {
      key: 'free',
      label: t('free'),
      num: true,
      cell: ({ places, taken }) => count(Math.max(0, places - taken)),
      foot: sum(({ places, taken }) => Math.max(0, places - taken)),
    },
    { key: 'schools', label: t('schools'), num: true, cell: ({ schools }) => count(schools) },
    {
      key: 'act',
      label: t('edit'),
      act: true,
      cell: (slot) => (
        <span className="os-acts">
          <Button icon="edit" disabled={mayNot} onClick={() => onEdit(slot)}>
            {t('edit')}
          </Button>
          <IconButton
            icon="delete"
            label={t('remove')}
            disabled={mayNot ?? (slot.taken > 0 ? t('slotTaken') : false)}
            onClick={() => setRemoving(slot)}
          />
        </span>
      ),
    },
  ]
  const { columns, tools } = useListView('slots', all)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [doing, setDoing] = useState<'change' | 'remove'>()
  const clear = () => setSelected(new Set())
  const chosen = (rows ?? []).filter(({ slotId }) => selected.has(String(slotId)))
  const its = { rows: chosen, onClose: () => setDoing(undefined), onDone: clear }
  return (
    <>
      <div className="os-views view-tools">
        {tools}
        <ListDownloads endpoint={exportSlots} bodyOf={(format) => ({ eventYearId, format })} />
      </div>
      <DataTable
        caption={t('caption')}
        columns={columns}
        rows={rows}
        rowKey={({ slotId }) => String(slotId)}
        stale={slots.isPlaceholderData}
        selection={{ selected, onChange: setSelected, name: ({ from }) => momentText(from) }}
        bulk={<SlotsBar rows={chosen} mayNot={mayNot} onOpen={setDoing} onClear={clear} />}
        empty={
          <EmptyState icon="clock" title={t('noSlots')}>
            {t('noSlotsSays')}
          </EmptyState>
        }
      />
      <Suspense>
        {doing === 'change' && <ChangeManyDialog {...its} />}
        {doing === 'remove' && <RemoveManyDialog {...its} />}
      </Suspense>
      {removing && (
        <ConfirmDialog
          opened
          danger
          title={t('removeTitle')}
          action={t('remove')}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ body: { slotId: removing.slotId, version: removing.version } })}
          onCancel={() => setRemoving(undefined)}
        >
          {t('removeSays')}
        </ConfirmDialog>
      )}
    </>
  )
}
