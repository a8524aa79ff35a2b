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

interface Case {
  says: string
  line: BankLine
  /** `exact 1+2`, `likely 5 credit 100`, `unknown` */
  is: string
  why?: string
  items?: Item[]
  credits?: [number, number][]
}

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
  {
    says: 'the reference as it was given, and the amount',
    line: line('NEFT CR PD27-VNK0417-R1 SRI GNANODAYA', 82_620),
    is: 'exact 1',
    why: 'reference,amount',
  },
  {
    says: 'the reference of what the office has rejected, and the amount',
    line: line('NEFT CR PD27-MON0012-R1', 18_240),
    items: [due(udaharan, 'PD27-MON0012-R1', 18_240)].map((item) => ({
      ...item,
      rejected: 'No such transfer',
    })),
    is: 'likely d3',
    why: 'reference,amount,rejected',
  },
  { says: 'the reference with spaces', line: line('UPI/PD27 VNK0417 R1/PAY', 82_620), is: 'exact 1' },
  { says: 'the reference without dashes', line: line('PD27VNK0417R1', 82_620), is: 'exact 1' },
  { says: 'the reference in small letters', line: line('pd27-vnk0417-r1 fees', 82_620), is: 'exact 1' },
  {
    says: 'the reference without the zero of the code',
    line: line('IMPS PD27-VNK417-R1', 82_620),
    is: 'exact 1',
  },
  { says: 'the letter O for the zero', line: line('IMPS PD27-VNKO417-R1', 82_620), is: 'exact 1' },
  { says: 'a zero for the letter O of a code', line: line('IMPS PD27-M0N0012-R1', 18_240), is: 'exact 4' },
  {
    says: 'the reference cut by the bank into words',
    line: line('PD 27 VNK 0417 R 1', 82_620),
    is: 'exact 1',
  },
  { says: 'other letters before the reference', line: line('UPIPD27VNK0417R1', 82_620), is: 'exact 1' },
  { says: 'other letters after it', line: line('PD27VNK0417R1NEFT', 82_620), is: 'exact 1' },
  {
    says: 'a number after it, in a word of its own',
    line: line('PD27-VNK0417-R1 632199', 82_620),
    is: 'exact 1',
  },
  {
    says: 'a number that runs on from it may be another reference',
    line: line('PD27VNK0417R1632184', 82_620),
    is: 'likely 1',
    why: 'runs_on,amount',
  },
  {
    says: 'the UTR in its own column',
    line: line('NEFT INWARD', 82_620, { utr: '632184007715' }),
    is: 'exact 1',
    why: 'utr,amount',
  },
  { says: 'the UTR in the narration', line: line('BY TRANSFER-632184007715-SCHOOL', 82_620), is: 'exact 1' },
  { says: 'the UTR in groups', line: line('BY TRANSFER 6321 8400 7715', 82_620), is: 'exact 1' },
  {
    says: 'the UTR that lost its zeros in a spreadsheet',
    line: line('NEFT', 82_620, { utr: '632184007715' }),
    items: [{ ...registration, utr: '000632184007715' }],
    is: 'exact 1',
  },
  {
    says: 'a UTR of letters with O for zero',
    line: line('RTGS SSBXN52O26111812345', 2_14_350),
    is: 'exact 3',
  },
  {
    says: 'reference and UTR together',
    line: line('PD27-VNK0417-R1', 82_620, { utr: '632184007715' }),
    is: 'exact 1',
    why: 'reference,utr,amount',
  },
  {
    says: 'what is owed and nobody has told of',
    line: line('PD27-VNK0417-R2', 500),
    items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)],
    is: 'exact d1',
  },
  {
    says: 'one transfer that names two items',
    line: line('PD27-VNK0417-R1 PD27-VNK0417-B1', 92_340),
    is: 'exact 1+2',
    why: 'reference,amount,several',
  },
  {
    says: 'one transfer with a UTR that two payments have',
    line: line('NEFT 632184007715', 92_340),
    items: [registration, { ...books, utr: '632184007715' }],
    is: 'exact 1+2',
  },
  {
    says: 'one transfer of a trust for two schools, both named',
    line: line('PD27-VNK0417-R1, PD27-MON0012-R1', 1_00_860),
    is: 'exact 1+4',
  },
  {
    says: 'one transfer for two items that names one',
    line: line('PD27-VNK0417-R1', 92_340),
    is: 'likely 1+2',
    why: 'reference,amount,several',
  },
  {
    says: 'an old reference with the amount of the new item',
    line: line('PD27-VNK0417-R1', 9_720),
    items: [settled(registration), books],
    is: 'likely 2',
    why: 'reference,amount',
  },
  {
    says: 'a part of what is owed',
    line: line('PD27-VNK0417-R1', 80_000),
    is: 'likely credit 80000',
    why: 'reference,part',
  },
  {
    says: 'too much by a little',
    line: line('PD27-VNK0417-R1', 83_000),
    is: 'likely 1 credit 380',
    why: 'reference,over',
  },
  {
    says: 'more than all that is owed, whatever it names',
    line: line('PD27-VNK0417-R1', 92_440),
    is: 'likely 1+2 credit 100',
    why: 'reference,over',
  },
  {
    says: 'a zero lost',
    line: line('PD27-VNK0417-R1', 8_262),
    is: 'likely credit 8262',
    why: 'reference,part,zero_lost',
  },
  {
    says: 'a zero too many',
    line: line('PD27-MON0012-R1', 1_82_400),
    is: 'likely 4 credit 164160',
    why: 'reference,over,zero_lost',
  },
  {
    says: 'the rest of a part that stands to credit',
    line: line('PD27-VNK0417-R1', 2_620),
    credits: [[1, 80_000]],
    is: 'likely 1 used 80000',
    why: 'reference,with_credit',
  },
  {
    says: 'credit that is not enough is not touched',
    line: line('PD27-VNK0417-R1', 2_620),
    credits: [[1, 79_999]],
    is: 'likely credit 2620',
    why: 'reference,part',
  },
  {
    says: 'the amount of a payment that was verified by hand',
    line: line('PD27-VNK0417-R1', 82_620),
    items: [paidByHand(registration), books],
    is: 'already 1',
    why: 'reference,amount',
  },
  {
    says: 'the UTR of a payment that was verified by hand',
    line: line('NEFT', 82_620, { utr: '632184007715' }),
    items: [paidByHand(registration)],
    is: 'already 1',
  },
  {
    says: 'another amount than was verified by hand',
    line: line('PD27-VNK0417-R1', 80_000),
    items: [paidByHand(registration)],
    is: 'unknown',
    why: 'reference,other_amount',
  },
  {
    says: 'the same money a second time',
    line: line('PD27-VNK0417-R1', 82_620),
    items: [settled(registration)],
    is: 'likely credit 82620',
    why: 'reference,double',
  },
  {
    says: 'the code and all that the ledger says, a part of which is due beside a pending payment',
    line: line('NEFT VNK0417 ALL DUES', 66_725),
    items: [{ ...registration, amount: paise(46_345_00) }, books, dueBeside(registration, 10_660)],
    is: 'likely 1+2+d1',
    why: 'code,amount,several',
  },
  {
    says: 'what is due beside a pending payment, without that payment',
    line: line('VNK0417', 10_660),
    items: [registration, dueBeside(registration, 10_660)],
    is: 'likely credit 10660',
    why: 'code,part',
  },
  {
    says: 'the reference of what is due beside a pending payment, without that payment',
    line: line('PD27-VNK0417-R2', 10_660),
    items: [registration, dueBeside(registration, 10_660)],
    is: 'unknown',
    why: 'reference,amount,pending_first',
  },
  {
    says: 'a reference whose payment has its money, and another amount than the school’s other dues',
    line: line('PD27-VNK0417-R1', 92_300),
    items: [settled(registration), { ...books, amount: paise(62_000_00) }],
    is: 'unknown',
    why: 'reference,other_line,other_amount',
  },
  {
    says: 'the UTR and amount of an earlier line',
    line: line('PD27-VNK0417-R1 AGAIN', 82_620, { utr: '632184007715', sameAs: 1 }),
    is: 'duplicate',
    why: 'same_utr',
  },
  {
    says: 'money that the bank has returned, whatever it names',
    line: line('PD27-VNK0417-R1', 82_620, { utr: '632184007715', bouncedOn: '2026-11-20' }),
    is: 'bounced',
    why: 'bounced',
  },
  {
    says: 'a reference to what is paid, and nothing is due',
    line: line('PD27-VNK0417-R1', 100),
    items: [settled(registration)],
    is: 'likely credit 100',
    why: 'reference,nothing_due',
  },
  { says: 'the code and the amount', line: line('FEES VNK0417', 82_620), is: 'likely 1', why: 'code,amount' },
  {
    says: 'the code without its zero, and two items',
    line: line('FEES VNK 417', 92_340),
    is: 'likely 1+2',
    why: 'code,amount,several',
  },
  {
    says: 'a reference that the bank has cut',
    line: line('NEFT-PD27-VNK0417-', 82_620),
    is: 'likely 1',
    why: 'code,amount',
  },
  {
    says: 'the code and a part',
    line: line('VNK0417 first part', 50_000),
    is: 'likely credit 50000',
    why: 'code,part',
  },
  {
    says: 'the code, and its payment was verified by hand',
    line: line('VNK0417', 82_620),
    items: [paidByHand(registration)],
    is: 'already 1',
    why: 'code,amount',
  },
  {
    says: 'codes of two schools, one of which owes this',
    line: line('KPS0102 KPS0388', 41_400),
    is: 'likely 5',
    why: 'code,amount',
  },
  {
    says: 'codes of two schools and an amount of neither',
    line: line('KPS0102 KPS0388', 999),
    is: 'unknown',
    why: 'code,contradiction',
  },
  {
    says: 'the name and the amount',
    line: line('NEFT SRI GNANODAYA VIDYANIKETAN', 82_620),
    is: 'likely 1',
    why: 'name,amount',
  },
  {
    says: 'the name that the bank has cut',
    line: line('NEFT SRI GNANODAYA VIDYANIK', 9_720),
    is: 'likely 2',
    why: 'name,amount',
  },
  {
    says: 'two schools of one name: the amount decides',
    line: line('KALPANIK PUBLIC SCHOOL', 7_500),
    is: 'likely 6',
    why: 'name,amount',
  },
  {
    says: 'the name and another amount',
    line: line('UDAHARAN CONVENT', 100),
    is: 'unknown',
    why: 'name,other_amount',
  },
  { says: 'words that many schools have', line: line('PUBLIC SCHOOL FEES', 100), is: 'unknown', why: '' },
  {
    says: 'nothing but the amount of one payment of these days',
    line: line('CASH DEPOSIT', 18_240),
    is: 'likely 4',
    why: 'only_amount',
  },
  {
    says: 'the amount of a payment of another month',
    line: line('CASH DEPOSIT', 18_240, { day: '2026-12-19' }),
    is: 'unknown',
    why: '',
  },
  {
    says: 'an amount that two payments have',
    line: line('CASH DEPOSIT', 18_240),
    items: [convent, { ...otherFee, amount: convent.amount }],
    is: 'unknown',
    why: 'ambiguous',
  },
  {
    says: 'the amount of what nobody has told of says nothing',
    line: line('CASH DEPOSIT', 500),
    items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)],
    is: 'unknown',
    why: '',
  },
  {
    says: 'interest of the bank',
    line: line('INT.PD:01-10-2026 TO 31-12-2026', 1_234),
    is: 'unknown',
    why: '',
  },
  {
    says: 'reference and UTR of two schools',
    line: line('PD27-MON0012-R1', 82_620, { utr: '632184007715' }),
    is: 'likely 1',
    why: 'reference,utr,amount,contradiction',
  },
  {
    says: 'a paisa less is not the amount',
    line: line('PD27-MON0012-R1', 18_239.99),
    is: 'likely credit 18239.99',
    why: 'reference,part',
  },
  {
    says: 'references that are alike without their zeros',
    line: line('PD27-AB012-R1', 500),
    items: [
      item(8, { ...kalpanik, id: 8 }, 'PD27-AB012-R1', 500),
      item(9, { ...kalpanik, id: 9 }, 'PD27-AB12-R1', 700),
    ],
    is: 'likely 8',
    why: 'reference,ambiguous,amount,contradiction',
  },
  {
    says: 'a day that is far from what the school says',
    line: line('PD27-MON0012-R1', 18_240, { day: '2026-12-19' }),
    is: 'exact 4',
    why: 'reference,amount,day',
  },
]

