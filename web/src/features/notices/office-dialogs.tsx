import { getState, indiaId } from '@podium/contract/catalogue/calls-places'
import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import { endNotice, type OfficeNotice, officeNotices, saveNotice } from '@podium/contract/notices/calls'
import { noticeFields, noticeRules } from '@podium/contract/notices/schemas'
import { addDays, istDay } from '@podium/contract/season'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog, ListProblem, useFormDialog } from '#shell/form-dialog.tsx'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { CheckField, RadioField } from '#ui/check-field.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { MultiSelect } from '#ui/multi-select.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { type NoticeContent, NoticeView } from './notice-view.tsx'
import { audienceOf, daysOf, disabledReasonOf, type NoticeAction, words } from './office-table.tsx'

type NoticeValues = z.input<typeof noticeFields>
const schema = noticeFields.check(
  ...noticeRules.map(({ holds, message, field }) =>
    z.refine<z.output<typeof noticeFields>>(holds, { error: message, path: [field] }),
  ),
)

/** Returns the initial values: of a new notice, of one to change, or of a copy that starts today. */
function valuesOf(notice: OfficeNotice | undefined, isCopy: boolean): Required<NoticeValues> {
  const today = istDay(new Date())
  const days =
    notice && !isCopy ? { from: notice.from, until: notice.until } : { from: today, until: addDays(today, 7) }
  return {
    title: notice?.title ?? '',
    text: notice?.text ?? '',
    titleHi: notice?.titleHi ?? '',
    textHi: notice?.textHi ?? '',
    important: notice?.important ?? false,
    audience: notice?.audience ?? 'all',
    states: notice?.states ?? [],
    schCode: notice?.schCode ?? '',
    ...days,
  }
}

interface Props {
  /** Undefined for a new notice */
  notice: OfficeNotice | undefined
  /** Copies its text into a new notice */
  isCopy: boolean
  onClose: () => void
}

function useNoticeForm({ notice, isCopy, onClose }: Props) {
  const translate = useSentences()
  const [key] = useState(() => crypto.randomUUID())
  const id = notice && !isCopy ? notice.id : 0
  return useFormDialog({
    schema,
    initialValues: valuesOf(notice, isCopy),
    draftKey: `notice.${id}${notice ? `.${isCopy ? notice.id : notice.version}` : ''}`,
    save: (values) => {
      const body = { ...values, id, ...(notice && id > 0 ? { version: notice.version } : {}) }
      return callOnce(saveNotice, { body, idempotencyKey: key })
    },
    invalidates: [officeNotices],
    done: ({ message }) => translate(message),
    onClose,
  })
}

type Form = ReturnType<typeof useNoticeForm>

/** Writes or changes a notice, with a preview of what a school will see beside the fields. */
export function EditDialog(props: Props) {
  const { notice, isCopy } = props
  const t = words.use()
  const f = useNoticeForm(props)
  const changes = notice !== undefined && !isCopy
  return (
    <FormDialog
      of={f}
      size="wide"
      title={t(changes ? 'editTitle' : 'newTitle')}
      save={t(changes ? 'save' : 'publish')}
      asksBeforeLeaving>
      <div className="two gap-6">
        <Fields f={f} />
        <div>
          <LivePreview f={f} />
          {changes && <p className="hint">{t('rereads')}</p>}
        </div>
      </div>
    </FormDialog>
  )
}

/** The Hindi version: collapsed while empty, expanded if it has errors. */
function InHindi({ f }: { f: Form }) {
  const t = words.use()
  const { titleHi, textHi } = f.form.getValues()
  const [open, setOpen] = useState(titleHi !== '' || textHi !== '')
  const [title, text] = (['titleHi', 'textHi'] as const).map((name) => f.form.field(name))
  const wrong = Boolean(title?.error || text?.error)
  return (
    <details
      className="c12"
      open={open || wrong}
      onToggle={({ currentTarget }) => {
        // The browser has already collapsed it: at the next press of “Publish” the error would be hidden.
        if (wrong) currentTarget.open = true
        setOpen(currentTarget.open)
      }}>
      <summary>{t('inHindi')}</summary>
      <div className="stack gap-3 mt-3">
        <TextField label={t('titleHi')} optional lang="hi" autoComplete="off" {...title} />
        <TextArea label={t('textHi')} optional lang="hi" rows={4} hint={t('hindiHint')} {...text} />
      </div>
    </details>
  )
}

