import './bar-chart.css'
import { type ReactNode, useId, useState } from 'react'
import { DataTable } from './data-table.tsx'
import { useKitWords } from './kit-words.ts'
import { Panel } from './panel.tsx'

export interface Bar {
  key: string
  label: string
  /** The solid part and the hatched part. */
  solid: number
  hatched?: number
}

interface BarChartProps {
  title: string
  bars: readonly Bar[]
  solidName: string
  hatchedName?: string
  /** Heading of the table's first column. */
  labelName: string
  totalName: string
  /** A control that switches the chart's data, between title and bars. */
  choice?: ReactNode
}

interface ChartPanelProps {
  title: string
  table: ReactNode
  choice?: ReactNode
  children: ReactNode
}

/** A chart in a panel; a button shows the same data as a table. */
export function ChartPanel({ title, table, choice, children }: ChartPanelProps) {
  const words = useKitWords()
  const [asTable, setAsTable] = useState(false)
  const toggle = (
    <button type="button" className="lk" onClick={() => setAsTable(!asTable)}>
      {asTable ? words.viewAsChart : words.viewAsTable}
      <span className="sr">: {title}</span>
    </button>
  )
  return (
    <Panel title={title} aside={toggle} padded={false}>
      {choice}
      {asTable ? table : children}
    </Panel>
  )
}

/** Bars of one hue, solid and hatched, with their values; a button shows the same data as a table. */
export function BarChart(props: BarChartProps) {
  const words = useKitWords()
  const hatch = useId()
  const { title, bars, solidName, hatchedName, choice } = props
  const maximum = Math.max(1, ...bars.map((bar) => bar.solid + (bar.hatched ?? 0)))
  return (
    <ChartPanel title={title} table={<ChartTable {...props} />} choice={choice}>
      <div className="chart">
        <svg width="0" height="0" style={{ position: 'absolute' }} aria-hidden="true">
          <pattern
            id={hatch}
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)">
            <path className="hatch" d="M1 0V5" />
          </pattern>
        </svg>
        {bars.map((bar) => (
          <div className="bar-line" key={bar.key}>
            <span>{bar.label}</span>
            <b>{words.number(bar.solid + (bar.hatched ?? 0))}</b>
            <svg aria-hidden="true">
              <rect className="bg" width="100%" height="8" />
              <rect className="fg" width={`${(100 * bar.solid) / maximum}%`} height="8" />
              <rect
                x={`${(100 * bar.solid) / maximum}%`}
                width={`${(100 * (bar.hatched ?? 0)) / maximum}%`}
                height="8"
                fill={`url(#${hatch})`}
              />
            </svg>
          </div>
        ))}
        {hatchedName && (
          <div className="legend">
            <span>
              <svg aria-hidden="true">
                <rect className="fg" width="14" height="10" />
              </svg>
              {solidName}
            </span>
            <span>
              <svg aria-hidden="true">
                <rect width="14" height="10" fill={`url(#${hatch})`} />
              </svg>
              {hatchedName}
            </span>
          </div>
        )}
      </div>
    </ChartPanel>
  )
}

type ChartTableProps = Omit<BarChartProps, 'totalName'> & {
  totalName?: string
  /** Formats a value. */
  format?: ((value: number) => string) | undefined
}

/** The data of a chart as a table. */
export function ChartTable({ title, bars, labelName, solidName, hatchedName, ...options }: ChartTableProps) {
  const words = useKitWords()
  const { totalName = '', format: number = words.number } = options
  const second = hatchedName
    ? [
        { key: 'h', label: hatchedName, num: true, cell: (bar: Bar) => number(bar.hatched ?? 0) },
        { key: 't', label: totalName, num: true, cell: (bar: Bar) => number(bar.solid + (bar.hatched ?? 0)) },
      ]
    : []
  return (
    <DataTable
      caption={title}
      className="inset"
      compact
      rows={bars}
      rowKey={(bar) => bar.key}
      columns={[
        { key: 'l', label: labelName, title: true, cell: (bar) => bar.label },
        { key: 's', label: solidName, num: true, cell: (bar) => number(bar.solid) },
        ...second,
      ]}
    />
  )
}
