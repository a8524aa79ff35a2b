import { me } from '@podium/contract/accounts/calls'
import {
  answerAskedBack,
  getOwnApplication,
  saveSchoolDetails,
} from '@podium/contract/accounts/calls-application'
import { answerBackForm } from '@podium/contract/accounts/schemas'
import { india } from '@podium/contract/catalogue/calls-places'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { readDraft, updateSession, writeDraft } from '#shell/session.ts'
import { toast } from '#ui/toast.tsx'
import { words } from '../words.ts'

export type HandedIn = NonNullable<Answer<typeof getOwnApplication>['application']>

export type Place = Answer<typeof getOwnApplication>['place']

/** What was typed before the sign-in, in this tab. */
export const draftBefore = 'school-detail'

const nothingYet = {
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

/** After handing in: where the person stands is asked anew. */
const isStale = (client: QueryClient) =>
  Promise.all([me, getOwnApplication].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))

/** The fields of the form, of what was handed in. */
function detailsOf({
  id: _,
  version: __,
  standing: ___,
  remark: ____,
  askedAt: _____,
  ...details
}: HandedIn) {
  return details
}

/** The school detail form, filled with what was rejected if something was: saved, the teacher id becomes the user's id and the session's record follows (section 4). */
export function useSchoolForm(rejected: HandedIn | null, place: Place, onSaved: () => void) {
  const t = words.use()
  const client = useQueryClient()
  return usePortalForm({
    // One form for both: who hands in for the first time has nothing to answer.
    schema: answerBackForm,
    initialValues: { ...(rejected ? detailsOf(rejected) : emptyAt(place)), answer: '' },
    draftKey: `school-detail.${rejected?.id ?? 'new'}`,
    save: async ({ answer: _, ...body }) => {
      const { userDetails } = await call(saveSchoolDetails, { body })
      const { teacherId, roleId, formPermissions } = userDetails
      writeDraft(draftBefore, undefined)
      updateSession({ teacherId, roleId, formPermissions })
      await isStale(client)
      toast.success(t('schoolSent'))
      onSaved()
    },
  })
}

/** An empty form: with what was typed before the sign-in, else with the place of the account, so that it is typed once. */
function emptyAt({ country, state, city, pinCode }: Place) {
  const typed = readDraft(draftBefore)
  const known = country === '' ? {} : { country, state, city, pinCode }
  return { ...nothingYet, ...(typeof typed === 'object' ? (typed as Partial<typeof nothingYet>) : known) }
}

/** The form for somebody who is not signed in: nothing is sent, and what was typed is there again after the sign-in. */
export function useFormBefore(onFilled: () => void) {
  const typed = readDraft(draftBefore)
  return usePortalForm({
    schema: answerBackForm,
    initialValues: { ...nothingYet, ...(typeof typed === 'object' ? (typed as object) : {}), answer: '' },
    save: async ({ answer: _, ...body }) => {
      writeDraft(draftBefore, body)
      onFilled()
    },
  })
}

export type SchoolForm = ReturnType<typeof useSchoolForm>

/** The same form as it was handed in, with an answer to what the office asks about it. */
export function useAnswerForm(asked: HandedIn) {
  const { id, version } = asked
  const say = useSentences()
  const client = useQueryClient()
  return usePortalForm({
    schema: answerBackForm,
    initialValues: { ...detailsOf(asked), answer: '' },
    draftKey: `asked-back.${id}.${version}`,
    save: async (body) => {
      const { message } = await call(answerAskedBack, { body: { ...body, id, version } })
      await isStale(client)
      toast.success(say(message))
    },
  })
}
