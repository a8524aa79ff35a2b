import { replaceClassNames } from '@podium/contract/classes'
import { writtenLanguages } from '@podium/contract/languages'
import {
  type AffectedForm,
  type AffectedPreview,
  addAffected,
  affectedFilter,
  affectedList,
  changeIncident,
  findAffected,
  type Incident,
  incidentForm,
  incidentMailBegun,
  incidentMailForm,
  incidentNatures,
  openIncident,
  saveIncidentMail,
} from '@podium/contract/privacy/calls-incidents'
import { istDay } from '@podium/contract/season'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog, useAsOpened, useFormDialog, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { classChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useAction } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { incidentCalls, words } from './use-incident.ts'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function valuesOf(incident: Incident | undefined) {
  const foundAt = incident ? new Date(incident.foundAt) : new Date()
  return {
    title: incident?.title ?? '',
    nature: incident?.nature ?? incidentNatures[0],
    foundDay: istDay(foundAt),
    foundTime: clock.format(foundAt),
    happened: incident?.happened ?? '',
    extent: incident?.extent ?? '',
    measures: incident?.measures ?? '',
  }
}

/** Records a breach or updates what is known of it; hardly anything is required at first. */
export function IncidentDialog(props: { incident?: Incident; onClose: () => void }) {
  const { onClose } = props
  const t = words.use()
  const incident = useAsOpened(props.incident)
  const navigate = useNavigate()
  const f = useFormDialog({
    schema: incidentForm,
    initialValues: valuesOf(incident),
    draftKey: incident ? `incident.${incident.id}.${incident.version}` : 'incident.new',
    save: async (body) => {
      if (!incident) return (await call(openIncident, { body })).id
      const { id, version } = incident
      await call(changeIncident, { body: { ...body, id, version } })
      return undefined
    },
    invalidates: incidentCalls,
    done: t(incident ? 'saved' : 'opened'),
    onDone: (opened) => {
      onClose()
      return opened && navigate({ to: officePaths.incident, params: { id: String(opened) } })
    },
    onClose,
  })
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t(incident ? 'changeTitle' : 'openTitle')}
      fact={t('noNames')}
      save={t(incident ? 'save' : 'open')}>
      <div className="grid">
        <TextField label={t('titleField')} className="c12" data-autofocus {...field('title')} />
        <SelectField
          label={t('nature')}
          className="c6"
          choices={incidentNatures.map((value) => ({ value, label: t(`nature_${value}`) }))}
          {...field('nature')}
        />
        <DateField label={t('foundDay')} className="c3" {...field('foundDay')} />
        <TextField
          label={t('foundTime')}
          className="c3"
          hint={t('timeHint')}
          inputMode="numeric"
          {...field('foundTime')}
        />
        <TextArea label={t('happened')} className="c12" rows={4} {...field('happened')} />
        <TextArea
          label={t('extent')}
          hint={t('extentHint')}
          className="c6"
          rows={3}
          optional
          {...field('extent')}
        />
        <TextArea
          label={t('measures')}
          hint={t('measuresHint')}
          className="c6"
          rows={3}
          optional
          {...field('measures')}
        />
      </div>
    </FormDialog>
  )
}

const ways = ['filter', 'list'] as const
const formId = 'incident-affected'

/** Adds affected people, after a preview of who they are. */
export function AddDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAction(incidentCalls)
  const [by, setBy] = useState<AffectedForm['by']>('filter')
  const [looked, setLooked] = useState<{ form: AffectedForm; preview: AffectedPreview }>()
  const { id, version } = incident
  /** The form last sent; undefined once anything in it has changed. */
  const sent = useRef<AffectedForm>(undefined)
  const isTyped = useRef(false)
  const { leave, question } = useLeaveQuestion(() => isTyped.current, onClose)
  const loadPreview = async (form: AffectedForm) => {
    sent.current = form
    const preview = await call(findAffected, { body: { id, who: form } })
    if (sent.current === form) setLooked({ form, preview })
  }
  const add = async () => {
    if (!looked) return
    const body = { id, version, who: looked.form }
    if (!(await act(() => call(addAffected, { body }), t('added', { n: looked.preview.added })))) return
    isTyped.current = false
    onClose()
  }
  const forget = () => {
    sent.current = undefined
    setLooked(undefined)
  }
  const Fields = by === 'filter' ? FilterFields : ListFields
  const added = looked?.preview.added ?? 0
  return (
    <Dialog opened onClose={leave} title={t('add')} fact={incident.title}>
      <DialogBody>
        <div className="stack">
          <Segmented
            label={t('foundBy')}
            value={by}
            choices={ways.map((value) => ({ value, label: t(`by_${value}`) }))}
            onChange={(next) => {
              setBy(next)
              isTyped.current = false
              forget()
            }}
          />
          <div
            onInput={() => {
              isTyped.current = true
              forget()
            }}>
            <Fields loadPreview={loadPreview} />
          </div>
          {looked && <AffectedPeople preview={looked.preview} />}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button type="submit" form={formId} kind={looked ? 'secondary' : 'primary'}>
          {t('showWho')}
        </Button>
        {looked && (
          <Button
            kind="primary"
            busy={busy}
            disabled={added === 0 ? t('nobodyNew') : undefined}
            onClick={() => void add()}>
            {t('addThem', { n: added })}
          </Button>
        )}
      </DialogFoot>
      {question}
    </Dialog>
  )
}

