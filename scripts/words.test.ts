import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { englishWords, exported, faultsIn, imported, languagesIn, readWords, type Words } from './words.ts'

const folder = join(import.meta.dirname, '../web/words')

test('every language has the same words with the same places, and the forms of number that it distinguishes', () => {
  const languages = languagesIn(folder)
  assert.deepEqual(languages, ['en', 'hi'])
  const english = englishWords(folder)
  for (const language of languages.filter((name) => name !== 'en'))
    assert.deepEqual(faultsIn(english, readWords(folder, language), language), [])
})

test('a missing word, a strange one, a lost place, a wrong one and a missing form of number are each refused', () => {
  const english = new Map<string, Words>([
    [
      'fees',
      { title: 'Fees', paid: '{n} paid by {day}', count: { one: '{n} student', other: '{n} students' } },
    ],
  ])
  const faults = (own: Words, language = 'hi') => faultsIn(english, new Map([['fees', own]]), language)
  const right = { title: 'T', paid: '{day}: {n}', count: { one: '{n}', other: '{n}' } }
  assert.deepEqual(faults(right), [])
  assert.deepEqual(faults({ ...right, more: 'M' }), ['hi/fees.json: more is not in English'])
  assert.deepEqual(faults({ paid: right.paid, count: right.count }), ['hi/fees.json: title is missing'])
  assert.deepEqual(faults({ ...right, paid: '{day}' }), ['hi/fees.json: paid lacks {n}'])
  assert.deepEqual(faults({ ...right, title: '{n}' }), ['hi/fees.json: title has {n}, which English has not'])
  assert.deepEqual(faults({ ...right, count: 'C' }), ['hi/fees.json: count has no forms of number'])
  assert.deepEqual(faults(right, 'ar'), [
    'ar/fees.json: count has the forms one, other, not few, many, one, other, two, zero',
  ])
  assert.equal(faultsIn(english, new Map(), 'hi').length, 3)
})

test('a third language goes out to a translator and comes in as a folder, and what is wrong in it is refused whole', async () => {
  const own = mkdtempSync(join(tmpdir(), 'words-'))
  try {
    for (const name of ['accounts', 'students-entry', 'language'])
      cpSync(join(folder, 'en', `${name}.json`), join(own, 'en', `${name}.json`))
    const sent = await exported(own, 'ar')
    assert.ok(sent.includes('<file original="students-entry"'))
    // An invented language: its words are the English ones backwards, their places as they are.
    const backwards = (text: string) =>
      text
        .split(/(\{\w+\}|&\w+;)/)
        .map((part, at) => (at % 2 === 1 ? part : [...part].reverse().join('')))
        .join('')
    const translated = sent.replace(
      /<source>([^<]*)<\/source>\s*<target><\/target>/g,
      (_, source: string) => `<source>${source}</source><target>${backwards(source)}</target>`,
    )
    const refused = async (text: string, fault: RegExp) => {
      assert.match((await imported(own, 'ar', text)).join('\n'), fault)
      assert.equal(existsSync(join(own, 'ar')), false)
    }
    await refused(sent, /^ar\/accounts\.json: \w+ is missing/)
    await refused(translated.replace(/(<target>[^<]*)\{n\}/, '$1{m}'), /lacks \{n\}/)
    await refused(
      translated.replaceAll('target-language="ar"', 'target-language="hi"'),
      /of the language hi, not ar/,
    )
    await refused(translated.replace('<source>', '<source>Formerly: '), /was made of other English words/)
    await refused(
      translated.replace(/<trans-unit id="/, '<trans-unit id="strange'),
      /strange\w+ is not in English/,
    )
    assert.deepEqual(await imported(own, 'ar', translated), [])
    assert.deepEqual(languagesIn(own), ['ar', 'en'])
    assert.deepEqual(faultsIn(englishWords(own), readWords(own, 'ar'), 'ar'), [])
    // What was imported goes out as it came in.
    assert.deepEqual(await imported(own, 'ar', await exported(own, 'ar')), [])
  } finally {
    rmSync(own, { recursive: true })
  }
})
