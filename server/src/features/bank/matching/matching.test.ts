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
  /** Completes “a line with …” */
  has: string
  line: BankLine
  /** `exact 1+2`, `likely 5 credit 100`, `unknown` */
  match: string
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
    has: 'the exact reference and amount',
    line: line('NEFT CR PD27-VNK0417-R1 SRI GNANODAYA', 82_620),
    match: 'exact 1',
    why: 'reference,amount',
  },
  {
    has: 'the reference and amount of a rejected payment',
    line: line('NEFT CR PD27-MON0012-R1', 18_240),
    items: [due(udaharan, 'PD27-MON0012-R1', 18_240)].map((item) => ({
      ...item,
      rejected: 'No such transfer',
    })),
    match: 'likely d3',
    why: 'reference,amount,rejected',
  },
  { has: 'the reference with spaces', line: line('UPI/PD27 VNK0417 R1/PAY', 82_620), match: 'exact 1' },
  { has: 'the reference without dashes', line: line('PD27VNK0417R1', 82_620), match: 'exact 1' },
  { has: 'the reference in lower case', line: line('pd27-vnk0417-r1 fees', 82_620), match: 'exact 1' },
  {
    has: 'the reference without the zero of the school code',
    line: line('IMPS PD27-VNK417-R1', 82_620),
    match: 'exact 1',
  },
  { has: 'the letter O instead of a zero', line: line('IMPS PD27-VNKO417-R1', 82_620), match: 'exact 1' },
  { has: 'a zero instead of the letter O', line: line('IMPS PD27-M0N0012-R1', 18_240), match: 'exact 4' },
  {
    has: 'the reference split into words by the bank',
    line: line('PD 27 VNK 0417 R 1', 82_620),
    match: 'exact 1',
  },
  { has: 'letters directly before the reference', line: line('UPIPD27VNK0417R1', 82_620), match: 'exact 1' },
  { has: 'letters directly after the reference', line: line('PD27VNK0417R1NEFT', 82_620), match: 'exact 1' },
  {
    has: 'a separate number after the reference',
    line: line('PD27-VNK0417-R1 632199', 82_620),
    match: 'exact 1',
  },
  {
    has: 'a number directly after the reference, which may make it another one',
    line: line('PD27VNK0417R1632184', 82_620),
    match: 'likely 1',
    why: 'runs_on,amount',
  },
  {
    has: 'the UTR in its own column',
    line: line('NEFT INWARD', 82_620, { utr: '632184007715' }),
    match: 'exact 1',
    why: 'utr,amount',
  },
  {
    has: 'the UTR in the narration',
    line: line('BY TRANSFER-632184007715-SCHOOL', 82_620),
    match: 'exact 1',
  },
  { has: 'the UTR in groups of digits', line: line('BY TRANSFER 6321 8400 7715', 82_620), match: 'exact 1' },
  {
    has: 'a UTR that lost its zeros in a spreadsheet',
    line: line('NEFT', 82_620, { utr: '632184007715' }),
    items: [{ ...registration, utr: '000632184007715' }],
    match: 'exact 1',
  },
  {
    has: 'a UTR with the letter O instead of a zero',
    line: line('RTGS SSBXN52O26111812345', 2_14_350),
    match: 'exact 3',
  },
  {
    has: 'reference and UTR',
    line: line('PD27-VNK0417-R1', 82_620, { utr: '632184007715' }),
    match: 'exact 1',
    why: 'reference,utr,amount',
  },
  {
    has: 'the reference of a due amount that no one reported as paid',
    line: line('PD27-VNK0417-R2', 500),
    items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)],
    match: 'exact d1',
  },
  {
    has: 'the references of two items',
    line: line('PD27-VNK0417-R1 PD27-VNK0417-B1', 92_340),
    match: 'exact 1+2',
    why: 'reference,amount,several',
  },
  {
    has: 'a UTR that two payments share',
    line: line('NEFT 632184007715', 92_340),
    items: [registration, { ...books, utr: '632184007715' }],
    match: 'exact 1+2',
  },
  {
    has: 'the references of two schools of one trust',
    line: line('PD27-VNK0417-R1, PD27-MON0012-R1', 1_00_860),
    match: 'exact 1+4',
  },
  {
    has: 'the sum of two items and the reference of one',
    line: line('PD27-VNK0417-R1', 92_340),
    match: 'likely 1+2',
    why: 'reference,amount,several',
  },
  {
    has: 'an old reference and the amount of a new item',
    line: line('PD27-VNK0417-R1', 9_720),
    items: [settled(registration), books],
    match: 'likely 2',
    why: 'reference,amount',
  },
  {
    has: 'a part of the amount due',
    line: line('PD27-VNK0417-R1', 80_000),
    match: 'likely credit 80000',
    why: 'reference,part',
  },
  {
    has: 'slightly more than is due',
    line: line('PD27-VNK0417-R1', 83_000),
    match: 'likely 1 credit 380',
    why: 'reference,over',
  },
  {
    has: 'more than everything due',
    line: line('PD27-VNK0417-R1', 92_440),
    match: 'likely 1+2 credit 100',
    why: 'reference,over',
  },
  {
    has: 'a zero missing in the amount',
    line: line('PD27-VNK0417-R1', 8_262),
    match: 'likely credit 8262',
    why: 'reference,part,zero_lost',
  },
  {
    has: 'an extra zero in the amount',
    line: line('PD27-MON0012-R1', 1_82_400),
    match: 'likely 4 credit 164160',
    why: 'reference,over,zero_lost',
  },
  {
    has: 'the rest of an amount whose other part is credit',
    line: line('PD27-VNK0417-R1', 2_620),
    credits: [[1, 80_000]],
    match: 'likely 1 used 80000',
    why: 'reference,with_credit',
  },
  {
    has: 'the rest of an amount that the credit does not fully cover',
    line: line('PD27-VNK0417-R1', 2_620),
    credits: [[1, 79_999]],
    match: 'likely credit 2620',
    why: 'reference,part',
  },
  {
    has: 'the amount of a payment verified by hand',
    line: line('PD27-VNK0417-R1', 82_620),
    items: [paidByHand(registration), books],
    match: 'already 1',
    why: 'reference,amount',
  },
  {
    has: 'the UTR of a payment verified by hand',
    line: line('NEFT', 82_620, { utr: '632184007715' }),
    items: [paidByHand(registration)],
    match: 'already 1',
  },
  {
    has: 'an amount other than the one verified by hand',
    line: line('PD27-VNK0417-R1', 80_000),
    items: [paidByHand(registration)],
    match: 'unknown',
    why: 'reference,other_amount',
  },
  {
    has: 'the same payment a second time',
    line: line('PD27-VNK0417-R1', 82_620),
    items: [settled(registration)],
    match: 'likely credit 82620',
    why: 'reference,double',
  },
  {
    has: 'the code and everything due, part of it beside a pending payment',
    line: line('NEFT VNK0417 ALL DUES', 66_725),
    items: [{ ...registration, amount: paise(46_345_00) }, books, dueBeside(registration, 10_660)],
    match: 'likely 1+2+d1',
    why: 'code,amount,several',
  },
  {
    has: 'an amount due beside a pending payment, without that payment',
    line: line('VNK0417', 10_660),
    items: [registration, dueBeside(registration, 10_660)],
    match: 'likely credit 10660',
    why: 'code,part',
  },
  {
    has: 'the reference of an amount due beside a pending payment, without that payment',
    line: line('PD27-VNK0417-R2', 10_660),
    items: [registration, dueBeside(registration, 10_660)],
    match: 'unknown',
    why: 'reference,amount,pending_first',
  },
  {
    has: 'the reference of a settled payment and an amount other than the school’s dues',
    line: line('PD27-VNK0417-R1', 92_300),
    items: [settled(registration), { ...books, amount: paise(62_000_00) }],
    match: 'unknown',
    why: 'reference,other_line,other_amount',
  },
  {
    has: 'the UTR and amount of an earlier line',
    line: line('PD27-VNK0417-R1 AGAIN', 82_620, { utr: '632184007715', sameAs: 1 }),
    match: 'duplicate',
    why: 'same_utr',
  },
  {
    has: 'money that the bank has returned',
    line: line('PD27-VNK0417-R1', 82_620, { utr: '632184007715', bouncedOn: '2026-11-20' }),
    match: 'bounced',
    why: 'bounced',
  },
  {
    has: 'the reference of a paid item when nothing is due',
    line: line('PD27-VNK0417-R1', 100),
    items: [settled(registration)],
    match: 'likely credit 100',
    why: 'reference,nothing_due',
  },
  {
    has: 'the code and the amount',
    line: line('FEES VNK0417', 82_620),
    match: 'likely 1',
    why: 'code,amount',
  },
  {
    has: 'the code without its zero and the sum of two items',
    line: line('FEES VNK 417', 92_340),
    match: 'likely 1+2',
    why: 'code,amount,several',
  },
  {
    has: 'a reference cut off by the bank',
    line: line('NEFT-PD27-VNK0417-', 82_620),
    match: 'likely 1',
    why: 'code,amount',
  },
  {
    has: 'the code and a part of the amount',
    line: line('VNK0417 first part', 50_000),
    match: 'likely credit 50000',
    why: 'code,part',
  },
  {
    has: 'the code of a school whose payment was verified by hand',
    line: line('VNK0417', 82_620),
    items: [paidByHand(registration)],
    match: 'already 1',
    why: 'code,amount',
  },
  {
    has: 'the codes of two schools, one of which owes the amount',
    line: line('KPS0102 KPS0388', 41_400),
    match: 'likely 5',
    why: 'code,amount',
  },
  {
    has: 'the codes of two schools, neither of which owes the amount',
    line: line('KPS0102 KPS0388', 999),
    match: 'unknown',
    why: 'code,contradiction',
  },
  {
    has: 'the name and the amount',
    line: line('NEFT SRI GNANODAYA VIDYANIKETAN', 82_620),
    match: 'likely 1',
    why: 'name,amount',
  },
  {
    has: 'a name cut off by the bank',
    line: line('NEFT SRI GNANODAYA VIDYANIK', 9_720),
    match: 'likely 2',
    why: 'name,amount',
  },
  {
    has: 'the name of two schools and the amount of one',
    line: line('KALPANIK PUBLIC SCHOOL', 7_500),
    match: 'likely 6',
    why: 'name,amount',
  },
  {
    has: 'the name and another amount',
    line: line('UDAHARAN CONVENT', 100),
    match: 'unknown',
    why: 'name,other_amount',
  },
  { has: 'words common to many schools', line: line('PUBLIC SCHOOL FEES', 100), match: 'unknown', why: '' },
  {
    has: 'only the amount of one recent payment',
    line: line('CASH DEPOSIT', 18_240),
    match: 'likely 4',
    why: 'only_amount',
  },
  {
    has: 'only the amount of a payment of another month',
    line: line('CASH DEPOSIT', 18_240, { day: '2026-12-19' }),
    match: 'unknown',
    why: '',
  },
  {
    has: 'only an amount that two payments share',
    line: line('CASH DEPOSIT', 18_240),
    items: [convent, { ...otherFee, amount: convent.amount }],
    match: 'unknown',
    why: 'ambiguous',
  },
  {
    has: 'only the amount of a due that no one reported as paid',
    line: line('CASH DEPOSIT', 500),
    items: [due(gnanodaya, 'PD27-VNK0417-R2', 500)],
    match: 'unknown',
    why: '',
  },
  {
    has: 'interest from the bank',
    line: line('INT.PD:01-10-2026 TO 31-12-2026', 1_234),
    match: 'unknown',
    why: '',
  },
  {
    has: 'the reference of one school and the UTR of another',
    line: line('PD27-MON0012-R1', 82_620, { utr: '632184007715' }),
    match: 'likely 1',
    why: 'reference,utr,amount,contradiction',
  },
  {
    has: 'an amount that is a paisa short',
    line: line('PD27-MON0012-R1', 18_239.99),
    match: 'likely credit 18239.99',
    why: 'reference,part',
  },
  {
    has: 'one of two references that differ only in a zero',
    line: line('PD27-AB012-R1', 500),
    items: [
      item(8, { ...kalpanik, id: 8 }, 'PD27-AB012-R1', 500),
      item(9, { ...kalpanik, id: 9 }, 'PD27-AB12-R1', 700),
    ],
    match: 'likely 8',
    why: 'reference,ambiguous,amount,contradiction',
  },
  {
    has: 'a day far from the payment date',
    line: line('PD27-MON0012-R1', 18_240, { day: '2026-12-19' }),
    match: 'exact 4',
    why: 'reference,amount,day',
  },
]

for (const testCase of cases) {
  test(`a line with ${testCase.has} is matched as “${testCase.match}”`, () => {
    const credits = new Map((testCase.credits ?? []).map(([school, amount]) => [school, amount * 100]))
    const match = matchLines(
      [testCase.line],
      new MatchCandidates(schools, testCase.items ?? everything, credits),
    ).get(testCase.line.id)
    assert.ok(match)
    assert.equal(shown(match), testCase.match)
    if (testCase.why !== undefined) assert.equal(match.reasons.map(({ code }) => code).join(), testCase.why)
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
