import { test } from 'node:test'
import { accessible } from './accessible.ts'
import { hold } from './browser.ts'
import { refused, walk, withProviders } from './look.ts'
import { newestMail } from './people.ts'

/** The pages before the sign-in, and those of the demo world. */

test('signing in shows its choices, its errors and the code of a school link [spec 1.3 2.1.2 2.3.2 5.1 8.12]', async () => {
  await walk(
    async ({ page, open, see, size }) => {
      await withProviders(page)
      await open('/login')
      await see('login-choices')
      await page.getByRole('button', { name: 'Continue with e-mail' }).click()
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.getByText('is required').first().waitFor()
      await see('login-email-errors')
      await page.getByLabel('E-mail').fill('nobody@podium.example')
      await page.getByLabel('Password', { exact: true }).fill(`not the password at ${size}`)
      const letGo = await hold(page, '*/Account/Login', () => undefined)
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
      await accessible(page, `login-waiting (${size})`)
      await letGo()
      await page.getByRole('alert').first().waitFor()
      await see('login-email-wrong')
      await open('/login?id=demo-school-vnk0417-qr')
      await see('login-link-code')
      await page.getByLabel('Access code').fill('WRONG234')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('4 tries left.').or(page.getByText('3 tries left.')).waitFor()
      await see('login-link-wrong-code')
      await open('/login?id=no-such-link')
      await see('login-link-unknown')
      await open('/forgot')
      await see('forgot')
      await open('/reset')
      await see('reset-without-token')
      await open('/no/such/page')
      await see('not-found')
    },
    { expected: refused, twice: true },
  )
})

test('registering goes from e-mail and one-time password to the form with its errors [spec 2.1.3 2.4.1 5.4]', async () => {
  await walk(
    async ({ page, open, see, size }) => {
      await open('/register')
      await see('register-email')
      const address = `new.${size}@school.example`
      await page.getByLabel('E-mail').fill(address)
      await page.getByRole('button', { name: 'Send code' }).click()
      await page.getByRole('heading', { name: 'Enter the one-time password' }).waitFor()
      await page.getByText('For schools only.').waitFor()
      await see('register-otp')
      const code = (await newestMail(page, address, /one-time password/)).match(/\b\d{6}\b/)?.[0] ?? ''
      await page.getByLabel('One-time password').fill(code)
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('heading', { name: 'About you' }).waitFor()
      await page.getByText('For schools only.').waitFor()
      await see('register-form')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByText('is required').first().waitFor()
      await see('register-form-errors')
    },
    { expected: refused, twice: true },
  )
})

test('the pages of the demo world are as good to look at', async () => {
  await walk(async ({ page, open, see }) => {
    await open('/demo')
    await see('demo')
    await open('/demo/mail')
    await see('demo-mails')
    await page.getByRole('listitem').getByRole('link').first().click()
    await see('demo-mail')
  })
})
