import { type RulesVersion, rulesOfEvent } from '@podium/contract/results/calls-what-if'
import { type EventRules, type EventSection, medals } from '@podium/contract/results/schemas'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { FormFrame } from '#shell/form-frame.tsx'
import { classChoices } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { readOwnDraft, saveOwnDraft } from '#shell/own-draft.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { MultiSelect } from '#ui/multi-select.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { EventRecord } from '../data.ts'
import { RulesAsSentences, useScopes, Versions } from './rules-text.tsx'
import {
  newClause,
  newPlace,
  type RulesForm,
  type RulesRecord,
  rulesDraftKey,
  rulesWords,
  type TypedClause,
  type TypedLadder,
  type TypedRules,
  useRules,
} from './values.ts'

/** Who qualifies for the next level. */
function NextLevel({ form }: { form: RulesForm['form'] }) {
  const t = rulesWords.use()
  const scopes = useScopes()
  const leadsOn = form.useWatchValue('leadsOn') as boolean
  const clauses = form.useWatchValue('clauses') as TypedClause[]
  const { field } = form
  return (
    <Panel title={t('nextLevel')}>
      <CheckField label={t('invites')} {...form.field('leadsOn', { type: 'checkbox' })} />
      {leadsOn && (
        <>
          <div className="grid">
            <SelectField
              label={t('level')}
              className="c4"
              choices={['2', '3'].map((value) => ({ value, label: value }))}
              {...field('level')}
            />
            <MultiSelect label={t('classes')} className="c8" choices={classChoices()} {...field('classes')} />
          </div>
          <p className="hint">{t('clausesHint')}</p>
          {clauses.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name of its own
            <div className="cat-line" key={index}>
              <SelectField label={t('by')} choices={scopes} {...field(`clauses.${index}.by`)} />
              <NumberField label={t('upToRank')} {...field(`clauses.${index}.upToRank`)} />
              <NumberField label={t('percent')} decimals={2} {...field(`clauses.${index}.percent`)} />
              <NumberField label={t('minimumPool')} {...field(`clauses.${index}.minimumPool`)} />
              <IconButton
                icon="delete"
                label={t('removeClause', { n: index + 1 })}
                disabled={clauses.length === 1}
                onClick={() => form.removeListItem('clauses', index)}
              />
            </div>
          ))}
          <div className="row mt-4">
            <Button icon="plus" onClick={() => form.insertListItem('clauses', newClause())}>
              {t('addClause')}
            </Button>
          </div>
        </>
      )}
    </Panel>
  )
}

const Trial = lazyPart(() => import('./trial.tsx'), 'Trial')

/** How an event's results are decided: shown as sentences, edited, tried on last season, saved as a version. */
export function RulesPart({ record }: { record: EventRecord }) {
  const { eventYearId } = record.event
  const rules = useEndpoint(rulesOfEvent, { query: { eventYearId: String(eventYearId) } })
  const [loadedVersion, setLoadedVersion] = useState<{ loadCount: number; rules: EventRules }>()
  const [editing, setEditing] = useState(false)
  const editor = useRef<RulesForm>(null)
  const [asked, setAsked] = useState<RulesVersion>()
  const t = rulesWords.use()
  const data = rules.data?.eventYearId === eventYearId ? rules.data : undefined
  if (rules.error && !data) return <LoadProblem error={rules.error} retry={rules.refetch} />
  const current = data?.versions[0]
  if (!data || !current) return <Skeleton shape="form" />
  const disabledReason = data.can.save === true ? undefined : t('mayNotSave')
  const draftKey = rulesDraftKey(data)
  const isEdited = () =>
    editor.current ? editor.current.form.isDirty() : Boolean(readOwnDraft(`${draftKey}.${data.rulesVersion}`))
  const take = (version: RulesVersion) => {
    // Otherwise the draft would be restored over the version.
    editor.current?.draft.drop()
    saveOwnDraft(`${draftKey}.${data.rulesVersion}`, undefined, 'tab')
    setAsked(undefined)
    setLoadedVersion({ loadCount: (loadedVersion?.loadCount ?? 0) + 1, rules: version.rules })
    setEditing(true)
  }
  return (
    <div className="stack">
      {editing ? (
        <RulesEditor
          key={loadedVersion?.loadCount}
          editor={editor}
          record={data}
          shown={loadedVersion?.rules ?? current.rules}
          onSaved={() => {
            setLoadedVersion(undefined)
            setEditing(false)
          }}
        />
      ) : (
        <RulesAsSentences
          rules={current.rules}
          version={data.rulesVersion}
          disabledReason={disabledReason}
          onEdit={() => setEditing(true)}
        />
      )}
      <Versions
        record={data}
        disabledReason={disabledReason}
        onTake={(version) => (isEdited() ? setAsked(version) : take(version))}
      />
      {asked && (
        <ConfirmDialog
          opened
          danger
          title={t('takeTitle', { n: asked.version })}
          action={t('take')}
          onConfirm={() => take(asked)}
          onCancel={() => setAsked(undefined)}>
          {t('takeHint')}
        </ConfirmDialog>
      )}
    </div>
  )
}

