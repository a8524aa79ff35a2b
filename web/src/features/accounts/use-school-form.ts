import { me } from '@podium/contract/accounts'
import {
  answerAskedBack,
  answerBackForm,
  getAskedBack,
  saveSchoolDetails,
} from '@podium/contract/accounts-school'
import { india } from '@podium/contract/places'
import { useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { updateSession } from '#shell/session.ts'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

/** The school detail form: saved, the teacher id becomes the user's id and the session's record follows (section 4). */
export function useSchoolForm(onSaved: () => void) {
  const t = words.use()
  const client = useQueryClient()
  return usePortalForm({
    // One form for both: who hands in for the first time has nothing to answer.
    schema: answerBackForm,
    initialValues: {
      schName: '',
      schAddress: '',
      city: '',
      country: india,
      state: '',
      district: '',
      pinCode: '',
      mobile: '',
      udiseCode: '',
      affiliationNo: '',
      answer: '',
    },
    draftKey: 'school-detail',
    save: async ({ answer: _, ...body }) => {
      const { userDetails } = await call(saveSchoolDetails, { body })
      updateSession({ teacherId: userDetails.teacherId })
      await client.invalidateQueries({ queryKey: [me.path] })
      toast.success(t('schoolSent'))
      onSaved()
    },
  })
}

export type SchoolForm = ReturnType<typeof useSchoolForm>

type Asked = NonNullable<Answer<typeof getAskedBack>['application']>

/** The same form as it was handed in, with an answer to what the office asks about it. */
export function useAnswerForm({ id, version, question: _, askedAt: __, ...details }: Asked) {
  const say = useSentences()
  const client = useQueryClient()
  return usePortalForm({
    schema: answerBackForm,
    initialValues: { ...details, answer: '' },
    draftKey: `asked-back.${id}.${version}`,
    save: async (body) => {
      const { message } = await call(answerAskedBack, { body: { ...body, id, version } })
      const stale = [me, getAskedBack]
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
      toast.success(say(message))
    },
  })
}
