import { getCountry, getState, india, indiaId } from '@podium/contract/catalogue/calls-places'
import type { SchoolRecord } from '@podium/contract/schools/calls-record'
import type { SchoolRecordFields } from '@podium/contract/schools/calls-write'
import { DistrictField } from '#shell/district-field.tsx'
import { ListProblem } from '#shell/form-dialog.tsx'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from './words.ts'

/** Returns the initial values, for a new school or one to change. */
export function schoolValues(school?: SchoolRecord): SchoolRecordFields {
  return {
    schName: school?.schName ?? '',
    schAddress: school?.schAddress ?? '',
    city: school?.city ?? '',
    district: school?.district ?? '',
    state: school?.state ?? '',
    country: school?.country ?? india,
    pinCode: school?.pinCode ?? '',
    mobile: school?.mobile ?? '',
    udiseCode: school?.udiseCode ?? '',
    affiliationNo: school?.affiliationNo ?? '',
    schEmail: school?.schEmail ?? '',
    schGroupId: school?.schGroupId ?? '',
    landLineNo: school?.landLineNo ?? '',
    schFaxNo: school?.schFaxNo ?? '',
    schWebSite: school?.schWebSite ?? '',
    whatsAppNo: school?.whatsAppNo ?? '',
  }
}

type Name = keyof SchoolRecordFields

interface SchoolFieldsProps {
  /** Returns the props of a field */
  field: (name: Name) => { formKey: string }
  /** The chosen country and state */
  country: string
  state: string
  /** The initial state: it can stay even if it is no longer offered */
  hadState?: string
}

/** The fields of a school as the office edits them. */
export function SchoolFields(props: SchoolFieldsProps) {
  const { field } = props
  const t = words.use()
  return (
    <>
      <TextField label={t('schName')} className="c12" {...field('schName')} />
      <TextField label={t('address')} className="c12" {...field('schAddress')} />
      <PlaceFields {...props} />
      <TextField label={t('pinCode')} className="c6" {...field('pinCode')} />
      <TextField label={t('phone')} className="c6" type="tel" {...field('mobile')} />
      <TextField label={t('udise')} className="c6" optional hint={t('udiseHint')} {...field('udiseCode')} />
      <TextField label={t('affiliation')} className="c6" optional {...field('affiliationNo')} />
      <TextField label={t('email')} className="c6" optional type="email" {...field('schEmail')} />
      <TextField
        label={t('website')}
        className="c6"
        optional
        type="url"
        hint={t('websiteHint')}
        {...field('schWebSite')}
      />
      <TextField label={t('whatsapp')} className="c6" optional type="tel" {...field('whatsAppNo')} />
      <TextField label={t('landline')} className="c6" optional type="tel" {...field('landLineNo')} />
      <TextField label={t('fax')} className="c6" optional {...field('schFaxNo')} />
      <TextField label={t('group')} className="c6" optional {...field('schGroupId')} />
    </>
  )
}

/** Country and state: for India from the list of states, elsewhere as free text. */
function PlaceFields({ field, country, state, hadState = '' }: SchoolFieldsProps) {
  const t = words.use()
  const language = useLanguage()
  const countryList = useEndpoint(getCountry)
  const countries = countryList.data?.data ?? []
  const states = useEndpoint(getState, { query: { countryId: String(indiaId) } })
  const failed = countryList.error ? countryList : states
  const offered = (states.data?.data ?? []).map(({ stateName }) => stateName)
  // Keeps the school's state if the list does not have it any more, or not yet.
  const stateNames = hadState === '' || offered.includes(hadState) ? offered : [...offered, hadState]
  const names = countries.length > 0 ? countries.map(({ countryName }) => countryName) : [country || india]
  return (
    <>
      <ListProblem error={failed.data ? null : failed.error} retry={failed.refetch} className="c12" />
      <SelectField
        label={t('country')}
        className="c6"
        empty={t('chooseCountry')}
        choices={names.map((name) => ({ value: name, label: countryName(language, name) }))}
        {...field('country')}
      />
      {country === india ? (
        <SelectField
          label={t('state')}
          className="c6"
          empty={t('chooseState')}
          choices={stateNames.map((name) => ({ value: name, label: translateSentence(name) }))}
          {...field('state')}
        />
      ) : (
        <TextField label={t('state')} className="c6" {...field('state')} />
      )}
      <DistrictField
        label={t('district')}
        className="c6"
        country={country}
        state={state}
        {...field('district')}
      />
      <TextField label={t('city')} className="c6" {...field('city')} />
    </>
  )
}