interface EditorProps {
  /** Holds the form while it is shown */
  editor: RefObject<RulesForm | null>
  record: RulesRecord
  shown: EventRules
  onSaved: () => void
}

function RulesEditor({ editor, record, shown, onSaved }: EditorProps) {
  const t = rulesWords.use()
  const { f, jobId, attempt, endTrial } = useRules(record, shown, onSaved)
  const { form } = f
  useEffect(() => {
    editor.current = f
    return () => {
      editor.current = null
    }
  })
  const disabledReason = record.can.save === true ? undefined : t('mayNotSave')
  return (
    <>
      <FormFrame of={f} className="stack">
        <TieBreak form={form} sections={record.sections} />
        <Medals form={form} />
        <Ladders form={form} />
        <CheckField label={t('onePrize')} {...form.field('onePrize', { type: 'checkbox' })} />
        <NextLevel form={form} />
        <Panel title={t('note')}>
          <TextField
            label={t('note')}
            labelHidden
            hint={t('noteHint')}
            maxLength={500}
            {...form.field('note')}
          />
          <p className="hint">{record.base ? t('tryHint', { season: record.base.FYear }) : t('noBase')}</p>
          <div className="row mt-4">
            {record.base && (
              <>
                <Button busy={f.saving} disabled={disabledReason} onClick={() => attempt('event')}>
                  {t('tryOn', { season: record.base.FYear })}
                </Button>
                {record.base.events > 1 && (
                  <Button busy={f.saving} disabled={disabledReason} onClick={() => attempt('season')}>
                    {t('tryAll')}
                  </Button>
                )}
              </>
            )}
            <Button type="submit" kind="primary" busy={f.saving} disabled={disabledReason}>
              {t('save', { n: record.rulesVersion + 1 })}
            </Button>
          </div>
        </Panel>
      </FormFrame>
      <Suspense fallback={<Skeleton shape="table" rows={3} />}>
        {jobId && <Trial key={jobId} jobId={jobId} onClose={endTrial} />}
      </Suspense>
    </>
  )
}

/** A medal for each class rank, and the minimum number of students present. */
function Medals({ form }: { form: RulesForm['form'] }) {
  const t = rulesWords.use()
  const rows = form.useWatchValue('medals') as TypedRules['medals']
  const { field } = form
  const choices = medals.map((value) => ({ value, label: t(value) }))
  return (
    <Panel title={t('medals')}>
      {rows.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own
        <div className="cat-line" key={index}>
          <SelectField
            label={t('medal', { n: index + 1 })}
            choices={choices}
            {...field(`medals.${index}.medal`)}
          />
          <NumberField label={t('classRank')} {...field(`medals.${index}.classRank`)} />
          <NumberField label={t('minimumPool')} {...field(`medals.${index}.minimumPool`)} />
          <IconButton
            icon="delete"
            label={t('removeMedal', { n: index + 1 })}
            onClick={() => form.removeListItem('medals', index)}
          />
        </div>
      ))}
      {form.errors.medals && <p className="msg">{form.errors.medals}</p>}
      <div className="row mt-4">
        <Button
          icon="plus"
          onClick={() =>
            form.insertListItem('medals', { medal: 'Bronze', classRank: rows.length + 1, minimumPool: 10 })
          }>
          {t('addMedal')}
        </Button>
      </div>
    </Panel>
  )
}

