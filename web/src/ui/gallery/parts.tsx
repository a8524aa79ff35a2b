import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { Badge, Medal, SubjectCodes } from '../badge.tsx'
import { BarChart } from '../bar-chart.tsx'
import { Actions, Button } from '../button.tsx'
import { CheckField, RadioField, Switch } from '../check-field.tsx'
import { AccountNumber, KeyValue, KeyValues } from '../copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '../dialog.tsx'
import { ErrorState } from '../error-state.tsx'
import { FileField } from '../file-field.tsx'
import { Figure, MoneySum, Sums } from '../money-sum.tsx'
import { MultiSelect } from '../multi-select.tsx'
import { EmptyState, Note } from '../note.tsx'
import { NumberField } from '../number-field.tsx'
import { PageHeader, Panel, Tile, Tiles } from '../panel.tsx'
import { ProgressBar } from '../progress.tsx'
import { Qr } from '../qr.tsx'
import { NextStep, SeasonTrack } from '../season-track.tsx'
import { SelectField } from '../select-field.tsx'
import { Skeleton } from '../skeleton.tsx'
import { PasswordField, TextArea, TextField } from '../text-field.tsx'
import { toast } from '../toast.tsx'

const subjects = ['Mathematics', 'Science', 'English', 'Hindi', 'Computer Science', 'General Knowledge'].map(
  (label) => ({ value: label.slice(0, 1) + label.length, label }),
)

export function AllParts() {
  return (
    <>
      <PageHeader title="Patterns" fact="The pieces that every screen is built from.">
        <Button onClick={() => toast.success('Details saved sucessfully')}>Secondary</Button>
        <Button kind="primary" onClick={() => toast.error('Please select Exam date.')}>
          Primary action
        </Button>
      </PageHeader>
      <div className="two">
        <div className="stack">
          <Panel title="Badges">
            <Actions>
              <Badge kind="paid">Paid</Badge>
              <Badge kind="unpaid">Unpaid</Badge>
              <Badge kind="deleted">Deleted</Badge>
              <Badge kind="waiting">Being verified</Badge>
              <Badge kind="rejected">Rejected</Badge>
              <Badge kind="sent">Dispatched</Badge>
              <Badge kind="none">Not Applicable</Badge>
            </Actions>
            <p className="hint">
              <Medal metal="gold" /> <Medal metal="silver" /> <Medal metal="bronze" />{' '}
              <SubjectCodes of={[{ letter: 'M', name: 'Mathematics' }]} />
            </p>
            <h2>Buttons</h2>
            <Actions>
              <Button kind="primary">Primary</Button>
              <Button>Secondary</Button>
              <Button kind="text">Text</Button>
              <Button kind="danger">Delete</Button>
              <Button disabled="Exam dates open after payment.">Disabled</Button>
              <Button kind="primary" busy>
                Saving
              </Button>
              <Button shortcut="V">Verify</Button>
            </Actions>
          </Panel>
          <Panel title="Registration Fee" aside={<Badge kind="pending">Pending</Badge>}>
            <MoneySum collected="₹1,45,250" schoolShare="₹20,750" payable="₹1,24,500" />
            <KeyValues>
              <KeyValue label="Account no." copy="000012345678">
                <AccountNumber value="000012345678" />
              </KeyValue>
              <KeyValue label="IFSC" copy="SSBX0000417">
                SSBX0000417
              </KeyValue>
            </KeyValues>
            <MoneySum as="lines" collected="₹92,340" schoolShare="₹9,720" payable="₹82,620" />
            <Qr
              value="upi://pay?pa=demo@sample&pn=Podium&am=12450.00&cu=INR"
              label="UPI QR code for ₹12,450"
            />
          </Panel>
          <Panel title="Loading">
            <Skeleton shape="text" rows={3} />
            <Skeleton shape="form" rows={2} />
            <Skeleton shape="table" rows={3} />
          </Panel>
          <ProgressBar label="Statement" total={342} done={214} doubtful={31} skipped={15}>
            <b>Statement 20-Nov-2026</b> is being read: 214 of 342 lines.
          </ProgressBar>
        </div>
        <div className="stack">
          <Panel title="Fields">
            <div className="stack">
              <TextField
                label="Student name"
                placeholder="As in the school register"
                hint="One field, any script."
              />
              <TextField label="Roll no" defaultValue="0" error="Roll No is required." />
              <SelectField label="Class" empty="Choose a class" choices={[{ value: '7', label: '7' }]} />
              <PasswordField label="Password" aside={<a href="#main">Forgot Password</a>} />
              <MultiSelect label="Subjects" choices={subjects} defaultValue={['M11', 'S7']} />
              <FileField label="Attachment" accept="image/*" />
              <TextArea label="Remarks" />
              <CheckField label="Stay Signed in" defaultChecked />
              <CheckField label="Accept the terms" error="Please accept the terms and conditions" />
              <Switch label="Active" defaultChecked />
              <RadioField
                label="Gender"
                name="gender"
                choices={[
                  { value: '1', label: 'Male' },
                  { value: '2', label: 'Female' },
                ]}
              />
            </div>
          </Panel>
          <Panel title="Layout">
            <div className="row between">
              <b>row between</b>
              <Button>At the end</Button>
            </div>
            <div className="row bottom gap-4 mt-4">
              <TextField label="row bottom" />
              <Button>On its base line</Button>
            </div>
            <ul className="ruled mt-4">
              <li>ruled</li>
              <li>Entries with a hairline between them</li>
            </ul>
            <ul className="bullets stack gap-1 mt-4">
              <li>bullets</li>
              <li>with a stack's distance</li>
            </ul>
          </Panel>
          <Panel>
            <EmptyState
              icon="users"
              title="No students yet"
              actions={
                <Button kind="primary" icon="plus">
                  Add Entry
                </Button>
              }
            >
              Type them in, paste a list, or import the school's spreadsheet.
            </EmptyState>
          </Panel>
          <Panel>
            <ErrorState retry={() => undefined}>
              Error: the connection was lost. Nothing was changed.
            </ErrorState>
          </Panel>
          <Note>For details of your school to be changed, write to the organiser.</Note>
          <Note kind="due">
            Your account verification is in progress which may take up to 2 business days
          </Note>
          <Note kind="bad">
            To access dashboard, please proceed with school registration by <a href="#main">clicking here</a>
          </Note>
        </div>
      </div>
    </>
  )
}

