import './bar-chart.css'
import { useState } from 'react'
import type { Bar } from './bar-chart.tsx'
import { DataTable } from './data-table.tsx'
import { useKitWords } from './kit-words.ts'
import { Panel } from './panel.tsx'

interface ColumnChartProps {
  title: string
  /** From left to right; `hatched` is not drawn. */
  bars: readonly Bar[]
  solidName: string
  /** Heading of the table's first column. */
  labelName: string
  /** Formats a value. */
  says?: (value: number) => string
  /** Shown if all columns are zero. */
  nothing: string
}

const height = 120

/** Narrow columns side by side, for many days: the highest has a label, a button shows the rest as a table. */
export function ColumnChart({ title, bars, solidName, labelName, nothing, ...options }: ColumnChartProps) {
  const words = useKitWords()
  const format = options.says ?? words.number
  const [asTable, setAsTable] = useState(false)
  const toggle = (
    <button type="button" className="lk" onClick={() => setAsTable(!asTable)}>
      {asTable ? words.viewAsChart : words.viewAsTable}
      <span className="sr">: {title}</span>
    </button>
  )
  return (
    <Panel title={title} aside={toggle} padded={false}>
      {asTable ? (
        <DataTable
          caption={title}
          className="inset"
          compact
          rows={bars}
          rowKey={(bar) => bar.key}
          columns={[
            { key: 'l', label: labelName, title: true, cell: (bar) => bar.label },
            { key: 's', label: solidName, num: true, cell: (bar) => format(bar.solid) },
          ]}
        />
      ) : (
        <Columns bars={bars} says={format} nothing={nothing} />
      )}
    </Panel>
  )
}

type ColumnsProps = Required<Pick<ColumnChartProps, 'bars' | 'says' | 'nothing'>>

function Columns({ bars, says, nothing }: ColumnsProps) {
  const maximum = Math.max(0, ...bars.map(({ solid }) => solid))
  if (maximum === 0) return <p className="pad quiet">{nothing}</p>
  const highest = bars.find(({ solid }) => solid === maximum)
  const wide = 100 / Math.max(1, bars.length)
  return (
    <div className="columns">
      <p className="num">{highest && `${highest.label}: ${says(maximum)}`}</p>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" height={height} aria-hidden="true">
        {bars.map(({ key, label, solid }, index) => {
          const tall = (solid / maximum) * height
          return (
            <g key={key}>
              <title>{`${label}: ${says(solid)}`}</title>
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
