import { useState } from 'react'
import * as z from 'zod/mini'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { Button } from '../button.tsx'
import { CheckField } from '../check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '../dialog.tsx'
import { Figure, Sums } from '../money-sum.tsx'
import { MultiSelect } from '../multi-select.tsx'
import { NumberField } from '../number-field.tsx'
import { PageHeader } from '../panel.tsx'
import { SelectField } from '../select-field.tsx'
import { TextField } from '../text-field.tsx'

const student = z.object({
  classId: z.string().check(z.minLength(1, 'Class is required.')),
  rollNo: z.int('Roll No is required.').check(z.minimum(1, 'Roll No is required.')),
  name: z.string().check(z.minLength(1, 'Student Name is required.')),
  subjects: z.array(z.string()).check(z.minLength(1, 'Subject is required.')),
  agreed: z.boolean(),
})
const subjects = Array.from({ length: 14 }, (_, n) => ({ value: String(n), label: `Subject ${n + 1}` }))

export function FormParts() {
  const [opened, setOpened] = useState(true)
  return (
    <>
      <PageHeader title="Contact Detail">
        <Button kind="primary" onClick={() => setOpened(true)}>
          Add student
        </Button>
      </PageHeader>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Add student">
        <StudentForm onDone={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

function StudentForm({ onDone }: { onDone: () => void }) {
  const initialValues = {
    classId: '',
    rollNo: '' as number | '',
    name: '',
    subjects: ['1', '2'],
    agreed: false,
  }
  const f = usePortalForm({ schema: student, initialValues, draftKey: 'gallery', save: async () => onDone() })
  return (
    <FormFrame of={f}>
      <DialogBody>
        <div className="grid">
          <SelectField
            className="c3"
            label="Class"
            empty="Choose"
            choices={[{ value: '7', label: '7' }]}
            key={f.form.key('classId')}
            {...f.form.getInputProps('classId')}
          />
          <NumberField
            className="c3"
            label="Roll no"
            key={f.form.key('rollNo')}
            {...f.form.getInputProps('rollNo')}
          />
          <TextField
            className="c6"
            label="Student name"
            key={f.form.key('name')}
            {...f.form.getInputProps('name')}
          />
        </div>
        <MultiSelect
          label="Subjects"
          choices={subjects}
          key={f.form.key('subjects')}
          {...f.form.getInputProps('subjects')}
        />
        <CheckField
          label="The parents agree"
          key={f.form.key('agreed')}
          {...f.form.getInputProps('agreed', { type: 'checkbox' })}
        />
      </DialogBody>
      <DialogFoot
        sums={
          <Sums>
            <Figure label="Registration">₹525</Figure>
            <Figure label="Books">₹750</Figure>
            <Figure label="School keeps">−₹155</Figure>
            <Figure label="Payable to the foundation" className="pay">
              ₹1,120
            </Figure>
          </Sums>
        }
      >
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit" busy={f.saving}>
          Save student, ₹1,275
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}