/** The sections that break ties, in order. */
function TieBreak({ form, sections }: { form: RulesForm['form']; sections: readonly EventSection[] }) {
  const t = rulesWords.use()
  const chosen = form.useWatchValue('tieBreak') as string[]
  const set = (names: string[]) => form.setFieldValue('tieBreak', names)
  const moved = (index: number, by: -1 | 1) => {
    const next = [...chosen]
    const [name] = next.splice(index, 1)
    if (name !== undefined) next.splice(index + by, 0, name)
    set(next)
  }
  const unusedSections = sections.filter(({ name }) => !chosen.includes(name))
  return (
    <Panel title={t('tieBreak')}>
      <p className="hint">{t('tieBreakHint')}</p>
      <ol className="cat-ties">
        {chosen.map((name, index) => (
          <li key={name}>
            <span>
              {index + 1}. {name}
            </span>
            <span className="row inline gap-2">
              <IconButton
                icon="up"
                label={t('up', { name })}
                disabled={index === 0}
                onClick={() => moved(index, -1)}
              />
              <IconButton
                icon="down"
                label={t('down', { name })}
                disabled={index === chosen.length - 1}
                onClick={() => moved(index, 1)}
              />
              <IconButton
                icon="close"
                label={t('leaveOut', { name })}
                onClick={() => set(chosen.filter((candidate) => candidate !== name))}
              />
            </span>
          </li>
        ))}
      </ol>
      {form.errors.tieBreak && <p className="msg">{form.errors.tieBreak}</p>}
      <div className="row mt-4">
        {unusedSections.map(({ name }) => (
          <Button key={name} icon="plus" onClick={() => set([...chosen, name])}>
            {t('addSection', { name })}
          </Button>
        ))}
      </div>
    </Panel>
  )
}

type Form = RulesForm['form']

/** Prizes and awards, list by list, place by place. */
function Ladders({ form }: { form: Form }) {
  const t = rulesWords.use()
  const ladders = form.useWatchValue('ladders') as TypedLadder[]
  const add = () =>
    form.insertListItem('ladders', { kind: 'award', by: 'state', minimumPool: 10, places: [newPlace(0)] })
  return (
    <Panel title={t('ladders')}>
      <p className="hint">{t('laddersHint')}</p>
      {ladders.map((ladder, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list has no name of its own
        <Ladder key={index} form={form} ladder={ladder} index={index} />
      ))}
      <div className="row mt-4">
        <Button icon="plus" onClick={add}>
          {t('addLadder')}
        </Button>
      </div>
    </Panel>
  )
}

function Ladder({ form, ladder, index }: { form: Form; ladder: TypedLadder; index: number }) {
  const t = rulesWords.use()
  const scopes = useScopes()
  const path = `ladders.${index}`
  const { field } = form
  const last = Number(ladder.places.at(-1)?.to) || 0
  const error = form.errors[`${path}.places`]
  return (
    <fieldset className="cat-ladder">
      <legend>{t('ladder', { n: index + 1 })}</legend>
      <div className="cat-line">
        <SelectField
          label={t('kind')}
          choices={(['prize', 'award'] as const).map((value) => ({ value, label: t(value) }))}
          {...field(`${path}.kind`)}
        />
        <SelectField label={t('by')} choices={scopes} {...field(`${path}.by`)} />
        <NumberField label={t('minimumPool')} {...field(`${path}.minimumPool`)} />
        <IconButton
          icon="delete"
          label={t('removeLadder', { n: index + 1 })}
          onClick={() => form.removeListItem('ladders', index)}
        />
      </div>
      {ladder.places.map((_, no) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place has no name of its own
        <div className="cat-place" key={no}>
          <NumberField label={t('from')} {...field(`${path}.places.${no}.from`)} />
          <NumberField label={t('to')} {...field(`${path}.places.${no}.to`)} />
          <NumberField label={t('amount')} decimals={2} {...field(`${path}.places.${no}.amount`)} />
          <TextField label={t('titleOf')} {...field(`${path}.places.${no}.title`)} />
          <TextField label={t('titleHi')} optional lang="hi" {...field(`${path}.places.${no}.titleHi`)} />
          <TextField label={t('message')} {...field(`${path}.places.${no}.message`)} />
          <TextField label={t('messageHi')} optional lang="hi" {...field(`${path}.places.${no}.messageHi`)} />
          <TextField label={t('couponLink')} type="url" {...field(`${path}.places.${no}.couponLink`)} />
          <IconButton
            icon="delete"
            label={t('removePlace', { n: no + 1 })}
            onClick={() => form.removeListItem(`${path}.places`, no)}
          />
        </div>
      ))}
      {error && <p className="msg">{error}</p>}
      <div className="row mt-4">
        <Button icon="plus" onClick={() => form.insertListItem(`${path}.places`, newPlace(last))}>
          {t('addPlace')}
        </Button>
      </div>
    </fieldset>
  )
}
