import { me } from '@podium/contract/accounts/calls'
import {
  answerAskedBack,
  answerBackForm,
  getOwnApplication,
  saveSchoolDetails,
} from '@podium/contract/accounts/calls-application'
import { india } from '@podium/contract/schools/calls-places'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { updateSession } from '#shell/session.ts'
import { toast } from '#ui/toast.tsx'
import { words } from '../words.ts'

export type HandedIn = NonNullable<Answer<typeof getOwnApplication>['application']>

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
export function useSchoolForm(rejected: HandedIn | null, onSaved: () => void) {
  const t = words.use()
  const client = useQueryClient()
  return usePortalForm({
    // One form for both: who hands in for the first time has nothing to answer.
    schema: answerBackForm,
    initialValues: { ...(rejected ? detailsOf(rejected) : nothingYet), answer: '' },
    draftKey: `school-detail.${rejected?.id ?? 'new'}`,
    save: async ({ answer: _, ...body }) => {
      const { userDetails } = await call(saveSchoolDetails, { body })
      updateSession({ teacherId: userDetails.teacherId })
      await isStale(client)
      toast.success(t('schoolSent'))
      onSaved()
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
