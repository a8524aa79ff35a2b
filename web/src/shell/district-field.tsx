import { getDistrict, india } from '@podium/contract/catalogue/calls-places'
import { useId } from 'react'
import { TextField, type TextFieldProps } from '#ui/text-field.tsx'
import { useEndpoint } from './query.ts'

interface DistrictFieldProps extends TextFieldProps {
  country: string
  state: string
}

/** A district: suggests those known for the state; any other may be typed. */
export function DistrictField({ country, state, ...field }: DistrictFieldProps) {
  const id = useId()
  const enabled = country === india && state !== ''
  const { data } = useEndpoint(getDistrict, { query: { state }, enabled })
  const names = enabled ? (data?.data ?? []) : []
  return (
    <>
      <TextField {...field} list={id} />
      <datalist id={id}>
        {names.map(({ districtName }) => (
          <option key={districtName} value={districtName} />
        ))}
      </datalist>
    </>
  )
}
