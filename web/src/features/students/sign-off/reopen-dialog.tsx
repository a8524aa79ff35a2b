import { reopenList, type SignOffList } from '@podium/contract/students/calls-sign-off'
import { call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { shownOfLists } from './sign-dialog.tsx'
import { words } from './words.ts'

/** Opens a list again; the reason is asked for and stays in its history. */
export function ReopenDialog({ list, onClose }: { list: SignOffList; onClose: () => void }) {
  const t = words.use()
  const { eventManagementId, closesOn } = list
  const subject = translateSentence(list.subjectName)
  return (
    <ReasonDialog
      title={t('reopenTitle', { subject })}
      says={t('reopenSays', { day: dayText(closesOn) })}
      action={t('reopen')}
      draftKey={`reopen.${eventManagementId}`}
      act={(reason) => call(reopenList, { body: { eventManagementId, reason } })}
      invalidates={shownOfLists}
      done={t('reopenedNow', { subject })}
      onClose={onClose}
    />
  )
}
