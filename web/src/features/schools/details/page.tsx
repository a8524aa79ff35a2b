import './details.css'
import { signInOptions } from '@podium/contract/accounts/calls'
import { getSchool, type School } from '@podium/contract/schools/calls'
import { useState } from 'react'
import { countryName } from '#shell/language/country.ts'
import { useLanguage, useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { PanelProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CopyButton, Detail, type DetailProps, KeyValues, Website } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/schools-details.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-details.json'))

/** School/Details: what the foundation has on record, to read and to copy. */
export function SchoolDetailsPage() {
  const t = words.use()
  const schCode = useSession()?.schCode ?? ''
  const [asking, setAsking] = useState(false)
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Button icon="info" onClick={() => setAsking(true)}>
          {t('change')}
        </Button>
      </PageHeader>
      <Details schCode={schCode} />
      {asking && <ChangeDialog schCode={schCode} onClose={() => setAsking(false)} />}
    </>
  )
}

function Details({ schCode }: { schCode: string }) {
  const answer = useEndpoint(getSchool, { query: schCode === '' ? {} : { schCode } })
  const school = answer.data?.data[0]
  if (school) return <Cards school={school} />
  if (!answer.isError) return <Skeleton shape="cards" rows={3} />
  return <PanelProblem error={answer.error} retry={() => answer.refetch()} />
}

function Cards({ school }: { school: School }) {
  const t = words.use()
  const language = useLanguage()
  return (
    <div className="school-cards">
      <div className="stack">
        <Panel title={t('school')}>
          <KeyValues>
            <Fact label={t('code')} value={school.schCode} copies />
            <Fact label={t('name')} value={school.schName} copies>
              <span className="honour">{school.schName}</span>
            </Fact>
            {school.schAffiliationNo && (
              <Fact label={t('affiliation')} value={school.schAffiliationNo} copies />
            )}
            {school.schGroupId && <Fact label={t('group')} value={school.schGroupId} />}
          </KeyValues>
        </Panel>
        <Panel title={t('place')}>
          <KeyValues>
            <Fact label={t('address')} value={school.schAddress} copies />
            <Fact label={t('city')} value={school.cityName} />
            <Fact label={t('district')} value={translateSentence(school.districtName)} />
            <Fact label={t('state')} value={translateSentence(school.stateName)} />
            <Fact label={t('country')} value={countryName(language, school.countryName)} />
          </KeyValues>
        </Panel>
      </div>
      <Panel title={t('contact')}>
        <KeyValues>
          <Fact label={t('email')} value={school.schEmail} copies />
          <Fact label={t('mobile')} value={school.schPhoneNo} copies />
          <Fact label={t('whatsapp')} value={school.whatsAppNo} copies />
          <Fact label={t('landline')} value={school.landLineNo} copies />
          {school.schFaxNo && <Fact label={t('fax')} value={school.schFaxNo} />}
          <Fact label={t('website')} value={school.schWebSite}>
            <Website address={school.schWebSite} newTab={t('newTab')} />
          </Fact>
        </KeyValues>
      </Panel>
    </div>
  )
}

function Fact(props: Omit<DetailProps, 'unknown'>) {
  return <Detail {...props} unknown={words.use()('unknown')} />
}

/** How to have details changed: by e-mail to the organiser, or by phone if it has no address. */
function ChangeDialog({ schCode, onClose }: { schCode: string; onClose: () => void }) {
  const t = words.use()
  const options = useEndpoint(signInOptions)
  const hindi = useWrittenLanguage() === 'hi'
  const { supportEmail = '', supportPhone = '' } = options.data ?? {}
  const supportHours = (hindi ? options.data?.supportHoursHi : options.data?.supportHours) ?? ''
  const mail = `mailto:${supportEmail}?subject=${encodeURIComponent(t('subject', { code: schCode }))}`
  return (
    <Dialog opened onClose={onClose} title={t('change')} size="small">
      <DialogBody>
        <p>{t('changeHint')}</p>
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
      <DialogFoot onClose={onClose}>
        {supportEmail !== '' && (
          <a className={buttonClass('primary')} href={mail}>
            {t('write')}
          </a>
        )}
      </DialogFoot>
    </Dialog>
  )
}
