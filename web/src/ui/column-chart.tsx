import './bar-chart.css'
import { type Bar, ChartPanel, ChartTable } from './bar-chart.tsx'
import { useKitWords } from './kit-words.ts'

interface ColumnChartProps {
  title: string
  /** From left to right; `hatched` is not drawn. */
  bars: readonly Bar[]
  solidName: string
  /** Heading of the table's first column. */
  labelName: string
  /** Formats a value. */
  format?: (value: number) => string
  /** Shown if all columns are zero. */
  nothing: string
}

const height = 120

/** Narrow columns side by side, for many days: the highest has a label, a button shows the rest as a table. */
export function ColumnChart(props: ColumnChartProps) {
  const words = useKitWords()
  const { title, bars, nothing, format = words.number } = props
  return (
    <ChartPanel title={title} table={<ChartTable {...props} />}>
      <Columns bars={bars} format={format} nothing={nothing} />
    </ChartPanel>
  )
}

type ColumnsProps = Required<Pick<ColumnChartProps, 'bars' | 'format' | 'nothing'>>

function Columns({ bars, format, nothing }: ColumnsProps) {
  const maximum = Math.max(0, ...bars.map(({ solid }) => solid))
  if (maximum === 0) return <p className="pad quiet">{nothing}</p>
  const highest = bars.find(({ solid }) => solid === maximum)
  const wide = 100 / Math.max(1, bars.length)
  return (
    <div className="columns">
      <p className="num">{highest && `${highest.label}: ${format(maximum)}`}</p>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" height={height} aria-hidden="true">
        {bars.map(({ key, label, solid }, index) => {
          const tall = (solid / maximum) * height
          return (
            <g key={key}>
              <title>{`${label}: ${format(solid)}`}</title>
              <rect className="bg" x={index * wide} width={wide * 0.8} y={height - 2} height={2} />
              <rect className="fg" x={index * wide} width={wide * 0.8} y={height - tall} height={tall} />
            </g>
          )
        })}
      </svg>
      <p className="ends">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
    </div>
  )
}
