import { classCode } from '@podium/contract/classes'
import type { ResultRow } from '@podium/contract/results/calls'
import { count, finalScore, nothing, rawScore } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import type { Translate } from '#shell/language/words.ts'
import { Badge, Medal, type Metal } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import type en from '#words/en/results.json'

/** `gift`: there is a gift certificate, but no address for it has been given yet. */
export type NumberedRow = ResultRow & { serial: number; gift?: boolean }

const metals: Record<string, Metal> = { Gold: 'gold', Silver: 'silver', Bronze: 'bronze' }
const rank = (n: number | null) => (n === null ? nothing : count(n))

interface ColumnsOptions {
  t: Translate<typeof en>
  /** The level this event qualifies for; undefined if none. */
  leadsTo: 2 | 3 | undefined
  opened: string | undefined
  onOpen: (resultId: string | undefined) => void
}

/** Columns of the results table, as in the specification. Absent students have a text instead of scores and ranks. */
export function resultColumns<Row extends NumberedRow>({
  t,
  leadsTo,
  opened,
  onOpen,
}: ColumnsOptions): Column<Row>[] {
  const ifPresent = (cell: (row: Row) => React.ReactNode) => (row: Row) => (row.absent ? null : cell(row))
  const columns: Column<Row>[] = columnsOf(t, [
    { key: 'serial', num: true, card: 'none', cell: (row) => count(row.serial) },
    { key: 'class', card: 'beside', cell: classAndSection },
    { key: 'rollNo', cell: (row) => <span className="nowrap res-roll">{row.nioRollNo}</span> },
    { key: 'name', label: t('studentName'), title: true, cell: (row) => <StudentName row={row} t={t} /> },
    {
      key: 'raw',
      label: t('rawScore'),
      num: true,
      cell: (row) =>
        row.absent ? <span className="res-absent">{t('absent')}</span> : rawScore(row.rawMarks),
    },
    {
      key: 'final',
      label: t('finalScore'),
      num: true,
      card: 'said',
      cell: ifPresent((row) => finalScore(row.marks)),
    },
    {
      key: 'classRank',
      num: true,
      card: 'said',
      cell: ifPresent((row) => <RankButton row={row} t={t} open={opened === row.resultId} onOpen={onOpen} />),
    },
    { key: 'stateRank', num: true, cell: ifPresent((row) => rank(row.finalStateRank)) },
    { key: 'zonalRank', num: true, cell: ifPresent((row) => rank(row.zonalRank)) },
    { key: 'olympiadRank', num: true, cell: ifPresent((row) => rank(row.finalOlympiadRank)) },
    { key: 'medal', label: t('medalColumn'), card: 'lead', cell: ifPresent(medalOf) },
    {
      key: 'prize',
      label: t('prizeColumn'),
      card: 'lead',
      cell: ifPresent((row) => <Prize row={row} t={t} />),
    },
  ])
  if (leadsTo) {
    columns.push({
      key: 'eligible',
      label: t('eligible', { level: leadsTo }),
      card: 'wide',
      cell: ifPresent((row) => {
        const eligible = (leadsTo === 3 ? row.level3 : row.level2) === 'YES'
        return <Badge kind={eligible ? 'yes' : 'no'}>{t(eligible ? 'yes' : 'no')}</Badge>
      }),
    })
  }
  return columns
}

/** Links the name to the public result page, which shows less than this table. Absent students have no such page. */
function StudentName({ row, t }: { row: ResultRow; t: ColumnsOptions['t'] }) {
  if (row.resultLink === '') return row.studentName
  return (
    <a
      className="soft"
      href={row.resultLink}
      target="_blank"
      rel="noopener noreferrer"
      title={t('pageOf', { name: row.studentName })}>
      {row.studentName}
    </a>
  )
}

function classAndSection({ classId, section }: ResultRow) {
  return `${translateSentence(classCode(classId))}${section === '' || section === '-' ? '' : ` ${section}`}`
}

function medalOf({ medalNew }: ResultRow) {
  const metal = metals[medalNew]
  return metal ? <Medal metal={metal} /> : nothing
}

interface RankProps extends Pick<ColumnsOptions, 't' | 'onOpen'> {
  row: ResultRow
  open: boolean
}

/** Opens the explanation of the rank below the row. */
function RankButton({ row, t, open, onOpen }: RankProps) {
  if (row.finalClassRank === null) return nothing
  return (
    <button
      type="button"
      className="lk rk"
      aria-expanded={open}
      aria-label={t('why', { rank: row.finalClassRank, name: row.studentName })}
      onClick={() => onOpen(open ? undefined : row.resultId)}>
      {count(row.finalClassRank)}
    </button>
  )
}

function Prize({ row, t }: { row: NumberedRow; t: ColumnsOptions['t'] }) {
  const award = row.award === row.prize_Amount_Msg ? '' : row.award
  const link = row.couponLink.startsWith('https://') ? row.couponLink : undefined
  if (row.prize_Amount_Msg === '' && award === '' && !link && !row.gift) return nothing
  return (
    <span className="res-prize">
      {translateSentence(row.prize_Amount_Msg)}
      {award && <span className="under">{translateSentence(award)}</span>}
      {row.gift && <span className="res-gift">{t('giftCertificate')}</span>}
      {link && (
        <a className="res-gift" href={link} target="_blank" rel="noopener noreferrer">
          {t('giftCertificate')}
        </a>
      )}
    </span>
  )
}
