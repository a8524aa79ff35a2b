import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import {
  type CertificateShape,
  certificateShapes,
  officeCertificateJob,
  startOfficeCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { type FormEvent, useState } from 'react'
import { call } from '#shell/call.ts'
import { useMay } from '#shell/guard.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SchoolCodeField } from '../office-parts.tsx'
import { useClassChoices } from '../office-summary.tsx'
import { CertificatesJob, certificateWords } from './job.tsx'

const lists = ['', '2', '3', '5'] as const

/** Starts a job that makes the certificates of a released event, for all schools or for a single one. */
export function OfficeCertificates({ eventYearId, setId }: { eventYearId: number; setId: number }) {
  const t = certificateWords.use()
  const [language, setLanguage] = useState<WrittenLanguage>(useWrittenLanguage())
  const [schCode, setSchCode] = useState('')
  const [classId, setClassId] = useState(0)
  const [list, setList] = useState<(typeof lists)[number]>('')
  const classes = useClassChoices(setId)
  const [as, setAs] = useState<CertificateShape>('zip')
  const disabledReason = useMay('results.release') ? undefined : t('mayNot')
  const { busy, act } = useAction([officeCertificateJob])
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (disabledReason) return
    const action = list === '' ? undefined : ({ 2: 2, 3: 3, 5: 5 } as const)[list]
    const body = { eventYearId, schCode: schCode.trim(), classId, action, language, as }
    void act(() => call(startOfficeCertificates, { body }))
  }
  return (
    <>
      <Panel title={t('title')} className="no-print">
        <form className="stack" onSubmit={submit} noValidate>
          <p>{t('description')}</p>
          <div className="grid">
            <SchoolCodeField
              className="c3"
              label={t('schoolCode')}
              hint={t('schoolCodeHint')}
              maxLength={20}
              value={schCode}
              onChange={(changed) => setSchCode(changed.currentTarget.value)}
            />
            <SelectField
              className="c3"
              label={t('class')}
              choices={[{ value: '0', label: t('allClasses') }, ...classes]}
              value={String(classId)}
              onChange={(changed) => setClassId(Number(changed.currentTarget.value))}
            />
            <SelectField
              className="c3"
              label={t('list')}
              choices={lists.map((value) => ({ value, label: t(`list_${value}`) }))}
              value={list}
              onChange={(changed) =>
                setList(lists.find((value) => value === changed.currentTarget.value) ?? '')
              }
            />
            <SelectField
              className="c3"
              label={t('language')}
              choices={languageChoices}
              value={language}
              onChange={(changed) => setLanguage(changed.currentTarget.value === 'hi' ? 'hi' : 'en')}
            />
          </div>
          <RadioField
            label={t('shape')}
            name="certificate-shape"
            value={as}
            choices={certificateShapes.map((value) => ({
              value,
              label: t(value === 'zip' ? 'shape_zipOffice' : 'shape_classes'),
            }))}
            onChange={(next) => setAs(next === 'classes' ? 'classes' : 'zip')}
          />
          <div>
            <Button type="submit" icon="medal" busy={busy} disabled={disabledReason}>
              {t('make')}
            </Button>
          </div>
        </form>
      </Panel>
      <CertificatesJob of="office" disabledReason={disabledReason} />
    </>
  )
}
