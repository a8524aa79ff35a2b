import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paise } from '../money.ts'
import { upiLink } from './rules.ts'

const payment = {
  payTo: 'podium@samplebank',
  payeeName: 'Podium Foundation',
  amount: paise(1_245_000),
  note: 'Registration Fee & books',
  reference: 'PD27-VNK0417-R2',
}

test('a UPI link carries exactly the payable amount, with two decimals [spec 2.13.2 9.16]', () => {
  assert.equal(
    upiLink(payment),
    'upi://pay?pa=podium@samplebank&pn=Podium%20Foundation&am=12450.00&cu=INR&tn=Registration%20Fee%20%26%20books&tr=PD27-VNK0417-R2',
  )
  assert.match(upiLink({ ...payment, amount: paise(1) }), /&am=0\.01&/)
})

test('a name cannot add a field to a UPI link', () => {
  const link = upiLink({ ...payment, payeeName: 'A&am=1.00&pa=x@y#' })
  assert.equal(link.match(/[?&]am=/g)?.length, 1)
  assert.equal(link.match(/[?&]pa=/g)?.length, 1)
  assert.ok(!link.includes('#'))
})