for (const testCase of cases) {
  test(`a line with ${testCase.says}: ${testCase.is}`, () => {
    const credits = new Map((testCase.credits ?? []).map(([school, amount]) => [school, amount * 100]))
    const match = matchLines(
      [testCase.line],
      new MatchCandidates(schools, testCase.items ?? everything, credits),
    ).get(testCase.line.id)
    assert.ok(match)
    assert.equal(shown(match), testCase.is)
    if (testCase.why !== undefined) assert.equal(match.reasons.map(({ code }) => code).join(), testCase.why)
  })
}

test('of two transfers with one reference the earlier pays, and the later is a second one', () => {
  const later = line('PD27-MON0012-R1', 18_240, { day: '2026-11-20' })
  const earlier = line('PD27-MON0012-R1', 18_240)
  const matches = matchLines([later, earlier], new MatchCandidates(schools, everything))
  assert.deepEqual(
    [shown(matches.get(earlier.id) as Match), shown(matches.get(later.id) as Match)],
    ['exact 4', 'likely credit 18240'],
  )
  assert.equal(matches.get(later.id)?.reasons.find(({ code }) => code === 'double')?.lineId, earlier.id)
})

test('a line that only seems to fit does not take what a later line names', () => {
  const seems = line('CASH DEPOSIT', 18_240)
  const names = line('PD27-MON0012-R1', 18_240, { day: '2026-11-21' })
  const matches = matchLines([seems, names], new MatchCandidates(schools, everything))
  assert.deepEqual(
    [shown(matches.get(names.id) as Match), shown(matches.get(seems.id) as Match)],
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
    .reduce((sum, one) => sum + one.amount, 0)
  const amount = wanted.amount === 'own' ? of.amount : wanted.amount === 'sum' ? both : Number(wanted.amount)
  return { id, day: wanted.day, amount: paise(amount), utr: '', narration: narrations[how] ?? 'CASH' }
}

test('whatever the lines are: each is looked at, nothing is given twice, and sums always add up', () => {
  fc.assert(
    fc.property(someLines, states, fc.nat(1_00_000_00), (wanted, itsStates, credit) => {
      const lines = wanted.map(lineOf)
      const items = everything.map((item, index) => ({ ...item, state: itsStates[index] as Item['state'] }))
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
          const its = items.find((each) => each.key === key)
          assert.equal(its?.amount, amount)
          assert.equal(its?.state, match.state === 'already' ? 'paid' : 'open')
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
