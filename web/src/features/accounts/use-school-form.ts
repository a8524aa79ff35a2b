import { me } from '@podium/contract/accounts'
import { saveSchoolDetails, schoolDetailForm } from '@podium/contract/accounts-school'
import { india } from '@podium/contract/places'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { updateSession } from '#shell/session.ts'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

/** The school detail form: saved, the teacher id becomes the user's id and the session's record follows (section 4). */
export function useSchoolForm(onSaved: () => void) {
  const t = words.use()
  const client = useQueryClient()
  return usePortalForm({
    schema: schoolDetailForm,
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
    },
    draftKey: 'school-detail',
    save: async (body) => {
      const { userDetails } = await call(saveSchoolDetails, { body })
      updateSession({ teacherId: userDetails.teacherId })
      await client.invalidateQueries({ queryKey: [me.path] })
      toast.success(t('schoolSent'))
      onSaved()
    },
  })
}

export type SchoolForm = ReturnType<typeof useSchoolForm>
