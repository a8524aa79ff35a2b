import { login } from '@podium/contract/accounts/calls'
import { type LinkedSchool, register } from '@podium/contract/accounts/calls-registration'
import { getCountry, getState, india, indiaId } from '@podium/contract/catalogue/calls-places'
import type { BodyOf } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { openPortal } from '../enter.ts'
import { AccountFields, GateFormFrame, useGateForm } from '../gate-form.tsx'
import { forgetProof, useAnswer } from '../link-gate.tsx'
import { linkTo, useGateLocation } from '../location.ts'
import { words } from '../words.ts'
import { PlaceFields } from './place-fields.tsx'
import { savedRegistration, saveRegistration } from './register-draft.ts'
import { emptyValues, freeSchema, linkedSchema } from './register-values.ts'

/** “I'm already registered”, keeping the link in the URL; other links of the step come before it. */
export function RegisteredLink({ children }: { children?: ReactNode }) {
  const t = words.use()
  const { id, returnurl } = useGateLocation().search
  return (
    <div className="gate-links">
      {children}
      <a {...linkTo(paths.login, { id, returnurl })} className="lk">
        {t('alreadyRegistered')}
      </a>
    </div>
  )
}

interface RegisterFormProps {
  place: { n: number; total: number }
  email: string
  /** The name from the provider */
  name: string
  school: LinkedSchool | undefined
  onOtherEmail: () => void
  onEmailProofLost: () => void
  onSchoolProofLost: () => void
}

/** The form of the new account (specification, sections 2.4, 5). */
export function RegisterForm(props: RegisterFormProps) {
  const { place, email, school } = props
  const t = words.use()
  const f = useRegistration(props)
  const { field } = f
  const schema = school ? linkedSchema : freeSchema
  const remindOfTerms = () => {
    const read = schema.safeParse(f.values)
    toast.withdraw(translateSentence(messages.acceptTerms))
    if (!read.success && read.error.issues.every(({ path }) => path[0] === 'disclaimer'))
      toast.error(translateSentence(messages.acceptTerms))
  }
  const { country } = f.values
  const countries = useAnswer(getCountry, {}, !school)
  const states = useAnswer(getState, { countryId: String(indiaId) }, !school)
  return (
    <div className="roomy">
      <p className="dots">{t('stepOf', place)}</p>
      <h1>{t('formTitle')}</h1>
      <p className="lede">
        {t('formIntro', { email })} {school && t('formAtSchool', { school: school.schName })}
      </p>
      {f.restored && <Note className="gate-note">{t('formRestored')}</Note>}
      <GateFormFrame of={f}>
        <div className="grid">
          <TextField label={t('name')} className="c12" autoComplete="name" {...field('userName')} />
          <TextField
            label={t('address')}
            className="c12"
            autoComplete="street-address"
            {...field('address')}
          />
          {!school && (
            <>
              <PlaceFields
                country={country}
                state={f.values.state}
                countries={countries.data}
                states={states.data}
                onCountry={() => f.set('state', '')}
                field={field}
              />
              <TextField label={t('city')} className="c6" autoComplete="address-level2" {...field('city')} />
              <TextField
                label={t('pinCode')}
                className="c6"
                inputMode={country === india ? 'numeric' : 'text'}
                autoComplete="postal-code"
                {...field('pinCode')}
              />
            </>
          )}
          <AccountFields email={email} field={field}>
            <RadioField
              label={t('gender')}
              name="genderType"
              className="c12"
              choices={[
                { value: '1', label: t('male') },
                { value: '2', label: t('female') },
              ]}
              {...field('genderType')}
            />
          </AccountFields>
        </div>
        <Button type="submit" kind="primary" big wide busy={f.saving} onClick={remindOfTerms}>
          {t('register')}
        </Button>
      </GateFormFrame>
      <RegisteredLink>
        <button type="button" className="lk" onClick={props.onOtherEmail}>
          {t('changeEmail')}
        </button>
      </RegisteredLink>
    </div>
  )
}

function useRegistration({ email, name, school, ...callbacks }: RegisterFormProps) {
  const language = useWrittenLanguage()
  const { id, returnurl } = useGateLocation().search
  const [saved] = useState(() => savedRegistration(id))
  const unanswered = useRef(false)
  const enter = async (body: BodyOf<typeof register>) => {
    try {
      return await call(register, { body })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      // The account may have been created by a call whose answer was lost: then its password lets its user in.
      if (unanswered.current && /_not_proved$/.test(cause.code))
        return call(login, { body: { emailId: email, password: body.password } }).catch(() => {
          throw cause
        })
      unanswered.current ||= cause.status === 0 || cause.status >= 500
      throw cause
    }
  }
  const f = useGateForm({
    schema: school ? linkedSchema : freeSchema,
    initialValues: { ...emptyValues, userName: name, ...saved?.values },
    focus: 'userName',
    save: async (values) => {
      try {
        const schId = school ? { schId: school.id } : {}
        const body = { ...values, emailId: email, ...schId, language }
        // Signs in directly: the address was just verified and the password set, so neither is asked again.
        openPortal(await enter(body), false, { id, returnurl })
      } catch (cause) {
        if (cause instanceof CallError && cause.code === 'account.school_not_proved') {
          forgetProof()
          callbacks.onSchoolProofLost()
        } else if (cause instanceof CallError && cause.code === 'account.email_not_proved') {
          callbacks.onEmailProofLost()
        } else throw cause
        toast.error(translateSentence(cause.message))
      }
    },
  })
  const { values } = f
  useEffect(() => {
    const { password: _, rePassword: __, disclaimer: ___, ...savedValues } = values
    const before = savedRegistration(id)
    if (before) saveRegistration({ ...before, values: savedValues })
  }, [id, values])
  return { ...f, restored: saved?.values !== undefined }
}
