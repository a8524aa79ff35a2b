import { type OfficeSeason, setSeasonState } from '@podium/contract/catalogue/calls-seasons'
import { call } from '#shell/call.ts'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'

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
      title={t(opens ? 'openTitle' : 'closeTitle', { season: FYear })}
      action={t(opens ? 'openForSchools' : 'closeSeason')}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t(opens ? 'openSays' : 'closeSays')}
    </ConfirmDialog>
  )
}
