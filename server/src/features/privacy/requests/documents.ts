import { codeAsWords } from '@podium/contract/audit-log/words'
import actionWords from '@podium/contract/audit-log/words-actions.en.json' with { type: 'json' }
import { bookNames, classCode, hindiBookNames } from '@podium/contract/classes'
import type { WrittenLanguage } from '@podium/contract/languages'
import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { safeName } from '#platform/files/files'
import type { FileAnswer } from '#platform/http/http'
import { makePdf } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import type { DataSection } from './queries-child.ts'
import en from './words-child.en.json' with { type: 'json' }
import hi from './words-child.hi.json' with { type: 'json' }

interface CopyOptions {
  foundation: Letterhead
  createdAt: Date
  /** Of the PDF */
  language: WrittenLanguage
  /** Returns the name of a prize, or another text of the office's lists, in this language */
  translate: (name: string) => string
}

interface Words {
  values: Readonly<Record<string, string>>
  actions: Readonly<Record<string, string>>
  className: (classId: number) => string
}

type Reader = Words & Pick<CopyOptions, 'translate'>

const wordsOf: Record<CopyOptions['language'], Words> = {
  en: { values: { ...en.values, ...bookNames }, actions: actionWords, className: classCode },
  hi: {
    values: { ...hi.values, ...hindiBookNames },
    actions: hi.actions,
    className: (classId) => (classId > 12 ? hindiClassName(classId) : classCode(classId)),
  },
}

const codeFields = 'purpose,book,state,kind,notified,schoolAnswer,language,method,way,by,medal'.split(',')
const officeFields = 'prize,award,reason,decision,answer'.split(',')
const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

/** A value as a family reads it; the JSON file has it as it is stored. */
function shown({ values, actions, className, translate }: Reader, field: string, value: unknown): string {
  if (value === null || value === '') return ''
  if (typeof value === 'boolean') return (value ? values.yes : values.no) ?? ''
  if (typeof value === 'number') return field === 'classId' ? className(value) : String(value)
  const text = String(value)
  if (isMoment(text)) return `${formatDay(istDay(new Date(text)))} ${istTime(new Date(text))}`
  if (isDay(text)) return formatDay(text)
  if (field === 'action') return actions[text.replaceAll('.', '_')] ?? codeAsWords(text)
  if (officeFields.includes(field)) return translate(text)
  return codeFields.includes(field) ? (values[text] ?? codeAsWords(text)) : text
}

/** Everything held about a child, as JSON or as a PDF, in a file named after the child. */
export async function childDataFile(
  child: string,
  sections: readonly DataSection[],
  format: 'json' | 'pdf',
  { foundation, createdAt, language, translate }: CopyOptions,
): Promise<FileAnswer['file']> {
  const name = safeName(`Data of ${child.replaceAll(/[\\/]/g, '-')}.${format}`)
  if (format === 'json') {
    const data = Object.fromEntries(sections.map(({ part, records }) => [part, records]))
    const text = JSON.stringify(
      { madeBy: foundation.name, madeAt: createdAt.toISOString(), ...data },
      null,
      2,
    )
    return { name, mediaType: 'application/json', content: Buffer.from(text) }
  }
  const { title, parts, fields, nothing } = language === 'hi' ? hi : en
  const reader = { ...wordsOf[language], translate }
  const content = await makePdf({ title, createdAt, foundation, language }, async (page) => {
    page.heading(title)
    for (const { part, records } of sections) {
      page.subheading(parts[part], 150)
      if (records.length === 0) page.text(nothing)
      for (const [index, record] of records.entries()) {
        const values = Object.entries(record) as [keyof typeof fields, unknown][]
        // A record is not torn apart by the end of a page.
        const { y } = page
        page.room(Math.min(300, Math.ceil(values.length / 2) * 17))
        if (index > 0 && page.y >= y) page.rule()
        page.keyValues(
          values.map(([field, value]) => [fields[field], shown(reader, field, value)]),
          2,
        )
        if (index % 50 === 49) await page.pause()
      }
    }
  })
  return { name, mediaType: 'application/pdf', content }
}
