import { bookNames, classes, sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type { SeasonCatalogue } from '#features/catalogue/queries'
import type { FileAnswer } from '#platform/http/http'
import { writeTemplate } from '#platform/sheets/spreadsheet-write'

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
