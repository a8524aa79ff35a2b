import { Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Note } from '#ui/note.tsx'
import type { Checked } from './import-dialog.tsx'
import { ImportErrors } from './import-errors.tsx'
import { importWords } from './import-words.ts'

type Sample = Checked['sample'][number]
const mostLikely = 5

/** What was found in the file: how many are new, how many faulty, every error, and how the first rows would be saved. */
export function ImportPreview({ checked }: { checked: Checked }) {
  const t = importWords.use()
  const say = useSentences()
  const { goodCount, badCount, rowCount, errorCount, errors, sample, likely } = checked
  const unused = checked.columns.filter((column) => column.field === '').map((column) => column.heading)
  const columns: Column<Sample>[] = [
    { key: 'row', label: t('row'), num: true, cell: (one) => one.row },
    { key: 'name', label: t('student'), title: true, cell: (one) => one.studentName },
    {
      key: 'class',
      label: t('class'),
      cell: (one) => `${one.className}${one.section === '-' ? '' : ` ${one.section}`}`,
    },
    { key: 'roll', label: t('rollNo'), num: true, cell: (one) => one.rollNo },
    {
      key: 'subjects',
      label: t('subjects'),
      card: 'wide',
      cell: (one) => one.subjectName.replaceAll(',', ', '),
    },
    { key: 'books', label: t('books'), num: true, cell: (one) => one.bookCount || '–' },
    {
      key: 'amount',
      label: t('amount'),
      num: true,
      strong: true,
      cell: (one) => <Rupees amount={one.regAmount + one.bookAmount} />,
    },
  ]
  return (
    <>
      <dl className="im-counts">
        <div>
          <dt>{t('good', { n: goodCount })}</dt>
          <dd>{goodCount.toLocaleString('en-IN')}</dd>
        </div>
        <div className={badCount > 0 ? 'bad' : undefined}>
          <dt>{t('bad', { n: badCount })}</dt>
          <dd>{badCount.toLocaleString('en-IN')}</dd>
        </div>
        <div>
          <dt>{t('rows', { n: rowCount })}</dt>
          <dd>{rowCount.toLocaleString('en-IN')}</dd>
        </div>
        <div>
          <dt>{t('total')}</dt>
          <dd>
            <Rupees amount={checked.regAmount + checked.bookAmount} />
          </dd>
        </div>
      </dl>
      {checked.repeated && (
        <Note>
          {t(
            checked.state !== 'checked'
              ? 'repeatedDone'
              : goodCount === 0
                ? 'repeatedNothing'
                : 'repeatedChecked',
          )}
        </Note>
      )}
      {goodCount === 0 && !checked.repeated && <Note kind="bad">{t('nothingGood')}</Note>}
      {unused.length > 0 && <Note>{t('unused', { n: unused.length, names: unused.join(', ') })}</Note>}
      {likely.length > 0 && (
        <Note kind="due">
          <b>{t('likelyTitle', { n: likely.length })}</b>
          {likely.slice(0, mostLikely).map((one) => (
            <p key={one.row}>{t('likely', { row: one.row, message: say(one.message) })}</p>
          ))}
          {likely.length > mostLikely && <p>{t('likelyMore', { n: likely.length - mostLikely })}</p>}
        </Note>
      )}
      {errorCount > 0 && (
        <ImportErrors errors={errors} title={t('errorsTitle', { n: errorCount })} fact={t('errorsFact')} />
      )}
      {sample.length > 0 && (
        <div>
          <h3>{t('sampleTitle')}</h3>
          <DataTable
            className="im-table"
            caption={t('sampleTitle')}
            columns={columns}
            rows={sample}
            rowKey={(one) => String(one.row)}
            compact
          />
        </div>
      )}
    </>
  )
}
