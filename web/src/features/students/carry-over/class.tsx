import { sections } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import type { CarryRow } from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { CheckField } from '#ui/check-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { useWhere } from '../entry/use-where.ts'
import { CarryRows } from './rows.tsx'
import {
  type CarryChoice,
  type CarryClass,
  isGood,
  isTicked,
  needsLook,
  withSection,
  withSubjects,
  withTicks,
} from './state.ts'
import { type OfferedName, SubjectTicks } from './subjects.tsx'
import { carryWords } from './words.ts'

interface GroupProps {
  group: CarryClass
  onlyLook: boolean
  offer: readonly OfferedName[]
  choice: CarryChoice
  decide: (next: CarryChoice) => void
  stale: boolean
}

const bringsNone = (row: CarryRow) => row.looks.some(({ kind }) => kind === 'choose')

/** A class of the new season: how many of how many, what needs a look, and, opened, its children one by one. */
export function CarryClassGroup({ group, onlyLook, offer, choice, decide, stale }: GroupProps) {
  const t = carryWords.use()
  const where = useWhere()
  const { classId, fromClassId, rows } = group
  const looks = rows.filter(needsLook).length
  const [open, setOpen] = useState(onlyLook || rows.some((row) => row.issues.length > 0))
  const ticked = rows.filter((row) => isTicked(row, choice))
  const good = ticked.filter(isGood)
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
            {looks} {t('look', { n: looks })}
          </span>
        )}
        <span className="cy-of">{t('ofClass', { n: good.length, total: rows.length })}</span>
        <b className="num">{formatRupees(amount)}</b>
      </summary>
      {open && (
        <>
          <div className="cy-tools">
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
                chosen={choice.options.choose.find((one) => one.classId === classId)?.subjectName ?? []}
                onApply={(letters) => decide(withSubjects(choice, classId, letters))}
              />
            )}
          </div>
          <CarryRows
            name={name}
            rows={onlyLook ? rows.filter(needsLook) : rows}
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

/** Another section for all who come from one. */
function Sections({ group, choice, decide }: Pick<GroupProps, 'group' | 'choice' | 'decide'>) {
  const t = carryWords.use()
  const { classId, rows } = group
  const from = [...new Set(rows.map((row) => row.fromSection))].toSorted()
  const mapped = (section: string) =>
    choice.options.sections.find((one) => one.classId === classId && one.from === section)?.to ?? section
  return from.map((section) => (
    <SelectField
      key={section}
      className="cy-section"
      label={t('sectionBecomes', { section: section === '-' ? '–' : section })}
      value={mapped(section)}
      choices={sections.map((one) => ({ value: one, label: one === '-' ? t('noSection') : one }))}
      onChange={(event) => decide(withSection(choice, classId, section, event.currentTarget.value))}
    />
  ))
}
