import { getCountry, getState, india, indiaId } from '@podium/contract/catalogue/calls-places'
import { DistrictField } from '#shell/district-field.tsx'
import { useEndpoint } from '#shell/query.ts'
import { TextField } from '#ui/text-field.tsx'
import { words } from '../words.ts'
import { PlaceFields } from './place-fields.tsx'
import type { SchoolForm } from './use-school-form.ts'

/** The fields of the school detail form (specification, section 2.6). */
export function SchoolFields({ of: { form } }: { of: SchoolForm }) {
  const t = words.use()
  type Name = keyof ReturnType<typeof form.getValues>
  const field = (name: Name) => ({ key: form.key(name), ...form.getInputProps(name) })
  const countries = useEndpoint(getCountry)
  const states = useEndpoint(getState, { query: { countryId: String(indiaId) } })
  const country = form.useWatchValue('country')
  const state = form.useWatchValue('state')
  return (
    <div className="grid">
      <TextField label={t('schName')} className="c12" autoComplete="organization" {...field('schName')} />
      <TextField
        label={t('address')}
        className="c12"
        autoComplete="street-address"
        {...field('schAddress')}
      />
      <PlaceFields
        country={country}
        state={state}
        countries={countries.data}
        states={states.data}
        onCountry={() => form.setFieldValue('state', '')}
        field={field}
      />
      <DistrictField
        label={t('district')}
        className="c6"
        country={country}
        state={state}
        {...field('district')}
      />
      <TextField label={t('city')} className="c6" autoComplete="address-level2" {...field('city')} />
      <TextField
        label={t('pinCode')}
        className="c6"
        inputMode={country === india ? 'numeric' : 'text'}
        autoComplete="postal-code"
        {...field('pinCode')}
      />
      <TextField label={t('phone')} className="c6" type="tel" autoComplete="tel" {...field('mobile')} />
      <TextField
        label={t('udise')}
        className="c6"
        optional
        hint={t('udiseHint')}
        inputMode="numeric"
        {...field('udiseCode')}
      />
      <TextField label={t('affiliation')} className="c6" optional {...field('affiliationNo')} />
    </div>
  )
}
