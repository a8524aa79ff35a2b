import './record.css'
import { DataTable } from '#ui/data-table.tsx'
import type { DataTableProps } from '#ui/data-table-types.ts'

/** A table of a record below its own heading. */
export function RecordTable<Row>({
  title,
  ...table
}: Omit<DataTableProps<Row>, 'caption'> & { title: string }) {
  return (
    <section className="record-part">
      <h2>{title}</h2>
      <DataTable compact caption={title} {...table} />
    </section>
  )
}
