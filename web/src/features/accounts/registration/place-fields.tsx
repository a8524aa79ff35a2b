import { type getCountry, type getState, india } from '@podium/contract/catalogue/calls-places'
import type { ChangeEvent } from 'react'
import type { Answer } from '#shell/call.ts'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from '../words.ts'

type Change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void
/** Props of a field in a form */
interface BoundField {
  onChange?: Change
  [attribute: string]: unknown
}

interface PlaceFieldsProps {
  field: (name: 'country' | 'state') => BoundField
  /** The chosen country and state: shown even before the lists are loaded */
  country: string
  state: string
  /** The lists, once loaded */
  countries: Answer<typeof getCountry> | undefined
  states: Answer<typeof getState> | undefined
  /** Called when another country is chosen: the state no longer applies. */
  onCountry: () => void
}

/** Country and state: for India from the list of states, elsewhere as free text (specification, sections 2.6, 5). */
export function PlaceFields({ field, country, state, onCountry, countries, states }: PlaceFieldsProps) {
  const t = words.use()
  const language = useLanguage()
  const { onChange, ...countryProps } = field('country')
  const names = countries?.data.map(({ countryName }) => countryName) ?? [country || india]
  const stateNames = states?.data.map(({ stateName }) => stateName) ?? [state].filter(Boolean)
  const change: Change = (event) => {
    onChange?.(event)
    onCountry()
  }
  return (
    <>
      <SelectField
        label={t('country')}
        className="c6"
        autoComplete="country-name"
        empty={t('chooseCountry')}
        choices={names.map((name) => ({ value: name, label: countryName(language, name) }))}
        {...countryProps}
        onChange={change}
      />
      {country === india ? (
        <SelectField
          label={t('state')}
          className="c6"
          autoComplete="address-level1"
          empty={t('chooseState')}
          choices={stateNames.map((name) => ({ value: name, label: translateSentence(name) }))}
          {...field('state')}
        />
      ) : (
        <TextField label={t('state')} className="c6" autoComplete="address-level1" {...field('state')} />
      )}
    </>
  )
}
