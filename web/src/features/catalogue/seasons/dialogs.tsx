import {
  deleteSeason,
  firstSeason,
  type OfficeSeason,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import { parseSeason } from '@podium/contract/season'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { officePaths } from '#shell/paths.ts'
import { useInvalidate } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../data.ts'
import { words } from '../words.ts'
import { percentGiven, SeasonFields, seasonFields, shareOf, slabsGiven, typedOf } from './season-fields.tsx'

interface SeasonProps {
  /** The season that is changed; undefined for the first, which is made */
  season?: OfficeSeason
  /** Which the first one can be */
  years?: readonly string[]
  onClose: () => void
}

const ofFirst = { feeDueOn: '', resultsFrom: '', dateChoiceDays: 30, share: { kind: 'perHead' } } as const

/** Changes a season's days and what schools keep, or makes the first season with them. */
export function SeasonDialog({ season, years = [], onClose }: SeasonProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfCatalogue)
  const navigate = useNavigate()
  const f = usePortalForm({
    schema: z.object({ FYear: z.string(), ...seasonFields }).check(percentGiven, slabsGiven),
    initialValues: { FYear: season?.FYear ?? years[0] ?? '', ...typedOf(season ?? ofFirst) },
    draftKey: `season.${season?.FYear ?? 'first'}`,
    save: async ({ FYear, kind, percent, slabs, ...days }) => {
      const body = { FYear, ...days, share: shareOf({ kind, percent, slabs }) }
      if (season) await call(saveSeason, { body: { ...body, version: season.version } }).finally(renew)
      else {
        await call(firstSeason, { body }).finally(renew)
        await navigate({ to: officePaths.catalogue, search: { season: parseSeason(FYear) } })
      }
      toast.success(season ? t('saved') : t('firstDone', { season: FYear }))
      onClose()
    },
  })
  const kind = f.form.useWatchValue('kind')
  const slabs = f.form.useWatchValue('slabs') ?? []
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={season ? t('changeSeason', { season: season.FYear }) : t('makeFirst')}
      size="small"
      save={t(season ? 'save' : 'makeFirst')}
    >
      {!season && (
        <SelectField
          label={t('year')}
          choices={years.map((value) => ({ value, label: value }))}
          key={f.form.key('FYear')}
          {...f.form.getInputProps('FYear')}
        />
      )}
      <SeasonFields
        kind={kind}
        field={(name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })}
        slabs={slabs}
        slabsError={f.form.errors.slabs}
        onAddSlab={() => f.form.insertListItem('slabs', { from: '', share: '' })}
        onRemoveSlab={(at) => f.form.removeListItem('slabs', at)}
      />
      {season && (
        <Note>{season.enrolments === 0 ? t('nobodyYet') : t('shareKept', { n: season.enrolments })}</Note>
      )}
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
