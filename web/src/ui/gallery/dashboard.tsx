import { Link } from '@tanstack/react-router'
import { BarChart } from '../bar-chart.tsx'
import { Button } from '../button.tsx'
import { PageHeader, Panel, Tile, Tiles } from '../panel.tsx'
import { NextStep, SeasonTrack } from '../season-track.tsx'

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
            amountSays="payable, your share of ₹20,750 already taken off"
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
