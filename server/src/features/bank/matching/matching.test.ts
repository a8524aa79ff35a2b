import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paise } from '@podium/contract/money'
import fc from 'fast-check'
import { matchLines } from './rules.ts'
import {
  type BankLine,
  type Item,
  type KnownSchool,
  type Match,
  MatchCandidates,
} from './rules-candidates.ts'

const gnanodaya = { id: 1, code: 'VNK0417', name: 'Sri Gnanodaya Vidyaniketan Senior Secondary School' }
const namuna = { id: 2, code: 'JNV0230', name: 'Shri Jagadguru Namuna Vidyapeetha High School' }
const udaharan = { id: 3, code: 'MON0012', name: 'Udaharan Convent' }
const kalpanik = { id: 4, code: 'KPS0102', name: 'Kalpanik Public School' }
const otherKalpanik = { id: 5, code: 'KPS0388', name: 'Kalpanik Public School, Devgaon' }
const schools: KnownSchool[] = [gnanodaya, namuna, udaharan, kalpanik, otherKalpanik]

/** A pending payment, unless traits say otherwise; the amount in rupees. */
function item(
  id: number,
  school: KnownSchool,
  reference: string,
  amount: number,
  traits: Partial<Item> = {},
): Item {
  return {
    key: `p${id}`,
    paymentId: id,
    schoolId: school.id,
    season: '2026-27',
    purpose: reference.includes('-B') ? 'books' : 'registration',
    reference,
    amount: paise(amount * 100),
    utr: '',
    day: '2026-11-18',
    state: 'open',
    receiptNo: '',
    rejected: '',
    closed: false,
    after: null,
    ...traits,
  }
}

const due = (school: KnownSchool, reference: string, amount: number): Item =>
  item(0, school, reference, amount, { key: `d${school.id}`, paymentId: null, day: '' })

/** What is owed in addition to a pending payment of the same kind. */
const dueBeside = (pending: Item, amount: number): Item => ({
  ...due({ ...gnanodaya, id: pending.schoolId }, 'PD27-VNK0417-R2', amount),
  after: { key: pending.key, reference: pending.reference },
})

/** What is owed for last season, which is closed. */
const dueLate: Item = {
  ...due(gnanodaya, 'PD26-VNK0417-R2', 500),
  ...{ key: 'd1-2025-26', season: '2025-26', closed: true },
}

const registration = item(1, gnanodaya, 'PD27-VNK0417-R1', 82_620, { utr: '632184007715' })
const books = item(2, gnanodaya, 'PD27-VNK0417-B1', 9_720)
const namunaFee = item(3, namuna, 'PD27-JNV0230-R1', 2_14_350, { utr: 'SSBXN52026111812345' })
const convent = item(4, udaharan, 'PD27-MON0012-R1', 18_240)
const kalpanikFee = item(5, kalpanik, 'PD27-KPS0102-R1', 41_400)
const otherFee = item(6, otherKalpanik, 'PD27-KPS0388-R1', 7_500)
const everything = [registration, books, namunaFee, convent, kalpanikFee, otherFee]
const paidByHand = (item: Item): Item => ({ ...item, state: 'paid', receiptNo: 'PD27/000412' })
const settled = (item: Item): Item => ({ ...item, state: 'settled', receiptNo: 'PD27/000412' })

let lineId = 0
function line(narration: string, amount: number, traits: Partial<BankLine> = {}): BankLine {
  return {
    id: ++lineId,
    day: '2026-11-19',
    amount: paise(Math.round(amount * 100)),
    utr: '',
    narration,
    ...traits,
  }
}

type Case = [
  /** Completes “a line with …” */
  has: string,
  line: BankLine,
  /** `exact 1+2`, `likely 5 credit 100`, `unknown` */
  match: string,
  why?: string | undefined,
  world?: { items?: Item[]; credits?: [number, number][] },
]

