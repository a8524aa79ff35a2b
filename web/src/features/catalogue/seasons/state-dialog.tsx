import { deleteSeason, type OfficeSeason, setSeasonState } from '@podium/contract/catalogue/calls-seasons'
import { call } from '#shell/call.ts'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'

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
