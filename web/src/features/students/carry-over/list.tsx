import { sections } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import type { CarryRow } from '@podium/contract/students/calls-carry-over'
import { type ComponentProps, useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { CarryRows, type OfferedName, SubjectTicks, usePlaceText } from './rows.tsx'
import {
  type CarryChoice,
  type CarryClass,
  type CarryOver,
  type CarryPreview,
  type CarryTotals,
  canEnter,
  carryTotals,
  classesOf,
  isTicked,
  needsReview,
  nothingDecided,
  withSection,
  withSubjects,
  withTicks,
} from './state.ts'
import { carryWords } from './words.ts'

interface GroupProps {
  group: CarryClass
  onlyLook: boolean
  offer: readonly OfferedName[]
  choice: CarryChoice
  decide: (next: CarryChoice) => void
  stale: boolean
}

const bringsNone = (row: CarryRow) => row.warnings.some(({ kind }) => kind === 'choose')

/** A class of the new season: how many students of how many, what needs a look, and, when opened, its students. */
function CarryClassGroup({ group, onlyLook, offer, choice, decide, stale }: GroupProps) {
  const t = carryWords.use()
  const where = usePlaceText()
  const { classId, fromClassId, rows } = group
  const looks = rows.filter(needsReview).length
  const [open, setOpen] = useState(onlyLook || rows.some((row) => row.issues.length > 0))
  const ticked = rows.filter((row) => isTicked(row, choice))
  const good = ticked.filter(canEnter)
  const amount = good.reduce((sum, row) => sum + row.regAmount + row.bookAmount, 0)
  const name = where.name(classId)
  return (
    <details className="panel cy-class" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" small />
        <h2>
          {name} <span className="quiet">{t('fromClass', { name: where.name(fromClassId) })}</span>
        </h2>
        {looks > 0 && (
          <span className="cy-due">
            {looks} {t('toCheck', { n: looks })}
          </span>
        )}
        <span className="cy-of">{t('ofClass', { n: good.length, total: rows.length })}</span>
        <b className="num">{formatRupees(amount)}</b>
      </summary>
      {open && (
        <>
          <div className="cy-tools row bottom gap-5">
            <CheckField
              label={t('classTick', { name })}
              checked={ticked.length === rows.length}
              mixed={ticked.length > 0 && ticked.length < rows.length}
              onChange={(event) => decide(withTicks(choice, rows, event.currentTarget.checked))}
            />
            {!onlyLook && <Sections group={group} choice={choice} decide={decide} />}
            {rows.some(bringsNone) && (
              <SubjectTicks
                title={t('subjectsFor', { n: rows.filter(bringsNone).length })}
                offer={offer}
                chosen={choice.options.choose.find((entry) => entry.classId === classId)?.subjectName ?? []}
                onApply={(letters) => decide(withSubjects(choice, classId, letters))}
              />
            )}
          </div>
          <CarryRows
            name={name}
            rows={onlyLook ? rows.filter(needsReview) : rows}
            offer={offer}
            choice={choice}
            decide={decide}
            stale={stale}
          />
        </>
      )}
    </details>
  )
}

/** Changes the section of all students who come from the same one. */
function Sections({ group, choice, decide }: Pick<GroupProps, 'group' | 'choice' | 'decide'>) {
  const t = carryWords.use()
  const { classId, rows } = group
  const from = [...new Set(rows.map((row) => row.fromSection))].toSorted()
  const mapped = (section: string) =>
    choice.options.sections.find((move) => move.classId === classId && move.from === section)?.to ?? section
  return from.map((section) => (
    <SelectField
      key={section}
      className="cy-section"
      label={t('sectionBecomes', { section: section === '-' ? '–' : section })}
      value={mapped(section)}
      choices={sections.map((option) => ({ value: option, label: option === '-' ? t('noSection') : option }))}
      onChange={(event) => decide(withSection(choice, classId, section, event.currentTarget.value))}
    />
  ))
}

/** A choice with its label above it. */
function LabelledChoice<Value extends string>(props: ComponentProps<typeof Segmented<Value>>) {
  return (
    <div>
      <span className="cy-lab" aria-hidden="true">
        {props.label}
      </span>
      <Segmented {...props} />
    </div>
  )
}

interface CarryListProps {
  season: string
  carry: CarryOver
  preview: CarryPreview
}

/** The figures, the options for all, the classes, the students left behind, and the bar that confirms. */
export function CarryList({ season, carry, preview }: CarryListProps) {
  const t = carryWords.use()
  const translate = useSentences()
  const [filter, setFilter] = useState<'all' | 'look'>('all')
  const { choice, decide, problem } = carry
  const totals = carryTotals(preview.rows, choice)
  const groups = classesOf(preview.rows)
  const shown = groups.filter(({ rows }) => filter === 'all' || rows.some(needsReview))
  const rowsIn = (state: CarryRow['state']) => preview.rows.filter((row) => row.state === state)
  const { options } = choice
  const asLastYear = [
    { value: 'same' as const, label: t('asLastYear') },
    { value: 'none' as const, label: t('noneChosen') },
  ]
  return (
    <div className="stack gap-3" aria-busy={carry.stale || undefined}>
      {problem && (
        <Note kind="bad">
          {translate(problem.message)} {problem.code === 'changed_meanwhile' && t('changed')}
        </Note>
      )}
      {groups.length === 0 && <Note kind="ok">{t('allEntered', { from: preview.fromSeason })}</Note>}
      <Panel>
        <div className="row bottom between gap-5">
          <Figures totals={totals} />
          {groups.length > 0 && (
            <div className="cy-options row bottom gap-5">
              <LabelledChoice
                label={t('subjects')}
                value={options.subjects}
                choices={asLastYear}
                onChange={(subjects) => decide({ ...choice, options: { ...options, subjects } })}
              />
              <LabelledChoice
                label={t('books')}
                value={options.books}
                choices={asLastYear}
                onChange={(books) => decide({ ...choice, options: { ...options, books } })}
              />
              {totals.look > 0 && (
                <LabelledChoice
                  label={t('show')}
                  value={filter}
                  choices={[
                    { value: 'all', label: t('showAll') },
                    { value: 'look', label: t('showToCheck') },
                  ]}
                  onChange={setFilter}
                />
              )}
              {choice !== nothingDecided && (
                <Button kind="text" icon="undo" onClick={() => decide(nothingDecided)}>
                  {t('discard')}
                </Button>
              )}
            </div>
          )}
        </div>
      </Panel>
      {shown.map((group) => (
        <CarryClassGroup
          key={`${group.classId} ${filter}`}
          group={group}
          onlyLook={filter === 'look'}
          offer={preview.offers.find(({ classId }) => classId === group.classId)?.subjects ?? []}
          choice={choice}
          decide={decide}
          stale={carry.stale}
        />
      ))}
      {filter === 'all' && (
        <>
          <CarryStaying rows={rowsIn('there')} title={t('alreadyEnteredTitle', { n: totals.there })} />
          <CarryStaying rows={rowsIn('leaves')} title={t('leavesTitle', { n: totals.leaves })} />
        </>
      )}
      {groups.length > 0 && <CarryBar season={season} totals={totals} carry={carry} />}
    </div>
  )
}

function Figures({ totals }: { totals: ReturnType<typeof carryTotals> }) {
  const t = carryWords.use()
  const { enter, look, there, leaves, unticked, withErrors } = totals
  const shown: [string, number, string?][] = [
    [t('enter'), enter],
    [t('toCheck', { n: look }), look, look > 0 ? 'due' : undefined],
    [t('alreadyEntered'), there],
    [t('leaves', { n: leaves }), leaves],
    [t('leftOut'), unticked + withErrors],
  ]
  return (
    <dl className="im-counts row gap-6" aria-live="polite">
      {shown.map(([label, n, kind]) => (
        <div key={label} className={kind}>
          <dt>{label}</dt>
          <dd>{count(n)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Students who stay behind: already entered (and as whom), or leaving after the last class. */
function CarryStaying({ rows, title }: { rows: readonly CarryRow[]; title: string }) {
  const t = carryWords.use()
  const where = usePlaceText()
  if (rows.length === 0) return null
  return (
    <details className="panel cy-class">
      <summary>
        <Icon name="right" small />
        <h2>{title}</h2>
      </summary>
      <ul className="cy-left">
        {rows.map(({ studentId, studentName, fromClassId, fromSection, fromRollNo, other: existing }) => (
          <li key={studentId}>
            <b>{studentName}</b>
            <span className="quiet">
              {existing
                ? t('alreadyEnteredAs', {
                    name: existing.studentName,
                    where: where.named(existing.className, existing.section),
                    roll: existing.rollNo,
                  })
                : t('wasWhere', { where: where.of(fromClassId, fromSection), roll: fromRollNo })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The number of students and the amount, always in sight; the confirmation shows the three sums. */
function CarryBar({ season, totals, carry }: { season: string; totals: CarryTotals; carry: CarryOver }) {
  const t = carryWords.use()
  const [asking, setAsking] = useState(false)
  const { enter, withErrors, registration, books, schoolShare } = totals
  const amount = formatRupees(registration + books)
  const confirm = async () => {
    await carry.confirm()
    setAsking(false)
  }
  return (
    <div className="cy-bar act-bar row between gap-4">
      <p aria-live="polite">
        <b>{t('barCount', { n: enter, amount })}</b>
        {withErrors > 0 && <span className="cy-bad">{t('barLeft', { n: withErrors })}</span>}
      </p>
      <Button
        kind="primary"
        busy={carry.stale}
        disabled={enter === 0 ? t('confirmNobody') : undefined}
        onClick={() => setAsking(true)}>
        {t('confirm', { n: enter })}
      </Button>
      {asking && (
        <ConfirmDialog
          opened
          title={t('confirmTitle', { n: enter })}
          action={t('confirm', { n: enter })}
          busy={carry.confirming}
          onConfirm={confirm}
          onCancel={() => setAsking(false)}>
          <div className="stack gap-4">
            <p>{t('confirmText', { season })}</p>
            <MoneySum
              as="lines"
              collected={amount}
              schoolShare={formatRupees(schoolShare)}
              payable={formatRupees(registration + books - schoolShare)}
            />
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}
