import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { bookKinds, classes } from '../classes.ts'
import { fromRupees, paise, rupeesOf, sumPaise } from '../money.ts'
import { classIdOf, hindiClassName } from '../students/rules-class.ts'
import { slabIssues } from './calls-seasons.ts'
import {
  amountFields,
  type Choice,
  feeShareOf,
  lateFeeOf,
  type OfferedSubject,
  offerOf,
  priceChoice,
  retainedOf,
  type ShareRule,
  slabOf,
} from './rules-fee.ts'

const none = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }

function subject(
  letter: string,
  name: string,
  price: number,
  books: OfferedSubject['books'] = {},
): OfferedSubject {
  return { letter, name, price: paise(price), retained: paise(2_500), books }
}
const book = (price: number) => ({ price: paise(price), retained: paise(2_000) })
const offer = [
  subject('M', 'Mathematics', 17_500, { cb: book(22_000), pyqp: book(16_000), geneX: book(31_000) }),
  subject('S', 'Science', 17_500, { cb: book(22_000), pyqp: book(16_000) }),
  subject('K', 'Computer Science', 20_050, { cb: book(22_050) }),
]

const cases: ReadonlyArray<[string, Choice, [number, number, number, number]]> = [
  ['nothing chosen costs nothing', { subjects: [], books: none }, [0, 0, 0, 0]],
  ['one subject', { subjects: ['M'], books: none }, [175, 25, 0, 0]],
  ['subjects by name, in any case', { subjects: ['mathematics', ' SCIENCE '], books: none }, [350, 50, 0, 0]],
  ['a subject named twice counts once', { subjects: ['M', 'Mathematics'], books: none }, [175, 25, 0, 0]],
  [
    'each ticked book',
    { subjects: ['M', 'S'], books: { ...none, cb: ['M', 'S'], geneX: ['M'] } },
    [350, 50, 750, 60],
  ],
  ['paise are not rounded', { subjects: ['K'], books: { ...none, cb: ['K'] } }, [200.5, 25, 220.5, 20]],
  ['a subject that is not offered costs nothing', { subjects: ['M', 'Z'], books: none }, [175, 25, 0, 0]],
  [
    'a book without its subject costs nothing',
    { subjects: ['M'], books: { ...none, cb: ['S'] } },
    [175, 25, 0, 0],
  ],
  [
    'a book that does not exist costs nothing',
    { subjects: ['S'], books: { ...none, geneX: ['S'] } },
    [175, 25, 0, 0],
  ],
]
for (const [name, choice, [regAmount, school_Expenses, bookAmount, book_school_Expenses]] of cases) {
  test(`fees: ${name} [spec 4.19]`, () => {
    const { fee } = priceChoice(offer, choice)
    assert.deepEqual(amountFields(fee), { regAmount, school_Expenses, bookAmount, book_school_Expenses })
  })
}

test('a subject or book that a class does not offer is reported at its field', () => {
  const { issues } = priceChoice(offer, {
    subjects: ['M', 'Z'],
    books: { ...none, cb: ['S'], geneX: ['M'], tb: ['M'] },
  })
  assert.deepEqual(issues, [
    { path: 'subjectName', message: 'This class has no subject called Z.' },
    { path: 'cb', message: 'Comprehensive Book: please choose the subject Science first.' },
    { path: 'tb', message: 'Text Book is not offered for Mathematics in this class.' },
  ])
})

const shares: ReadonlyArray<[ShareRule, number, number, number]> = [
  [{ kind: 'perHead' }, 17_500, 2_500, 2_500],
  [{ kind: 'perHead' }, 2_000, 2_500, 2_000],
  [{ kind: 'percent', percent: 15 }, 17_500, 2_500, 2_625],
  [{ kind: 'percent', percent: 12.5 }, 17_900, 0, 2_238],
  [{ kind: 'percent', percent: 0 }, 17_500, 2_500, 0],
  [{ kind: 'percent', percent: 100 }, 17_500, 2_500, 17_500],
]
for (const [rule, price, perHead, kept] of shares) {
  test(`of ${price} paise a school keeps ${kept} under ${JSON.stringify(rule)} and ${perHead} an entry`, () => {
    assert.equal(retainedOf(rule, paise(price), paise(perHead)), kept)
  })
}

const price = fc.integer({ min: 0, max: 1_000_000 }).map(paise)
const rule: fc.Arbitrary<ShareRule> = fc.oneof(
  fc.constant<ShareRule>({ kind: 'perHead' }),
  fc.double({ min: 0, max: 100, noNaN: true }).map((percent): ShareRule => ({ kind: 'percent', percent })),
)
const priced = (share: ShareRule) =>
  fc
    .tuple(price, price)
    .map(([amount, perHead]) => ({ price: amount, retained: retainedOf(share, amount, perHead) }))
const letters = ['M', 'S', 'E', 'K']
const anOffer = rule.chain((share) =>
  fc.tuple(
    ...letters.map((letter) =>
      fc
        .record({
          own: priced(share),
          books: fc.record(Object.fromEntries(bookKinds.map((kind) => [kind, priced(share)])), {
            requiredKeys: [],
          }),
        })
        .map(({ own, books }): OfferedSubject => ({ letter, name: `Subject ${letter}`, ...own, books })),
    ),
  ),
)
const some = fc.array(fc.constantFrom(...letters, 'Subject M', 'Nothing'), { maxLength: 6 })
const aChoice: fc.Arbitrary<Choice> = fc.record({
  subjects: some,
  books: fc.record({ cb: some, pyqp: some, geneX: some, tb: some, wb: some }),
})

