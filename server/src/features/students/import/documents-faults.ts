import { bookNames, classes, sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import type { SeasonCatalogue } from '#features/catalogue/queries'
import type { FileAnswer } from '#platform/http/http'
import {
  type SheetColumn,
  type SheetValue,
  writeTemplate,
  writeXlsx,
} from '#platform/sheets/spreadsheet-write'
import type { Findings } from './queries-check.ts'

interface Faulty {
  fileName: string
  sheet: ReadonlyArray<{ n: number; c: readonly string[] }>
  cells: Record<string, string> | null
  findings: Findings
  /** Good rows that could not be saved after all */
  refused: readonly ImportRowError[]
}

const undecided = 'This row may be a child who is there already, and nobody has said which.'

/**
 * The rows of a file that were not imported, each cell as it stands (with what was corrected on the page), the reasons
 * before them. The columns keep their headings, so the corrected file can be sent again: the added ones are not used.
 */
export function faultsFile({ fileName, sheet, cells, findings, refused }: Faulty): FileAnswer['file'] {
  const reasons = new Map<number, string[]>()
  const say = (row: number, reason: string) => reasons.set(row, [...(reasons.get(row) ?? []), reason])
  for (const error of [...findings.errors, ...refused]) say(error.row, reasonOf(error))
  for (const { row, choice } of findings.questions)
    if (choice === '' && !reasons.has(row)) say(row, undecided)
  const headings = findings.columns.map(
    ({ heading, columnName }): SheetColumn => ({ title: heading || columnName }),
  )
  const columns: SheetColumn[] = [
    { title: 'Why not imported', width: 60 },
    { title: 'Row in your file', kind: 'number' },
    ...headings,
  ]
  const rows = sheet.flatMap(({ n, c }): SheetValue[][] => {
    const why = reasons.get(n)
    if (!why) return []
    return [
      [why.join(' '), n, ...findings.columns.map((_, index) => cells?.[`${n}:${index}`] ?? c[index] ?? '')],
    ]
  })
  const name = `${fileName.replace(/\.\w+$/, '')}, rows to correct.xlsx`
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mediaType, content: writeXlsx('Rows to correct', columns, rows) }
}

function reasonOf({ heading, columnName, message, suggestions }: ImportRowError): string {
  const where = heading || columnName
  const meant = suggestions[0] ? ` Did you mean “${suggestions[0]}”?` : ''
  return `${where ? `${where}: ` : ''}${message}${meant}`
}

/** The spreadsheet that a school fills in: headings as the import reads them, classes and sections to choose from. */
export async function importTemplate(season: Season, catalogue: SeasonCatalogue): Promise<FileAnswer> {
  const letters = [...catalogue.closesOn.keys()].join(', ')
  const content = await writeTemplate(`Students ${season}`, [
    { title: 'Class', choices: classes.map((one) => one.className) },
    { title: 'Section', choices: sections },
    { title: 'Roll No', kind: 'number' },
    { title: 'Student Name', width: 30 },
    { title: 'Parent Name', width: 30 },
    { title: 'Parent E-mail', width: 30 },
    { title: 'Parent Mobile' },
    { title: `Subjects (${letters}; commas between)`, width: 48 },
    ...Object.values(bookNames).map((title) => ({ title: `${title} (subjects)` })),
  ])
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { file: { name: `Students ${season}.xlsx`, mediaType, content } }
}