/** A match in the notation of the table, with amounts in rupees. */
function shown(match: Match): string {
  const parts = match.parts.map(({ key }) => key.replace('p', '')).sort()
  return [
    match.state,
    parts.join('+'),
    match.credit === 0 ? '' : `credit ${match.credit / 100}`,
    match.creditUsed === 0 ? '' : `used ${match.creditUsed / 100}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const cases: Case[] = [
  [
    'the exact reference and amount',
    line('NEFT CR PD27-VNK0417-R1 SRI GNANODAYA', 82_620),
    'exact 1',
    'reference,amount',
  ],
  [
    'the reference and amount of a rejected payment',
    line('NEFT CR PD27-MON0012-R1', 18_240),
    'likely d3',
    'reference,amount,rejected',
    {
      items: [due(udaharan, 'PD27-MON0012-R1', 18_240)].map((item) => ({
        ...item,
        rejected: 'No such transfer',
      })),
    },
  ],
  ['the reference with spaces', line('UPI/PD27 VNK0417 R1/PAY', 82_620), 'exact 1'],
  ['the reference without dashes', line('PD27VNK0417R1', 82_620), 'exact 1'],
  ['the reference in lower case', line('pd27-vnk0417-r1 fees', 82_620), 'exact 1'],
  ['the reference without the zero of the school code', line('IMPS PD27-VNK417-R1', 82_620), 'exact 1'],
  ['the letter O instead of a zero', line('IMPS PD27-VNKO417-R1', 82_620), 'exact 1'],
  ['a zero instead of the letter O', line('IMPS PD27-M0N0012-R1', 18_240), 'exact 4'],
  ['the reference split into words by the bank', line('PD 27 VNK 0417 R 1', 82_620), 'exact 1'],
  ['letters directly before the reference', line('UPIPD27VNK0417R1', 82_620), 'exact 1'],
  ['letters directly after the reference', line('PD27VNK0417R1NEFT', 82_620), 'exact 1'],
  ['a separate number after the reference', line('PD27-VNK0417-R1 632199', 82_620), 'exact 1'],
  [
    'a number directly after the reference, which may make it another one',
    line('PD27VNK0417R1632184', 82_620),
    'likely 1',
    'runs_on,amount',
  ],
  [
    'the UTR in its own column',
    line('NEFT INWARD', 82_620, { utr: '632184007715' }),
    'exact 1',
    'utr,amount',
  ],
  ['the UTR in the narration', line('BY TRANSFER-632184007715-SCHOOL', 82_620), 'exact 1'],
  ['the UTR in groups of digits', line('BY TRANSFER 6321 8400 7715', 82_620), 'exact 1'],
  [
    'a UTR that lost its zeros in a spreadsheet',
    line('NEFT', 82_620, { utr: '632184007715' }),
    'exact 1',
    undefined,
    { items: [{ ...registration, utr: '000632184007715' }] },
  ],
  ['a UTR with the letter O instead of a zero', line('RTGS SSBXN52O26111812345', 2_14_350), 'exact 3'],
  [
    'reference and UTR',
    line('PD27-VNK0417-R1', 82_620, { utr: '632184007715' }),
    'exact 1',
    'reference,utr,amount',
  ],
  [
    'the reference of a due amount that no one reported as paid',
    line('PD27-VNK0417-R2', 500),
    'exact d1',
    undefined,
    { items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)] },
  ],
  [
    'the references of two items',
    line('PD27-VNK0417-R1 PD27-VNK0417-B1', 92_340),
    'exact 1+2',
    'reference,amount,several',
  ],
  [
    'a UTR that two payments share',
    line('NEFT 632184007715', 92_340),
    'exact 1+2',
    undefined,
    { items: [registration, { ...books, utr: '632184007715' }] },
  ],
  [
    'the references of two schools of one trust',
    line('PD27-VNK0417-R1, PD27-MON0012-R1', 1_00_860),
    'exact 1+4',
  ],
  [
    'the sum of two items and the reference of one',
    line('PD27-VNK0417-R1', 92_340),
    'likely 1+2',
    'reference,amount,several',
  ],
  [
    'an old reference and the amount of a new item',
    line('PD27-VNK0417-R1', 9_720),
    'likely 2',
    'reference,amount',
    { items: [settled(registration), books] },
  ],
  ['a part of the amount due', line('PD27-VNK0417-R1', 80_000), 'likely credit 80000', 'reference,part'],
  ['slightly more than is due', line('PD27-VNK0417-R1', 83_000), 'likely 1 credit 380', 'reference,over'],
  ['more than everything due', line('PD27-VNK0417-R1', 92_440), 'likely 1+2 credit 100', 'reference,over'],
  [
    'a zero missing in the amount',
    line('PD27-VNK0417-R1', 8_262),
    'likely credit 8262',
    'reference,part,zero_lost',
  ],
  [
    'an extra zero in the amount',
    line('PD27-MON0012-R1', 1_82_400),
    'likely 4 credit 164160',
    'reference,over,zero_lost',
  ],
  [
    'the rest of an amount whose other part is credit',
    line('PD27-VNK0417-R1', 2_620),
    'likely 1 used 80000',
    'reference,with_credit',
    { credits: [[1, 80_000]] },
  ],
  [
    'the rest of an amount that the credit does not fully cover',
    line('PD27-VNK0417-R1', 2_620),
    'likely credit 2620',
    'reference,part',
    { credits: [[1, 79_999]] },
  ],
  [
    'the amount of a payment verified by hand',
    line('PD27-VNK0417-R1', 82_620),
    'already 1',
    'reference,amount',
    { items: [paidByHand(registration), books] },
  ],
  [
    'the UTR of a payment verified by hand',
    line('NEFT', 82_620, { utr: '632184007715' }),
    'already 1',
    undefined,
    { items: [paidByHand(registration)] },
  ],
  [
    'an amount other than the one verified by hand',
    line('PD27-VNK0417-R1', 80_000),
    'unknown',
    'reference,other_amount',
    { items: [paidByHand(registration)] },
  ],
  [
    'the same payment a second time',
    line('PD27-VNK0417-R1', 82_620),
    'likely credit 82620',
    'reference,double',
    { items: [settled(registration)] },
  ],
  [
    'the code and everything due, part of it beside a pending payment',
    line('NEFT VNK0417 ALL DUES', 66_725),
    'likely 1+2+d1',
    'code,amount,several',
    { items: [{ ...registration, amount: paise(46_345_00) }, books, dueBeside(registration, 10_660)] },
  ],
  [
    'an amount due beside a pending payment, without that payment',
    line('VNK0417', 10_660),
    'likely credit 10660',
    'code,part',
    { items: [registration, dueBeside(registration, 10_660)] },
  ],
  [
    'the reference of an amount due beside a pending payment, without that payment',
    line('PD27-VNK0417-R2', 10_660),
    'unknown',
    'reference,amount,pending_first',
    { items: [registration, dueBeside(registration, 10_660)] },
  ],
  [
    'the reference of a settled payment and an amount other than the school’s dues',
    line('PD27-VNK0417-R1', 92_300),
    'unknown',
    'reference,other_line,other_amount',
    { items: [settled(registration), { ...books, amount: paise(62_000_00) }] },
  ],
  [
    'the UTR and amount of an earlier line',
    line('PD27-VNK0417-R1 AGAIN', 82_620, { utr: '632184007715', sameAs: 1 }),
    'duplicate',
    'same_utr',
  ],
  [
    'money that the bank has returned',
    line('PD27-VNK0417-R1', 82_620, { utr: '632184007715', bouncedOn: '2026-11-20' }),
    'bounced',
    'bounced',
  ],
  [
    'the reference of a paid item when nothing is due',
    line('PD27-VNK0417-R1', 100),
    'likely credit 100',
    'reference,nothing_due',
    { items: [settled(registration)] },
  ],
  ['the code and the amount', line('FEES VNK0417', 82_620), 'likely 1', 'code,amount'],
  [
    'the code without its zero and the sum of two items',
    line('FEES VNK 417', 92_340),
    'likely 1+2',
    'code,amount,several',
  ],
  ['a reference cut off by the bank', line('NEFT-PD27-VNK0417-', 82_620), 'likely 1', 'code,amount'],
  [
    'the code and a part of the amount',
    line('VNK0417 first part', 50_000),
    'likely credit 50000',
    'code,part',
  ],
  [
    'the code of a school whose payment was verified by hand',
    line('VNK0417', 82_620),
    'already 1',
    'code,amount',
    { items: [paidByHand(registration)] },
  ],
  [
    'the reference of an amount due in a closed season',
    line('PD26-VNK0417-R2', 500),
    'exact d1-2025-26',
    'reference,amount',
    { items: [registration, dueLate] },
  ],
  [
    'the code and an amount due only in a closed season',
    line('VNK0417', 500),
    'likely d1-2025-26',
    'code,amount',
    { items: [registration, dueLate] },
  ],
  [
    'the code and an amount due in an open season as well as in a closed one',
    line('VNK0417', 82_620),
    'likely 1',
    'code,amount',
    { items: [registration, { ...dueLate, amount: registration.amount }] },
  ],
  [
    'the code and a part of what is due in an open season, while more is due in a closed one',
    line('VNK0417', 50_000),
    'likely credit 50000',
    'code,part',
    { items: [registration, dueLate] },
  ],
  [
    'the code and the amount of a payment verified by hand long ago, in a season that is closed',
    line('VNK0417', 82_620),
    'likely credit 82620',
    'code,nothing_due',
    { items: [{ ...paidByHand(registration), season: '2025-26', day: '2026-02-18', closed: true }] },
  ],
  [
    'the codes of two schools, one of which owes the amount',
    line('KPS0102 KPS0388', 41_400),
    'likely 5',
    'code,amount',
  ],
  [
    'the codes of two schools, neither of which owes the amount',
    line('KPS0102 KPS0388', 999),
    'unknown',
    'code,contradiction',
  ],
  ['the name and the amount', line('NEFT SRI GNANODAYA VIDYANIKETAN', 82_620), 'likely 1', 'name,amount'],
  ['a name cut off by the bank', line('NEFT SRI GNANODAYA VIDYANIK', 9_720), 'likely 2', 'name,amount'],
  [
    'the name of two schools and the amount of one',
    line('KALPANIK PUBLIC SCHOOL', 7_500),
    'likely 6',
    'name,amount',
  ],
  ['the name and another amount', line('UDAHARAN CONVENT', 100), 'unknown', 'name,other_amount'],
  ['words common to many schools', line('PUBLIC SCHOOL FEES', 100), 'unknown', ''],
  ['only the amount of one recent payment', line('CASH DEPOSIT', 18_240), 'likely 4', 'only_amount'],
  [
    'only the amount of a payment of another month',
    line('CASH DEPOSIT', 18_240, { day: '2026-12-19' }),
    'unknown',
    '',
  ],
  [
    'only an amount that two payments share',
    line('CASH DEPOSIT', 18_240),
    'unknown',
    'ambiguous',
    { items: [convent, { ...otherFee, amount: convent.amount }] },
  ],
  [
    'only the amount of a due that no one reported as paid',
    line('CASH DEPOSIT', 500),
    'unknown',
    '',
    { items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)] },
  ],
  ['interest from the bank', line('INT.PD:01-10-2026 TO 31-12-2026', 1_234), 'unknown', ''],
  [
    'the reference of one school and the UTR of another',
    line('PD27-MON0012-R1', 82_620, { utr: '632184007715' }),
    'likely 1',
    'reference,utr,amount,contradiction',
  ],
  [
    'an amount that is a paisa short',
    line('PD27-MON0012-R1', 18_239.99),
    'likely credit 18239.99',
    'reference,part',
  ],
  [
    'one of two references that differ only in a zero',
    line('PD27-AB012-R1', 500),
    'likely 8',
    'reference,ambiguous,amount,contradiction',
    {
      items: [
        item(8, { ...kalpanik, id: 8 }, 'PD27-AB012-R1', 500),
        item(9, { ...kalpanik, id: 9 }, 'PD27-AB12-R1', 700),
      ],
    },
  ],
  [
    'a day far from the payment date',
    line('PD27-MON0012-R1', 18_240, { day: '2026-12-19' }),
    'exact 4',
    'reference,amount,day',
  ],
]

for (const [has, of, expected, why, { items = everything, credits = [] } = {}] of cases) {
  test(`a line with ${has} is matched as “${expected}”`, () => {
    const inCredit = new Map(credits.map(([school, amount]) => [school, amount * 100]))
    const match = matchLines([of], new MatchCandidates(schools, items, inCredit)).get(of.id)
    assert.ok(match)
    assert.equal(shown(match), expected)
    if (why !== undefined) assert.equal(match.reasons.map(({ code }) => code).join(), why)
  })
}

test('of two transfers with one reference, the earlier pays and the later counts as a double payment', () => {
  const later = line('PD27-MON0012-R1', 18_240, { day: '2026-11-20' })
  const earlier = line('PD27-MON0012-R1', 18_240)
  const matches = matchLines([later, earlier], new MatchCandidates(schools, everything))
  assert.deepEqual(
    [shown(matches.get(earlier.id) as Match), shown(matches.get(later.id) as Match)],
    ['exact 4', 'likely credit 18240'],
  )
  assert.equal(matches.get(later.id)?.reasons.find(({ code }) => code === 'double')?.lineId, earlier.id)
})

test('a line that only seems to match does not take the payment that a later line names', () => {
  const vague = line('CASH DEPOSIT', 18_240)
  const named = line('PD27-MON0012-R1', 18_240, { day: '2026-11-21' })
  const matches = matchLines([vague, named], new MatchCandidates(schools, everything))
  assert.deepEqual(
    [shown(matches.get(named.id) as Match), shown(matches.get(vague.id) as Match)],
    ['exact 4', 'unknown'],
  )
})

/** Lines of all kinds for a few schools, many of them for the same items. */
const someLines = fc.array(
  fc.record({
    of: fc.constantFrom(...everything),
    how: fc.constantFrom('reference', 'cut', 'utr', 'code', 'name', 'nothing'),
    amount: fc.oneof(fc.constant('own'), fc.constant('sum'), fc.integer({ min: 1, max: 3_00_000_00 })),
    day: fc.constantFrom('2026-11-17', '2026-11-18', '2026-11-19'),
  }),
  { maxLength: 25 },
)
const states = fc.array(fc.constantFrom('open', 'paid', 'settled'), {
  minLength: everything.length,
  maxLength: everything.length,
})

function lineOf(
  wanted: { of: Item; how: string; amount: string | number; day: string },
  id: number,
): BankLine {
  const { of, how } = wanted
  const school = schools.find((school) => school.id === of.schoolId)
  const narrations: Record<string, string> = {
    reference: of.reference,
    cut: of.reference.slice(0, 12),
    utr: `NEFT ${of.utr}`,
    code: school?.code ?? '',
    name: school?.name ?? '',
  }
  const both = everything
    .filter((item) => item.schoolId === of.schoolId)
    .reduce((sum, { amount }) => sum + amount, 0)
  const amount = wanted.amount === 'own' ? of.amount : wanted.amount === 'sum' ? both : Number(wanted.amount)
  return { id, day: wanted.day, amount: paise(amount), utr: '', narration: narrations[how] ?? 'CASH' }
}

test('whatever the lines, each gets a match, no item is matched twice, and sums always add up', () => {
  fc.assert(
    fc.property(someLines, states, fc.nat(1_00_000_00), (wanted, itemStates, credit) => {
      const lines = wanted.map(lineOf)
      const items = everything.map((item, index) => ({ ...item, state: itemStates[index] as Item['state'] }))
      const matches = matchLines(lines, new MatchCandidates(schools, items, new Map([[1, credit]])))
      assert.equal(matches.size, lines.length)
      const given: string[] = []
      let used = 0
      for (const line of lines) {
        const match = matches.get(line.id) as Match
        const parts = match.parts.reduce((sum, { amount }) => sum + amount, 0)
        if (match.state === 'unknown') assert.deepEqual([parts, match.credit, match.creditUsed], [0, 0, 0])
        else assert.equal(parts + match.credit, line.amount + match.creditUsed)
        assert.ok(match.credit >= 0 && match.creditUsed >= 0 && match.creditUsed <= credit)
        used += match.creditUsed
        if (match.credit > 0) assert.ok(match.schoolId)
        for (const { key, amount } of match.parts) {
          const item = items.find((candidate) => candidate.key === key)
          assert.equal(item?.amount, amount)
          assert.equal(item?.state, match.state === 'already' ? 'paid' : 'open')
          given.push(key)
        }
        if (match.state === 'exact') assert.deepEqual([match.credit, match.creditUsed], [0, 0])
      }
      assert.equal(new Set(given).size, given.length)
      assert.ok(used <= credit)
      // The order of the lines makes no difference.
      assert.deepEqual(
        new Map(matchLines(lines.toReversed(), new MatchCandidates(schools, items, new Map([[1, credit]])))),
        matches,
      )
    }),
    { numRuns: 300, seed: 4 },
  )
})
