import { sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import type { CarryRow } from '@podium/contract/students/calls-carry-over'
import { type FormEvent, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { CarryEdit } from './state.ts'
import { type OfferedName, SubjectBoxes } from './subjects.tsx'
import { carryWords } from './words.ts'

interface EditProps {
  row: CarryRow
  offer: readonly OfferedName[]
  onApply: (edit: CarryEdit) => void
  onCancel: () => void
}

/** Section, roll no and subjects of one child, below its row. Only what was changed is decided by hand. */
export function CarryEditForm({ row, offer, onApply, onCancel }: EditProps) {
  const t = carryWords.use()
  const say = useSentences()
  const [section, setSection] = useState(row.section)
  const [rollNo, setRollNo] = useState(String(row.rollNo))
  const before = row.eventLetter === '' ? [] : row.eventLetter.split(',')
  const [letters, setLetters] = useState<readonly string[]>(before)
  const [tried, setTried] = useState(false)
  const wrongRoll = !/^[1-9]\d{0,5}$/.test(rollNo.trim())
  const issue = (path: string) => row.issues.find((one) => one.path === path)?.message
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (wrongRoll || letters.length === 0) return
    const edit: CarryEdit = { studentId: row.studentId }
    if (section !== row.section) edit.section = section
    if (Number(rollNo) !== row.rollNo) edit.rollno = Number(rollNo)
    if (letters.join() !== before.join()) edit.subjectName = [...letters]
    onApply(edit)
  }
  const rollIssue = tried && wrongRoll ? messages.rollNoRequired : issue('rollno')
  const subjectIssue = tried && letters.length === 0 ? messages.subjectRequired : undefined
  return (
    <form
      className="cy-edit"
      noValidate
      onSubmit={apply}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <div className="cy-fields">
        <SelectField
          autoFocus
          label={t('section')}
          value={section}
          choices={sections.map((one) => ({ value: one, label: one === '-' ? t('noSection') : one }))}
          onChange={(event) => setSection(event.currentTarget.value)}
        />
        <TextField
          label={t('rollNo')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={rollNo}
          error={rollIssue && say(rollIssue)}
          onChange={(event) => setRollNo(event.currentTarget.value)}
        />
      </div>
      <SubjectBoxes
        title={t('subjects')}
        offer={offer}
        chosen={letters}
        onChange={setLetters}
        error={subjectIssue && say(subjectIssue)}
      />
      <div className="acts">
        <Button type="submit" kind="primary">
          {t('apply')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
