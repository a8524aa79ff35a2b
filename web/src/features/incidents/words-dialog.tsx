import type { Incident } from '@podium/contract/incidents'
import { incidentWordsForm, saveIncidentWords } from '@podium/contract/incidents-mails'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const fields = ['what', 'consequences', 'measures', 'safety', 'contact'] as const
const languages = ['en', 'hi'] as const

/** What stands in the register is where the English begins; the mails leave out what is for the Board alone. */
function begun({ words: kept, happened, consequences, measures, safety, contact }: Incident) {
  const untouched = fields.every((name) => kept.en[name] === '')
  const en = untouched ? { what: happened.slice(0, 2000), consequences, measures, safety, contact } : kept.en
  return { en, hi: kept.hi }
}

/** What those affected read, beside each other in both languages. */
export function WordsDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const renew = useRenew(shownOfIncidents)
  const { id, version } = incident
  const f = usePortalForm({
    schema: incidentWordsForm,
    initialValues: begun(incident),
    draftKey: `incident.${id}.words.${version}`,
    save: async (typed) => {
      await call(saveIncidentWords, { body: { id, version, words: typed } }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('wordsTitle')} fact={t('wordsFact')} size="wide">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="grid">
            {fields.flatMap((name) =>
              languages.map((language) => (
                <TextArea
                  {...f.form.getInputProps(`${language}.${name}`)}
                  key={f.form.key(`${language}.${name}`)}
                  label={`${t(`words_${name}`)} (${t(`language_${language}`)})`}
                  className="c6"
                  rows={name === 'what' ? 4 : 3}
                  lang={language}
                />
              )),
            )}
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('save')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
