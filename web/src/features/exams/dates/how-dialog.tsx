import { signInOptions } from '@podium/contract/accounts/calls'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import type en from '#words/en/exams-dates.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-dates.json'))

/** How dates are chosen, and whom to ask afterwards. */
export function HowDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const email = useEndpoint(signInOptions).data?.supportEmail
  return (
    <Dialog opened onClose={onClose} title={t('howTitle')} size="small">
      <DialogBody>
        <p>{t('howTwo')}</p>
        <p>{t('howPaid')}</p>
        <p>{t('howUntil')}</p>
        <p>{t('howKept')}</p>
        {email && <p>{t('howLate', { email })}</p>}
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