function Fields({ f }: { f: Form }) {
  const t = words.use()
  const { field } = f.form
  return (
    <div className="grid">
      <TextField label={t('titleEn')} className="c12" autoComplete="off" {...field('title')} />
      <TextArea label={t('textEn')} className="c12" rows={5} hint={t('textHint')} {...field('text')} />
      <InHindi f={f} />
      <Audience f={f} />
      <DateField label={t('from')} className="c6" {...field('from')} />
      <DateField label={t('until')} className="c6" min={istDay(new Date())} {...field('until')} />
      <CheckField label={t('importance')} className="c12" {...field('important', { type: 'checkbox' })} />
    </div>
  )
}

function Audience({ f }: { f: Form }) {
  const t = words.use()
  const states = useEndpoint(getState, { query: { countryId: String(indiaId) } })
  const audience = f.form.useWatchValue('audience')
  const choices = (states.data?.data ?? []).map(({ stateName }) => ({
    value: stateName,
    label: translateSentence(stateName),
  }))
  return (
    <>
      <RadioField
        label={t('audience')}
        name="audience"
        className="c12"
        choices={[
          { value: 'all', label: t('audienceAll') },
          { value: 'state', label: t('audienceState') },
          { value: 'school', label: t('audienceSchool') },
        ]}
        {...f.form.field('audience')}
      />
      {audience === 'state' && (
        <>
          <MultiSelect label={t('states')} className="c12" choices={choices} {...f.form.field('states')} />
          <ListProblem error={states.data ? null : states.error} retry={states.refetch} className="c12" />
        </>
      )}
      {audience === 'school' && (
        <TextField
          label={t('schCode')}
          className="c12"
          hint={t('schCodeHint')}
          autoComplete="off"
          autoCapitalize="characters"
          {...f.form.field('schCode')}
        />
      )}
    </>
  )
}

/** The preview updates with each key. */
function LivePreview({ f }: { f: Form }) {
  const t = words.use()
  const watch = f.form.useWatchValue
  const [title, text, titleHi, textHi] = [watch('title'), watch('text'), watch('titleHi'), watch('textHi')]
  const important = watch('important')
  return (
    <Preview
      notice={{
        title: title || t('noTitle'),
        text: text || t('noText'),
        titleHi: titleHi ?? '',
        textHi: textHi ?? '',
        important,
      }}
    />
  )
}

interface OpenProps {
  notice: OfficeNotice
  onClose: () => void
  onAct: (act: NoticeAction) => void
}

/** A notice as a school sees it, with its readers; open to every role. */
export function OpenDialog({ notice, onClose, onAct }: OpenProps) {
  const t = words.use()
  const disabledReason = disabledReasonOf(t, notice)
  return (
    <Dialog opened onClose={onClose} title={notice.title} fact={t(notice.state)}>
      <DialogBody>
        <Preview notice={notice} />
        <div className="mt-4">
          <KeyValues>
            <KeyValue label={t('for')}>{audienceOf(t, notice)}</KeyValue>
            <KeyValue label={t('days')}>{daysOf(t, notice)}</KeyValue>
            <KeyValue label={t('readAt')}>
              {t('readOf', { read: count(notice.schoolsRead), n: notice.schools })}
            </KeyValue>
            <KeyValue label={t('changed')}>
              {t('changedBy', { name: notice.changedBy, day: dayText(notice.changedAt) })}
            </KeyValue>
          </KeyValues>
        </div>
      </DialogBody>
      <DialogFoot onClose={onClose}>
        {notice.state !== 'over' && (
          <Button kind="primary" disabled={disabledReason} onClick={() => onAct('edit')}>
            {t('edit')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

/** A notice as a school sees it, in either language if it has both. */
function Preview({ notice }: { notice: NoticeContent }) {
  const t = words.use()
  const [language, setLanguage] = useState<WrittenLanguage>('en')
  const hasHindi = notice.titleHi !== ''
  return (
    <section className="notice-preview" aria-label={t('preview')}>
      <div className="lead row between mb-2">
        <h3>{t('preview')}</h3>
        {hasHindi && (
          <Segmented
            label={t('language')}
            value={language}
            choices={languageChoices}
            onChange={setLanguage}
          />
        )}
      </div>
      <NoticeView notice={notice} hindi={hasHindi && language === 'hi'} />
    </section>
  )
}

export function EndDialog({ notice, onClose }: { notice: OfficeNotice; onClose: () => void }) {
  const t = words.use()
  const translate = useSentences()
  return (
    <ConfirmAction
      danger
      title={t('endTitle', { title: notice.title })}
      action={t('end')}
      act={() => call(endNotice, { body: { id: notice.id, version: notice.version } })}
      invalidates={[officeNotices]}
      done={({ message }) => translate(message)}
      onClose={onClose}>
      {t(notice.state === 'planned' ? 'endHintPlanned' : 'endHint')}
    </ConfirmAction>
  )
}
