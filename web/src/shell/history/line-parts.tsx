import './history.css'
import type { AuditLine } from '@podium/contract/changes'
import type { en } from './words.en.ts'
import { words } from './words.ts'
import type { en as actionWords } from './words-actions.en.ts'
import { words as actions } from './words-actions.ts'

const actors = {
  office: 'byOffice',
  account: 'byAccount',
  family: 'byFamily',
  system: 'bySystem',
} as const

/** Field names of audit lines, folded to small letters without signs → their words. */
const fields: Record<string, keyof typeof en> = {
  code: 'fieldCode',
  name: 'fieldName',
  address: 'fieldAddress',
  city: 'fieldCity',
  district: 'fieldDistrict',
  state: 'fieldState',
  zone: 'fieldZone',
  country: 'fieldCountry',
  pincode: 'fieldPinCode',
  phone: 'fieldPhone',
  mobile: 'fieldMobile',
  udisecode: 'fieldUdise',
  affiliationno: 'fieldAffiliation',
  email: 'fieldEmail',
  groupid: 'fieldGroup',
  landline: 'fieldLandline',
  fax: 'fieldFax',
  website: 'fieldWebsite',
  whatsapp: 'fieldWhatsapp',
  reason: 'fieldReason',
  school: 'fieldSchool',
  remark: 'fieldRemark',
  copies: 'fieldCopies',
  packetid: 'fieldPacket',
  coordinator: 'fieldCoordinator',
  person: 'fieldName',
  contact: 'fieldName',
  contents: 'fieldContents',
  language: 'fieldLanguage',
  active: 'fieldActive',
  families: 'fieldFamilies',
  subjectnames: 'fieldSubjects',
  role: 'fieldRole',
  format: 'fieldFormat',
  filters: 'fieldFilters',
  lines: 'fieldLines',
  schools: 'fieldSchools',
  classid: 'fieldClass',
  section: 'fieldSection',
  rollno: 'fieldRollNo',
  parentname: 'fieldParent',
  parentemail: 'fieldParentEmail',
  parentmobile: 'fieldParentMobile',
  regamount: 'fieldRegAmount',
  bookamount: 'fieldBookAmount',
  amount: 'fieldAmount',
  receiptno: 'fieldReceipt',
  title: 'fieldTitle',
  body: 'fieldText',
  text: 'fieldText',
  minutes: 'fieldMinutes',
  until: 'fieldUntil',
  season: 'fieldSeason',
  supportphone: 'fieldSupportPhone',
  supportemail: 'fieldSupportEmail',
  supporthours: 'fieldSupportHours',
  supporthourshi: 'fieldSupportHoursHi',
  shortname: 'fieldShortName',
  postaladdress: 'fieldPostalAddress',
  logo: 'fieldLogo',
  colour: 'fieldColour',
  importrows: 'fieldImportRows',
  proofmegabytes: 'fieldProofMegabytes',
  codetries: 'fieldCodeTries',
  otpminutes: 'fieldOtpMinutes',
  idleminutes: 'fieldIdleMinutes',
  invitationdays: 'fieldInvitationDays',
  subject: 'fieldSubject',
}

const fold = (field: string) => field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()
/** `firstDateId` and `first_date_id` as «First date id». */
const spaced = (field: string) =>
  field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

/** What an audit code says in words: `school.changed`; a code without words stays as it is. */
export function useActionName(): (action: string) => string {
  const t = actions.use()
  return (action) => {
    const code = action.replaceAll('.', '_')
    // Words that are not there come back as they were asked for.
    const said = t(code as keyof typeof actionWords)
    return said === code ? action : said
  }
}

/** Who did it: the name, of what kind, and for whom. */
export function Actor({ line }: { line: Pick<AuditLine, 'actorKind' | 'actorName' | 'actingFor'> }) {
  const t = words.use()
  const actor = Object.entries(actors).find(([kind]) => kind === line.actorKind)
  const kind = actor ? t(actor[1]) : ''
  return (
    <>
      {line.actorName}
      {kind !== '' && kind !== line.actorName && ` (${kind})`}
      {line.actingFor !== '' && `, ${t('actingFor', { name: line.actingFor })}`}
    </>
  )
}

/** From what to what; more than three changes fold away. */
export function Changes({ changes }: { changes: AuditLine['changes'] }) {
  const t = words.use()
  if (changes.length === 0) return null
  if (changes.length <= 3) return <ChangeList changes={changes} />
  return (
    <details className="history-more">
      <summary>{t('changes', { n: changes.length })}</summary>
      <ChangeList changes={changes} />
    </details>
  )
}

function ChangeList({ changes }: { changes: AuditLine['changes'] }) {
  const t = words.use()
  const nameOf = (field: string) => {
    const known = fields[fold(field)]
    return known ? t(known) : spaced(field)
  }
  return (
    <ul className="history-changes">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          {field !== '' && <span className="quiet">{nameOf(field)}: </span>}
          {from !== '' && (
            <>
              <span className="sr">{t('from')} </span>
              <del>{from}</del> <span aria-hidden="true">→</span> <span className="sr">{t('to')} </span>
            </>
          )}
          <ins>{to === '' ? t('nothingThere') : to}</ins>
        </li>
      ))}
    </ul>
  )
}
