import { classes } from '@podium/contract/classes'
import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import { blankForm } from '@podium/contract/students/calls-print-lists'
import { useState } from 'react'
import { download } from '#shell/download.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useAttempt, useClosing } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { words } from './panels.tsx'

/** Prints the blank form of a class for its families: which class, in which language. */
export function FamilyFormDialog({ season, onClose }: { season: string; onClose: () => void }) {
  const t = words.use()
  const [classId, setClassId] = useState('')
  const [language, setLanguage] = useState<WrittenLanguage>('en')
  const { close, closeAfter } = useClosing(onClose)
  const { busy, problem, attempt } = useAttempt()
  const fetchForm = () =>
    attempt(async () => {
      await download(blankForm, { query: { FYear: season, classId, language } })
      closeAfter()
    })
  return (
    <Dialog opened onClose={close} size="small" title={t('familyTitle')} fact={season}>
      <DialogBody>
        <div className="stack">
          {problem && <Note kind="bad">{problem}</Note>}
          <p>{t('familyHint')}</p>
          <SelectField
            label={t('class')}
            empty={t('chooseClass')}
            choices={classes.map((schoolClass) => ({
              value: String(schoolClass.classId),
              label: translateSentence(schoolClass.className),
            }))}
            value={classId}
            onChange={(event) => setClassId(event.currentTarget.value)}
            data-autofocus
          />
          <Segmented
            label={t('language')}
            value={language}
            choices={languageChoices}
            onChange={setLanguage}
          />
        </div>
      </DialogBody>
      <DialogFoot onCancel={close}>
        <Button
          kind="primary"
          icon="download"
          busy={busy}
          disabled={classId === '' ? t('chooseClass') : false}
          onClick={() => void fetchForm()}>
          {t('makePdf')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
