import { endSession, getSessions } from '@podium/contract/accounts/calls'
import { call } from '#shell/call.ts'
import { useEndpoint } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { SessionList } from './session-list.tsx'
import { words } from './words.ts'

const shownHere = [getSessions]

/** Where a person of a school is signed in; every other place can be signed out. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const sessions = useEndpoint(getSessions)
  const { act } = useAct(shownHere)
  return (
    <Dialog opened onClose={onClose} title={t('title')}>
      <DialogBody>
        <SessionList
          sessions={sessions.data?.data}
          error={sessions.error}
          retry={sessions.refetch}
          onEnd={(session) => void act(() => call(endSession, { body: { session } }), t('ended'))}
        />
      </DialogBody>
    </Dialog>
  )
}
