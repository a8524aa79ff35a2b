import type { BodyOf } from '@podium/contract/endpoint'
import {
  type CertificateShape,
  certificateShapes,
  schoolCertificateJob,
  startSchoolCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { RadioField } from '#ui/check-field.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { certificateWords } from './words.ts'

interface BulkProps {
  asked: Omit<BodyOf<typeof startSchoolCertificates>, 'as' | 'language'>
  language: 'en' | 'hi'
  total: number
  onClose: () => void
}

/** More certificates than one file holds: made by a job. */
export function BulkDialog({ asked, language, total, onClose }: BulkProps) {
  const t = certificateWords.use()
  const say = useSentences()
  const [as, setAs] = useState<CertificateShape>('zip')
  const start = useEndpointMutation(startSchoolCertificates, {
    invalidates: [schoolCertificateJob],
    onSuccess: onClose,
    onError: (cause) => toast.error(say(cause.message)),
  })
  return (
    <ConfirmDialog
      opened
      title={t('makeTitle', { n: total })}
      action={t('makeNow')}
      busy={start.isPending}
      onConfirm={() => start.mutate({ body: { ...asked, language, as } })}
      onCancel={onClose}
    >
      <div className="stack">
        <p>{t('makeSays', { n: count(total) })}</p>
        <RadioField
          label={t('shape')}
          name="certificate-shape"
          value={as}
          choices={certificateShapes.map((value) => ({ value, label: t(`shape_${value}`) }))}
          onChange={(next) => setAs(next === 'classes' ? 'classes' : 'zip')}
        />
      </div>
    </ConfirmDialog>
  )
}
