import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { words } from '../words.ts'

/** The terms that a registration accepts. */
export function TermsDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  return (
    <Dialog opened onClose={onClose} title={t('termsTitle')}>
      <DialogBody>
        <div className="stack">
          <section>
            <h3>{t('termsWho')}</h3>
            <p>{t('termsWhoText')}</p>
          </section>
          <section>
            <h3>{t('termsData')}</h3>
            <p>{t('termsDataText')}</p>
          </section>
          <section>
            <h3>{t('termsMoney')}</h3>
            <p>{t('termsMoneyText')}</p>
          </section>
          <section>
            <h3>{t('termsAccount')}</h3>
            <p>{t('termsAccountText')}</p>
          </section>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" onClick={onClose} data-autofocus>
          {t('termsClose')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
