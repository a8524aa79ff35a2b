import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './source.ts'

test('the addresses of one IPv6 network count as one source, those of the next as another', () => {
  const one = sourceOf('2001:db8:1:2::1')
  assert.equal(one, '2001:db8:1:2::/64')
  for (const same of ['2001:db8:1:2:ffff:1:2:3', '2001:0DB8:0001:0002::', '2001:db8:1:2::1%eth0'])
    assert.equal(sourceOf(same), one)
  assert.notEqual(sourceOf('2001:db8:1:3::1'), one)
  assert.equal(sourceOf('::1'), '0:0:0:0::/64')
  assert.equal(sourceOf('2001::5:1:2:3:4:5'), '2001:0:5:1::/64')
})

test('an IPv4 address counts as itself, in whatever clothes', () => {
  assert.equal(sourceOf('192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('unknown'), 'unknown')
  assert.equal(sourceOf(undefined), 'gone')
})
