import { registerForm, registerFormWithPlace } from '@podium/contract/accounts/calls-registration'
import { india } from '@podium/contract/catalogue/calls-places'
import * as z from 'zod/mini'

/** The values of the registration form: text, except for the checkbox. */
export const emptyValues = {
  userName: '',
  address: '',
  country: india as string,
  state: '',
  city: '',
  pinCode: '',
  mobile: '',
  designation: '',
  genderType: '',
  password: '',
  rePassword: '',
  disclaimer: false,
}
type Values = typeof emptyValues

/** A radio button gives text, the call takes 1 or 2. The schema checks the rest of what is asserted here. */
const withPlace = (values: Values) =>
  ({ ...values, genderType: values.genderType === '' ? undefined : Number(values.genderType) }) as z.input<
    typeof registerFormWithPlace
  >

/** With a school link, the place is the school's and is not asked. */
const withoutPlace = (values: Values) => {
  const { country: _country, state: _state, city: _city, pinCode: _pinCode, ...fields } = withPlace(values)
  return fields as z.input<typeof registerForm>
}

export const freeSchema = z.pipe(z.transform(withPlace), registerFormWithPlace)
export const linkedSchema = z.pipe(z.transform(withoutPlace), registerForm)