test('lines add up to the totals, a share never exceeds its price, and nothing is negative [spec 4.19]', async () => {
  await fc.assert(
    fc.property(anOffer, aChoice, (offered, choice) => {
      const { registration, books, fee } = priceChoice(offered, choice)
      assert.equal(fee.regAmount, sumPaise(registration.map((line) => line.price)))
      assert.equal(fee.schoolExpenses, sumPaise(registration.map((line) => line.retained)))
      assert.equal(fee.bookAmount, sumPaise(books.map((line) => line.price)))
      assert.equal(fee.bookSchoolExpenses, sumPaise(books.map((line) => line.retained)))
      for (const line of [...registration, ...books])
        assert.ok(line.retained >= 0 && line.retained <= line.price && Number.isInteger(line.retained))
      const chosen = registration.map((line) => line.letter)
      assert.equal(new Set(chosen).size, chosen.length, 'each subject once')
      const kinds = books.map((line) => `${line.letter} ${line.kind}`)
      assert.equal(new Set(kinds).size, kinds.length, 'each book once')
      for (const line of books) assert.ok(chosen.includes(line.letter), 'no book without its subject')
    }),
  )
})

test('the order of the choices does not change the fee', async () => {
  await fc.assert(
    fc.property(anOffer, aChoice, (offered, choice) => {
      const turned = { ...choice, subjects: choice.subjects.toReversed() }
      assert.deepEqual(priceChoice(offered, turned).fee, priceChoice(offered, choice).fee)
    }),
  )
})

test("the form computes the same fee as the server from the calls' answers [spec 4.19]", () => {
  const [math] = offer
  if (!math) throw new Error('the offer begins with Mathematics')
  const made = offerOf(
    [
      {
        eventYearId: 1,
        eventLetter: 'M',
        subjectName: 'Mathematics',
        eventFee: 225,
        lateFee: 50,
        late: { from: '2026-11-16', fee: 50 },
        retainFee: 25,
        closesOn: '2026-11-30',
        closed: false,
        signedOff: false,
        examMode: 'Offline',
      },
    ],
    [
      {
        subjectName: 'Mathematics',
        eventLetter: 'M',
        cb: 220,
        pyqp: 160,
        geneX: 310,
        tb: null,
        wb: null,
        retainFee: 20,
        retainFees: { cb: 20, pyqp: 20, geneX: 20, tb: null, wb: null },
      },
    ],
  )
  assert.deepEqual(made, [{ ...math, price: fromRupees(225), late: fromRupees(50) }])
  const priced = priceChoice(made, { subjects: ['M'], books: none })
  assert.deepEqual(amountFields(priced.fee).regAmount, 225)
  assert.equal(lateFeeOf(priced), fromRupees(50))
})

for (const [written, id] of [
  ['7', 7],
  ['07', 7],
  ['7th', 7],
  ['Class 7', 7],
  ['Std. VII', 7],
  ['Grade-12', 12],
  ['seven', 7],
  ['कक्षा ७', 7],
  ['Nursery', 15],
  ['L.K.G.', 13],
  ['ukg', 14],
  ['13', undefined],
  ['0', undefined],
  ['', undefined],
  ['Class', undefined],
] as const) {
  test(`a class written “${written}” is ${id ?? 'none'}`, () => assert.equal(classIdOf(written), id))
}

test('the Hindi name of every class is read as that class', () => {
  for (const { classId } of classes) assert.equal(classIdOf(hindiClassName(classId)), classId)
  assert.deepEqual([15, 7].map(hindiClassName), ['नर्सरी', 'कक्षा 7'])
})

const slabbed = (slabs: Array<{ from: number; share: number }>): ShareRule => ({ kind: 'slabs', slabs })
const threeSlabs = [
  { from: 1, share: 20 },
  { from: 50, share: 25 },
  { from: 200, share: 30.5 },
]
for (const [heads, kept] of [
  [0, 2_000],
  [1, 2_000],
  [49, 2_000],
  [50, 2_500],
  [199, 2_500],
  [200, 3_050],
  [9_000, 3_050],
] as const) {
  test(`a school of ${heads} entries keeps ${kept} paise of an entry by its slab`, () =>
    assert.equal(feeShareOf(slabbed(threeSlabs), paise(17_500), paise(100), heads), kept))
}

const risingSlabs = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 2, max: 5_000 }), { maxLength: 9 }),
    fc.array(price, { minLength: 10 }),
  )
  .map(([starts, shares]) => {
    const rising = shares.toSorted((a, b) => a - b)
    return [1, ...starts.toSorted((a, b) => a - b)].map((from, index) => ({
      from,
      share: rupeesOf(rising[index] ?? 0),
    }))
  })

test('valid slabs give every number of entries one share, which never falls and never exceeds the fee', async () => {
  await fc.assert(
    fc.property(risingSlabs, price, fc.integer({ min: 0, max: 6_000 }), (slabs, fee, heads) => {
      assert.deepEqual(slabIssues(slabs), [])
      const share = feeShareOf(slabbed(slabs), fee, paise(0), heads)
      assert.ok(share >= 0 && share <= fee && Number.isInteger(share))
      assert.ok(feeShareOf(slabbed(slabs), fee, paise(0), heads + 1) >= share)
      const { slab, next } = slabOf(slabs, heads)
      assert.ok(slab && slab.from <= Math.max(1, heads) && (next?.from ?? heads + 1) > heads)
    }),
  )
})
