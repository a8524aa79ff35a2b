import type { Incident } from '@podium/contract/incidents'
import { incidentMails } from '@podium/contract/incidents-mails'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '#shell/language/language.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'

/** What the first family and the first person of a school who wait would read. */
export function MailsDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const own = useLanguage()
  const [language, setLanguage] = useState<'en' | 'hi'>(own)
  const { data, error, refetch } = useEndpoint(incidentMails, { query: { id: String(incident.id) } })
  return (
    <Dialog opened onClose={onClose} title={t('showMails')} fact={incident.title} size="wide">
      <DialogBody>
        <div className="stack">
          <p className="hint">
            {t('mailsSay')} <Link to={officePaths.mails}>{t('mailTexts')}</Link>
          </p>
          <Segmented
            label={t('language')}
            value={language}
            choices={[
              { value: 'en', label: 'English' },
              { value: 'hi', label: 'हिन्दी' },
            ]}
            onChange={setLanguage}
          />
          {error && !data && <LoadProblem error={error} retry={refetch} />}
          {!data && !error && <Skeleton shape="text" rows={6} />}
          {data?.data.map((mail) => (
            <article key={mail.kind} className="incident-mail">
              <p className="quiet">{t(`mail_${mail.kind}`)}</p>
              <h3 lang={language}>{mail[language].subject}</h3>
              <pre lang={language}>{mail[language].text}</pre>
            </article>
          ))}
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('shut')}</Button>
      </DialogFoot>
    </Dialog>
  )
}
