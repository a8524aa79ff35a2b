import { Badge, Letters, Medal } from '../badge.tsx'
import { Actions, Button } from '../button.tsx'
import { CheckField, RadioField, Switch } from '../check-field.tsx'
import { AccountNumber, KeyValue, KeyValues } from '../copyable.tsx'
import { ErrorState } from '../error-state.tsx'
import { FileField } from '../file-field.tsx'
import { MoneySum } from '../money-sum.tsx'
import { MultiSelect } from '../multi-select.tsx'
import { EmptyState, Note } from '../note.tsx'
import { PageHeader, Panel } from '../panel.tsx'
import { ProgressBar } from '../progress.tsx'
import { Qr } from '../qr.tsx'
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
              <Letters of={[{ letter: 'M', name: 'Mathematics' }]} />
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
            <MoneySum collected="₹1,45,250" kept="₹20,750" payable="₹1,24,500" />
            <KeyValues>
              <KeyValue label="Account no." copy="000012345678">
                <AccountNumber value="000012345678" />
              </KeyValue>
              <KeyValue label="IFSC" copy="SSBX0000417">
                SSBX0000417
              </KeyValue>
            </KeyValues>
            <MoneySum as="lines" collected="₹92,340" kept="₹9,720" payable="₹82,620" />
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
