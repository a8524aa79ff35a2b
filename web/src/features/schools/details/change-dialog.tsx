import { signInOptions } from '@podium/contract/accounts/calls'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/schools-details.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-details.json'))

/** How details are changed: by an e-mail to the organiser, or a call where it has no address. */
export function ChangeDialog({ schCode, onClose }: { schCode: string; onClose: () => void }) {
  const t = words.use()
  const options = useEndpoint(signInOptions)
  const hindi = useWrittenLanguage() === 'hi'
  const { supportEmail = '', supportPhone = '' } = options.data ?? {}
  const supportHours = (hindi ? options.data?.supportHoursHi : options.data?.supportHours) ?? ''
  const mail = `mailto:${supportEmail}?subject=${encodeURIComponent(t('subject', { code: schCode }))}`
  return (
    <Dialog opened onClose={onClose} title={t('change')} size="small">
      <DialogBody>
        <p>{t('changeSays')}</p>
        {options.isPending && <Skeleton shape="text" rows={2} />}
        {supportEmail !== '' && (
          <>
            <p className="organiser">
              <a href={mail}>{supportEmail}</a>
              <CopyButton name={t('organiser')} value={supportEmail} />
            </p>
            <p>{t('changeHow', { code: schCode })}</p>
          </>
        )}
        {supportEmail === '' && supportPhone !== '' && (
          <p>{t('changeCall', { phone: supportPhone, hours: supportHours, code: schCode })}</p>
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
        {supportEmail !== '' && (
          <a className={buttonClass('primary')} href={mail}>
            {t('write')}
          </a>
        )}
      </DialogFoot>
    </Dialog>
  )
}
