import type { ReactNode } from 'react'
import { Mail } from '#shell/format.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Panel } from '#ui/panel.tsx'
import { Returned } from './returned.tsx'
import type { SchoolOne } from './use-record.ts'
import { words } from './words-record.ts'

/** Everything on record, to read and to copy. */
export function Details({ one: { school, can } }: { one: SchoolOne }) {
  const t = words.use()
  const mayNot = can.write === true ? undefined : t('mayNotWrite')
  return (
    <Panel title={t('details')}>
      <div className="halves record-details">
        <KeyValues>
          <Fact label={t('code')} value={school.schCode} copies />
          <Fact label={t('name')} value={school.schName} copies />
          <Fact label={t('address')} value={school.schAddress} copies />
          <Fact label={t('city')} value={school.city} />
          <Fact label={t('district')} value={school.district} />
          <Fact label={t('state')} value={school.state} />
          <Fact label={t('zone')} value={school.zone} />
          <Fact label={t('country')} value={school.country} />
          <Fact label={t('pinCode')} value={school.pinCode} copies />
        </KeyValues>
        <KeyValues>
          <Fact label={t('phone')} value={school.mobile} copies />
          <Fact label={t('whatsapp')} value={school.whatsAppNo} copies />
          <Fact label={t('landline')} value={school.landLineNo} />
          <Fact label={t('fax')} value={school.schFaxNo} />
          <Fact label={t('email')} value={school.schEmail} copies>
            <Returned schoolId={school.id} email={school.schEmail} mark={school.bounced} mayNot={mayNot}>
              <Mail address={school.schEmail} />
            </Returned>
          </Fact>
          <Fact label={t('website')} value={school.schWebSite}>
            <Website address={school.schWebSite} />
          </Fact>
          <Fact label={t('udise')} value={school.udiseCode} copies />
          <Fact label={t('affiliation')} value={school.affiliationNo} copies />
          <Fact label={t('group')} value={school.schGroupId} />
        </KeyValues>
      </div>
    </Panel>
  )
}

interface FactProps {
  label: string
  value: string
  copies?: boolean
  /** How the value is shown where it is more than text */
  children?: ReactNode
}

function Fact({ label, value, copies, children }: FactProps) {
  const t = words.use()
  if (value === '') {
    return (
      <KeyValue label={label}>
        <span className="quiet">{t('unknown')}</span>
      </KeyValue>
    )
  }
  return (
    <KeyValue label={label} {...(copies ? { copy: value } : {})}>
      {children ?? value}
    </KeyValue>
  )
}

/** A link only where it is https: what stands in the record was typed by somebody. */
function Website({ address }: { address: string }) {
  const t = words.use()
  if (!/^https:\/\/[^\s/]+/i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address.replace(/^https:\/\//i, '').replace(/\/$/, '')}
      <span className="sr"> ({t('newTab')})</span>
    </a>
  )
}
