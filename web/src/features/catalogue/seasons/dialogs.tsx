import {
  deleteSeason,
  type OfficeSeason,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import { call } from '#shell/call.ts'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useInvalidate } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../data.ts'
import { words } from '../words.ts'
import { SeasonFields, seasonSchema, shareOf, typedOf } from './season-fields.tsx'

/** Changes a season's days and what schools keep. */
export function SeasonDialog({ season, onClose }: { season: OfficeSeason; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfCatalogue)
  const { FYear, version, enrolments } = season
  const f = usePortalForm({
    schema: seasonSchema,
    initialValues: typedOf(season),
    draftKey: `season.${FYear}`,
    save: async ({ kind, percent, slabs, ...days }) => {
      const body = { FYear, version, ...days, share: shareOf({ kind, percent, slabs }) }
      await call(saveSeason, { body }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const kind = f.form.useWatchValue('kind')
  const slabs = f.form.useWatchValue('slabs') ?? []
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('changeSeason', { season: FYear })}
      size="small"
      save={t('save')}
    >
      <SeasonFields
        kind={kind}
        field={(name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })}
        slabs={slabs}
        slabsError={f.form.errors.slabs}
        onAddSlab={() => f.form.insertListItem('slabs', { from: '', share: '' })}
        onRemoveSlab={(at) => f.form.removeListItem('slabs', at)}
      />
      <Note>{enrolments === 0 ? t('nobodyYet') : t('shareKept', { n: enrolments })}</Note>
    </FormDialog>
  )
}

type State = OfficeSeason['state']
const actionOf = {
  preparing: 'openForSchools',
  open: 'closeSeason',
  closed: 'reopen',
} as const satisfies Record<State, string>
const saysOf = { preparing: 'openSays', open: 'closeSays', closed: 'reopenSays' } as const satisfies Record<
  State,
  string
>
const titleOf = {
  preparing: 'openTitle',
  open: 'closeTitle',
  closed: 'reopenTitle',
} as const satisfies Record<State, string>

/** Asks before a season is opened for schools, or closed. */
export function StateDialog({ season, onClose }: { season: OfficeSeason; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfCatalogue)
  const { FYear, version } = season
  const opens = season.state !== 'open'
  const confirm = async () => {
    const state = opens ? 'open' : 'closed'
    await act(
      () => call(setSeasonState, { body: { FYear, version, state } }),
      t(opens ? 'openDone' : 'closeDone', { season: FYear }),
    )
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      title={t(titleOf[season.state], { season: FYear })}
      action={t(actionOf[season.state])}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t(saysOf[season.state])}
    </ConfirmDialog>
  )
}

/** Asks before a draft is deleted. */
export function DeleteDialog({ season, onClose }: { season: OfficeSeason; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfCatalogue)
  const { FYear, version } = season
  const confirm = async () => {
    await act(() => call(deleteSeason, { body: { FYear, version } }), t('deleteDone', { season: FYear }))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      danger
      title={t('deleteTitle', { season: FYear })}
      action={t('deleteSeason')}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t('deleteSays', { n: season.events })}
    </ConfirmDialog>
  )
}
