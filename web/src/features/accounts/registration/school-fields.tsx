import { me } from '@podium/contract/accounts/calls'
import {
  answerAskedBack,
  getOwnApplication,
  saveSchoolDetails,
} from '@podium/contract/accounts/calls-application'
import { answerBackForm } from '@podium/contract/accounts/schemas'
import { getCountry, getState, india, indiaId } from '@podium/contract/catalogue/calls-places'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { DistrictField } from '#shell/district-field.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useFreshQuery } from '#shell/query.ts'
import { readDraft, updateSession, writeDraft } from '#shell/session.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from '../words.ts'
import { PlaceFields } from './place-fields.tsx'

export type SubmittedApplication = NonNullable<Answer<typeof getOwnApplication>['application']>

export type Place = Answer<typeof getOwnApplication>['place']

/** Draft key of what was typed before sign-in, in this tab. */
const visitorDraftKey = 'school-detail'

const emptyValues = {
  schName: '',
  schAddress: '',
  city: '',
  country: india as string,
  state: '',
  district: '',
  pinCode: '',
  mobile: '',
  udiseCode: '',
  affiliationNo: '',
}

/** Refetches the user's status after a submission. */
const refetchStatus = (client: QueryClient) =>
  Promise.all([me, getOwnApplication].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))

/** Returns the form's fields of a submitted application. */
function detailsOf({
  id: _,
  version: __,
  status: ___,
  remark: ____,
  askedAt: _____,
  ...details
}: SubmittedApplication) {
  return details
}

/**
 * The school detail form, prefilled with a rejected application if there is one. After saving, the teacher id becomes
 * the user's id and the session's record follows (section 4).
 */
export function useSchoolForm(rejected: SubmittedApplication | null, place: Place, onSaved: () => void) {
  const t = words.use()
  const client = useQueryClient()
  return usePortalForm({
    // Both uses share one form: a first application leaves `answer` empty.
    schema: answerBackForm,
    initialValues: { ...(rejected ? detailsOf(rejected) : emptyAt(place)), answer: '' },
    draftKey: `school-detail.${rejected?.id ?? 'new'}`,
    save: async ({ answer: _, ...body }) => {
      const { userDetails } = await call(saveSchoolDetails, { body })
      const { teacherId, roleId, formPermissions } = userDetails
      writeDraft(visitorDraftKey, undefined)
      updateSession({ teacherId, roleId, formPermissions })
      await refetchStatus(client)
      toast.success(t('schoolSent'))
      onSaved()
    },
  })
}

/**
 * Returns the initial values: what was typed before sign-in, otherwise the account's place, so that it is typed once.
 */
function emptyAt({ country, state, city, pinCode }: Place) {
  const typed = readDraft(visitorDraftKey)
  const place = country === '' ? {} : { country, state, city, pinCode }
  return { ...emptyValues, ...(typeof typed === 'object' ? (typed as Partial<typeof emptyValues>) : place) }
}

/** The form for visitors not signed in: nothing is sent, and what was typed is restored after sign-in. */
export function useVisitorForm(onFilled: () => void) {
  const typed = readDraft(visitorDraftKey)
  return usePortalForm({
    schema: answerBackForm,
    initialValues: { ...emptyValues, ...(typeof typed === 'object' ? (typed as object) : {}), answer: '' },
    save: async ({ answer: _, ...body }) => {
      writeDraft(visitorDraftKey, body)
      onFilled()
    },
  })
}

/** The same form with the submitted values, and an answer to the office's question. */
export function useAnswerForm(application: SubmittedApplication) {
  const { id, version } = application
  const translate = useSentences()
  const client = useQueryClient()
  return usePortalForm({
    schema: answerBackForm,
    initialValues: { ...detailsOf(application), answer: '' },
    draftKey: `asked-back.${id}.${version}`,
    save: async (body) => {
      const { message } = await call(answerAskedBack, { body: { ...body, id, version } })
      await refetchStatus(client)
      toast.success(translate(message))
    },
  })
}

/** The fields of the school detail form (specification, section 2.6). */
export function SchoolFields({ of: { form } }: { of: ReturnType<typeof useSchoolForm> }) {
  const t = words.use()
  const { field } = form
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

interface Props {
  /** Shown while loading; by default a form skeleton */
  fallback?: ReactNode
  children: (application: SubmittedApplication | null, place: Place) => ReactNode
}

/** Loads the application this user has to correct and passes it to the form; null for an empty form. */
export function WithEarlierApplication({ fallback = <Skeleton shape="form" rows={4} />, children }: Props) {
  // Fresh: the office may have rejected it a moment ago.
  const applicationQuery = useFreshQuery(getOwnApplication)
  if (applicationQuery.error)
    return <LoadProblem error={applicationQuery.error} retry={() => void applicationQuery.refetch()} />
  return applicationQuery.data
    ? children(applicationQuery.data.application, applicationQuery.data.place)
    : fallback
}
