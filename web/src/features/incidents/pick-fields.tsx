import { text } from '@podium/contract/fields'
import { sentences } from '@podium/contract/sentences'
import * as z from 'zod/mini'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import type { PickProps } from './pick-dialog.tsx'
import { words } from './words.ts'

const season = z.union([z.literal(''), z.string().check(z.regex(/^20\d\d-\d\d$/, sentences.seasonNotValid))])
const schoolSchema = z.object({
  codes: text(sentences.incidentNobody, 4000),
  season,
  who: z.enum(['both', 'children', 'people']),
})

/** Everybody of some schools. */
export function SchoolFields({ look, formId }: PickProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: schoolSchema,
    initialValues: { codes: '', season: '', who: 'both' as const },
    save: async ({ codes, season: label, who }) => {
      await look({ how: 'schools', codes, season: label as '', who })
    },
  })
  const field = (name: 'codes' | 'season' | 'who') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <FormFrame of={f} id={formId} asksBeforeLeaving={false}>
      <div className="grid">
        <TextArea label={t('codes')} hint={t('codesHint')} className="c12" rows={2} {...field('codes')} />
        <SelectField
          label={t('whom')}
          className="c6"
          choices={(['both', 'children', 'people'] as const).map((value) => ({
            value,
            label: t(`whom_${value}`),
          }))}
          {...field('who')}
        />
        <TextField label={t('season')} hint={t('seasonHint')} className="c6" optional {...field('season')} />
      </div>
    </FormFrame>
  )
}

const listSchema = z.object({ lines: text(sentences.incidentNobody, 60_000) })

/** Children and people of schools that somebody has a list of. */
export function ListFields({ look, formId }: PickProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: listSchema,
    initialValues: { lines: '' },
    save: async ({ lines }) => {
      await look({ how: 'list', lines })
    },
  })
  return (
    <FormFrame of={f} id={formId} asksBeforeLeaving={false}>
      <TextArea
        label={t('lines')}
        hint={t('linesHint')}
        rows={6}
        key={f.form.key('lines')}
        {...f.form.getInputProps('lines')}
      />
    </FormFrame>
  )
}
