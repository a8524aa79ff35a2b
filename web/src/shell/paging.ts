import type { DataTableProps } from '#ui/data-table-types.ts'

interface Pages {
  values: { page: number }
  change: (to: { page: number }) => unknown
}

/** The pages of a list for its table, by the filter `page` of the address; nothing until the list is there. */
export function pagingOf(
  list: { total: number; pageSize: number } | undefined,
  { values, change }: Pages,
): Pick<DataTableProps<never>, 'paging'> {
  if (!list) return {}
  const onPage = (page: number) => change({ page })
  return { paging: { total: list.total, page: Math.max(1, values.page), size: list.pageSize, onPage } }
}