const link = (inside: React.ReactNode) => (
  <Link to="/dashboard" className="tile">
    {inside}
  </Link>
)

export function DashboardParts() {
  return (
    <>
      <PageHeader title="Dashboard" fact="Season 2026-27. Exams from 3 December, results from 15 January." />
      <Panel padded={false}>
        <SeasonTrack
          label="Season"
          steps={[
            { key: '1', state: 'done', label: 'School verified', fact: '14-May-2026' },
            { key: '2', state: 'done', label: 'Students', fact: '312 entered' },
            { key: '3', state: 'done', label: 'Books', fact: '486 ordered' },
            { key: '4', state: 'now', label: 'Payment', fact: 'Due 30-Nov-2026' },
            { key: '5', state: 'later', label: 'Exam dates', fact: 'Opens after payment' },
            { key: '6', state: 'later', label: 'Results', fact: 'From 15-Jan-2027' },
          ]}
        >
          <NextStep
            title="Pay the registration fee"
            amount="₹1,24,500"
            amountHint="payable, your share of ₹20,750 already taken off"
            action={
              <Button kind="primary" big>
                Go to payments
              </Button>
            }
          >
            264 students, 830 entries. Exam dates can be chosen once it is verified.
          </NextStep>
        </SeasonTrack>
      </Panel>
      <Tiles>
        <Tile label="Total Students" value="312" meaning="41 more than last season" link={link} />
        <Tile label="Total Book" value="486" meaning="184 students take books" link={link} />
        <Tile label="Teacher Questions" value="12" meaning="3 accepted so far" link={link} />
        <Tile label="Unique Visitors" value="143" meaning="families opened their link" />
      </Tiles>
      <div className="two">
        <BarChart
          title="Students by subject"
          labelName="Subject"
          solidName="Paid"
          hatchedName="Not yet paid"
          totalName="Total"
          bars={[
            { key: 'm', label: 'Mathematics', solid: 48, hatched: 210 },
            { key: 's', label: 'Science', solid: 41, hatched: 185 },
            { key: 'e', label: 'English', solid: 22, hatched: 150 },
          ]}
        />
      </div>
    </>
  )
}

const student = z.object({
  classId: z.string().check(z.minLength(1, 'Class is required.')),
  rollNo: z.int('Roll No is required.').check(z.minimum(1, 'Roll No is required.')),
  name: z.string().check(z.minLength(1, 'Student Name is required.')),
  subjects: z.array(z.string()).check(z.minLength(1, 'Subject is required.')),
  agreed: z.boolean(),
})
const subjectChoices = Array.from({ length: 14 }, (_, n) => ({ value: String(n), label: `Subject ${n + 1}` }))

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
            {...f.form.field('classId')}
          />
          <NumberField className="c3" label="Roll no" {...f.form.field('rollNo')} />
          <TextField className="c6" label="Student name" {...f.form.field('name')} />
        </div>
        <MultiSelect label="Subjects" choices={subjectChoices} {...f.form.field('subjects')} />
        <CheckField label="The parents agree" {...f.form.field('agreed', { type: 'checkbox' })} />
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