interface FieldsProps {
  /** Previews the people; throws errors to be shown at a field. */
  loadPreview: (form: AffectedForm) => Promise<void>
}

function FilterFields({ loadPreview }: FieldsProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: affectedFilter,
    initialValues: { by: 'filter' as const, codes: '', season: '', classId: '0', who: 'children' as const },
    save: loadPreview,
  })
  const { field } = f.form
  return (
    <FormFrame of={f} id={formId} asksBeforeLeaving={false}>
      <div className="grid">
        <TextArea label={t('codes')} hint={t('codesHint')} className="c12" rows={2} {...field('codes')} />
        <SelectField
          label={t('whom')}
          className="c6"
          choices={(['children', 'people', 'both'] as const).map((value) => ({
            value,
            label: t(`whom_${value}`),
          }))}
          {...field('who')}
        />
        <TextField label={t('season')} hint={t('seasonHint')} className="c3" optional {...field('season')} />
        <SelectField
          label={t('class')}
          className="c3"
          choices={[{ value: '0', label: t('allClasses') }, ...classChoices()]}
          {...field('classId')}
        />
      </div>
    </FormFrame>
  )
}

function ListFields({ loadPreview }: FieldsProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: affectedList,
    initialValues: { by: 'list' as const, lines: '' },
    save: loadPreview,
  })
  return (
    <FormFrame of={f} id={formId} asksBeforeLeaving={false}>
      <TextArea label={t('lines')} hint={t('linesHint')} rows={6} {...f.form.field('lines')} />
    </FormFrame>
  )
}

function AffectedPeople({ preview }: { preview: AffectedPreview }) {
  const t = words.use()
  const { children, people, schools, unreachable, unknown, sample } = preview
  const more = children + people - sample.length
  const start = useRef<HTMLElement>(null)
  // On a phone it would be below the fold.
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={start} className="stack" aria-label={t('foundTitle')} aria-live="polite">
      <p className="strong">
        {t('foundCounts', { children: count(children), people: count(people), schools: count(schools) })}{' '}
        {unreachable > 0 && t('unreachable', { n: unreachable })}
      </p>
      {sample.length > 0 && (
        <ul className="bullets">
          {sample.map(({ kind, name, place }) => (
            <li key={`${kind} ${name} ${place}`}>
              {name}{' '}
              <span className="quiet">
                ({place === '' ? t(kind) : `${t(kind)}, ${replaceClassNames(place, translateSentence)}`})
              </span>
            </li>
          ))}
          {more > 0 && <li className="quiet">{t('andMore', { n: more })}</li>}
        </ul>
      )}
      {unknown.length > 0 && <Note kind="due">{t('unknown', { list: unknown.join(', ') })}</Note>}
    </section>
  )
}

/** The e-mail to the people affected, in both languages side by side. */
export function MailDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { id, version } = useAsOpened(incident)
  const f = useFormDialog({
    schema: incidentMailForm,
    initialValues: incident.mail ?? incidentMailBegun,
    draftKey: `incident.${id}.mail.${version}`,
    save: (mail) => call(saveIncidentMail, { body: { id, version, mail } }),
    invalidates: incidentCalls,
    done: t('saved'),
    onClose,
  })
  const { field } = f.form
  return (
    <FormDialog of={f} title={t('writeMail')} fact={t('mailFact')} size="wide" save={t('save')}>
      <div className="grid">
        {writtenLanguages.map((language) => (
          <TextField
            key={language}
            {...field(`${language}.subject`)}
            label={`${t('subject')} (${t(`language_${language}`)})`}
            className="c6"
            lang={language}
          />
        ))}
        {writtenLanguages.map((language) => (
          <TextArea
            key={language}
            {...field(`${language}.text`)}
            label={`${t('text')} (${t(`language_${language}`)})`}
            className="c6"
            rows={16}
            lang={language}
          />
        ))}
      </div>
    </FormDialog>
  )
}
