import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allHindi, broken, focused, refused, walk } from './look.ts'
import { faultyFile, slip } from './material.ts'
import { newestMail } from './people.ts'

test('signing in shows its choices, its errors and the code of a school link', async () => {
  await walk(
    async ({ page, open, see, size }) => {
      await open('/login')
      await see('login-choices')
      await page.getByRole('button', { name: 'Continue with e-mail' }).click()
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.getByText('is required').first().waitFor()
      await see('login-email-errors')
      await page.getByLabel('E-mail').fill('nobody@podium.example')
      await page.getByLabel('Password', { exact: true }).fill(`not the password at ${size}`)
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
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
    { expected: refused },
  )
})

test('registering goes from e-mail and one-time password to the form with its errors', async () => {
  await walk(
    async ({ page, open, see, size }) => {
      await open('/register')
      await see('register-email')
      const address = `new.${size}@school.example`
      await page.getByLabel('E-mail').fill(address)
      await page.getByRole('button', { name: 'Send the code' }).click()
      await page.getByRole('heading', { name: 'Enter the one-time password' }).waitFor()
      await see('register-otp')
      const code = (await newestMail(page, address, /one-time password/)).match(/\b\d{6}\b/)?.[0] ?? ''
      await page.getByLabel('One-time password').fill(code)
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('heading', { name: 'About you' }).waitFor()
      await see('register-form')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByText('is required').first().waitFor()
      await see('register-form-errors')
    },
    { expected: refused },
  )
})

test('the dashboard shows each state of a school, also to those on the way to one', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    for (const person of ['meera', 'kiran', 'joyita', 'waheeda', 'rohit']) {
      await beSchool(person)
      await open('/dashboard')
      await see(`dashboard-${person}`)
    }
    await beSchool('naveen')
    await open('/dashboard')
    await page.getByRole('dialog').waitFor()
    await see('dashboard-naveen-dialog')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('is required').first().waitFor()
    await see('dashboard-naveen-dialog-errors')
  })
})

test('contacts are cards, with a dialog that says what is missing', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('meera')
    await open('/School/contact-details')
    await see('contacts')
    await page.getByRole('button', { name: 'New Contact' }).click()
    await page.getByLabel('Contact name').waitFor()
    await see('contacts-dialog')
    await page.getByRole('button', { name: 'Ask for this contact' }).click()
    await page.getByText('is required').first().waitFor()
    await see('contacts-dialog-errors')
    await open('/School/contact-details?show=inactive')
    await see('contacts-inactive')
  })
})

test('students are a table or cards, added in a dialog, imported from a file', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('meera')
      await open('/student/entry')
      await see('students')
      await page
        .getByRole('button', { name: 'List', exact: true })
        .or(page.getByLabel('List', { exact: true }))
        .first()
        .click()
      await see('students-cards')
      await open('/student/entry?name=zzzz')
      await see('students-no-match')
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('checkbox').nth(2).check()
      await see('students-selected')
      await page.getByRole('button', { name: 'Add Entry' }).click()
      await page.getByRole('dialog').waitFor()
      await see('students-dialog')
      await page.getByRole('button', { name: 'Save student' }).click()
      await page.getByText('is required').first().waitFor()
      await see('students-dialog-errors')
      await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('4')
      await page.getByRole('button', { name: 'Select all', exact: true }).click()
      await see('students-dialog-books')
      await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('15')
      await page.getByRole('button', { name: 'Select all', exact: true }).click()
      await see('students-dialog-little-star')
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('button', { name: 'Import' }).click()
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      await see('students-import')
      await page.locator('input[type=file]').setInputFiles({
        name: 'class-4.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(faultyFile),
      })
      await page.getByText('rows with errors', { exact: true }).waitFor()
      await see('students-import-errors')
      await beSchool('joyita')
      await open('/student/entry')
      await see('students-empty')
    },
    { expected: refused },
  )
})

test('payments are due, being verified, refused or paid', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    for (const person of ['meera', 'savitri', 'sunita', 'kiran', 'joyita', 'waheeda']) {
      await beSchool(person)
      await open('/Importantlink/managepayment')
      await see(`payments-${person}`)
    }
    await beSchool('manoj')
    await open('/Importantlink/managepayment')
    await see('payments-manoj')
    await page
      .getByRole('button', { name: /^Update Payment Details/ })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel('Remarks').waitFor()
    await see('payments-dialog')
    await page.getByRole('button', { name: /^Send details/ }).click()
    await page.getByText('is required').first().waitFor()
    await see('payments-dialog-errors')
  })
})

test('results stand in four lists, each row with its reasons', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('kiran')
    await open('/result/viewresult')
    await see('results-choose')
    const year = page.locator('main').getByLabel('FYear')
    const seasons = await year.locator('option').allInnerTexts()
    await year.selectOption(seasons.find((one) => one.includes('2025')) ?? '')
    await page.locator('main').getByLabel('Subject').locator('option').nth(1).waitFor({ state: 'attached' })
    await page.locator('main').getByLabel('Subject').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page
      .getByRole('button', { name: /^Class rank/ })
      .first()
      .click()
    await page.getByText('In order of priority').first().waitFor()
    await see('results')
    for (const name of ['Medal List', 'Awards', 'Prizes']) {
      await page.locator('main').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await see(`results-${name.toLowerCase().replace(' ', '-')}`)
    }
  })
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

test('the office signs in in two steps and sees what waits', async () => {
  await walk(
    async ({ page, beOffice, open, see, size }) => {
      await open('/office/login')
      await see('office-login')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('is required').first().waitFor()
      await see('office-login-errors')
      await page
        .getByLabel('E-mail')
        .fill(size === 'desk' ? 'owner@podium.example' : 'operations@podium.example')
      await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
      await see('office-code')
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await see('office-recovery')
      await beOffice('results2')
      await open('/office')
      await see('office-overview')
      await open('/office/no/such/page')
      await see('office-not-found')
      await open('/office/set-up')
      await see('office-set-up-without-link')
    },
    { expected: refused },
  )
})

test('the office decides upon applications', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('operations')
    await open('/office/applications')
    await see('applications')
    const likely = page.getByRole('heading', { name: /known schools? looks? like this$/ })
    const waiting = page.getByRole('list', { name: 'List of applications' }).getByRole('link')
    const all = await waiting.count()
    for (let n = 0; n < all && (await likely.count()) === 0; n++) {
      await waiting.nth(n).click()
      await page
        .getByText(/looks? like this/)
        .first()
        .waitFor()
    }
    await likely.waitFor()
    await see('applications-likely')
    await page.getByRole('button', { name: 'Approve as new school' }).click()
    await page.getByRole('dialog').getByLabel('School code').waitFor()
    await see('applications-approve')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Join to this school' }).first().click()
    await page.getByRole('dialog').waitFor()
    await see('applications-join')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject with a reason' }).click()
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject the application' }).click()
    await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor()
    await see('applications-reject')
    await open('/office/applications?state=rejected')
    await see('applications-rejected')
    await open('/office/applications?search=zzzz')
    await see('applications-nothing')
  })
})

test('the office decides upon payments', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('accounts')
    await open('/office/payments')
    await see('office-payments')
    await page.getByRole('button', { name: /^Verify ₹/ }).click()
    await page.getByRole('dialog').waitFor()
    await see('office-payments-verify')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject with a reason' }).click()
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor()
    await see('office-payments-reject')
    for (const state of ['verified', 'rejected']) {
      await open(`/office/payments?state=${state}`)
      await see(`office-payments-${state}`)
    }
    await open('/office/payments?search=zzzz')
    await see('office-payments-nothing')
  })
})

test('the office brings results from their file to the release', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('results')
    await open('/office/results')
    await see('office-results-none')
    const season = page.getByRole('banner').getByLabel('Season')
    const seasons = await season.locator('option').allInnerTexts()
    await season.selectOption(seasons[seasons.indexOf(await season.inputValue()) + 1] ?? '')
    await page.getByText('Approved', { exact: true }).first().waitFor()
    await see('office-results')
    const eventIn = async (state: string) => {
      const row = page.getByRole('row').filter({ has: page.getByText(state, { exact: true }) })
      return row.getByRole('link').first().getAttribute('href')
    }
    const [imported, computed, approved, released] = [
      await eventIn('Imported'),
      await eventIn('Computed'),
      await eventIn('Approved'),
      await eventIn('Released'),
    ]
    const steps: [string | null, string, string][] = [
      [imported, 'import', 'imported'],
      [imported, 'anomalies', 'anomalies'],
      [imported, 'compute', 'compute'],
      [computed, 'compute', 'computed'],
      [computed, 'preview', 'preview'],
      [computed, 'approve', 'approve'],
      [approved, 'release', 'release'],
      [released, 'release', 'released'],
    ]
    for (const [event, step, name] of steps) {
      await open(`${event}?step=${step}`)
      await see(`office-result-${name}`)
    }
  })
})

test('what a role does not include is disabled, with the reason', async () => {
  await walk(
    async ({ page, beOffice, open, see }) => {
      await beOffice('viewer')
      await open('/office/applications')
      await page.getByText('Your role may read applications, not decide on them.').first().waitFor()
      await see('viewer-applications')
      await open('/office/payments')
      await page.getByText('Only the owner and accounts decide upon payments.').first().waitFor()
      await see('viewer-payments')
      await beOffice('accounts')
      await open('/office/results')
      await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
      await see('accounts-results')
    },
    { expected: refused },
  )
})

test('a list that could not be loaded says so and is asked for again', async () => {
  await walk(
    async ({ page, beSchool, open, see, size }) => {
      await beSchool('meera')
      const lists = [
        ['/student/entry', '**/GetStudentDetails*', 'students-unreachable'],
        ['/Importantlink/managepayment', '**/Get_DashBoard_Summary_For_Payment*', 'payments-unreachable'],
        ['/result/viewresult', '**/Search_School_Result*', 'results-unreachable'],
      ] as const
      for (const [path, calls, name] of lists) {
        await page.route(calls, (route) =>
          size === 'desk' ? route.fulfill({ status: 503, body: '<h1>Unavailable</h1>' }) : route.abort(),
        )
        await page.goto(path)
        const again = page.getByRole('button', { name: 'Try again' })
        await again.first().waitFor({ timeout: 30_000 })
        await see(name)
        await page.unroute(calls)
        await again.first().click()
        await again.first().waitFor({ state: 'detached' })
      }
      await open('/student/entry')
    },
    { expected: broken },
  )
})

test('what was typed survives a save that fails', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('button', { name: 'Add Entry' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Class', { exact: true }).selectOption('4')
      await dialog.getByLabel('Section').selectOption('A')
      await dialog.getByLabel('Roll no').fill('777')
      await dialog.getByLabel('Student name').fill('Ojasvi Namunawala')
      await dialog.getByRole('button', { name: 'Select all', exact: true }).click()
      await page.route('**/api/**', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.abort(),
      )
      await dialog.getByRole('button', { name: /^Save student/ }).click()
      await dialog.getByRole('alert').first().waitFor()
      await see('students-dialog-not-saved')
      assert.equal(await dialog.getByLabel('Student name').inputValue(), 'Ojasvi Namunawala')
      await open('/Importantlink/managepayment')
      await page
        .getByRole('button', { name: /^Update Payment Details/ })
        .first()
        .click()
      await dialog.getByLabel('Remarks').fill('NEFT from the school account')
      await dialog
        .getByLabel('Attachment')
        .setInputFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: slip })
      await dialog.getByRole('button', { name: /^Send details/ }).click()
      await dialog.getByRole('alert').first().waitFor()
      await see('payments-dialog-not-sent')
      assert.equal(await dialog.getByLabel('Remarks').inputValue(), 'NEFT from the school account')
    },
    { expected: broken },
  )
})

test('a student is added by keyboard alone', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('manoj')
      await open('/student/entry')
      const { keyboard } = page
      await keyboard.press('Tab')
      assert.equal(await focused(page), 'Skip to content')
      await keyboard.press('Enter')
      await keyboard.press('/')
      await page.getByLabel('Student name').and(page.locator(':focus')).waitFor()
      await keyboard.press('Tab')
      const add = page.getByRole('button', { name: 'Add Entry' })
      for (let tab = 0; tab < 12 && (await focused(page)) !== 'Add Entry'; tab++)
        await keyboard.press('Shift+Tab')
      assert.equal(await focused(page), 'Add Entry')
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Class', { exact: true }).and(page.locator(':focus')).waitFor()
      // Past Nursery, LKG, UKG and three classes.
      for (let down = 0; down < 7; down++) await keyboard.press('ArrowDown')
      await keyboard.press('Tab')
      await keyboard.type('C')
      await keyboard.press('Tab')
      await keyboard.type('901')
      await keyboard.press('Tab')
      await keyboard.type('Pranjal Misaal')
      for (let tab = 0; tab < 12 && (await focused(page)) !== 'Select all'; tab++) await keyboard.press('Tab')
      await keyboard.press('Enter')
      await dialog.getByRole('button', { name: /^Save student, ₹/ }).waitFor()
      await keyboard.press('Control+Enter')
      await dialog.getByLabel('Student name').and(page.locator(':focus')).waitFor()
      assert.equal(await dialog.getByLabel('Roll no').inputValue(), '902')
      assert.equal(await dialog.getByLabel('Section').inputValue(), 'C')
      await keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await add.and(page.locator(':focus')).waitFor()
      await keyboard.press('/')
      await keyboard.type('Pranjal')
      await page.getByText('Pranjal Misaal').first().waitFor()
    },
    { only: 'desk' },
  )
})

test('in Hindi nothing is left in English, and all of it fits', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await open('/login')
      await page.getByRole('heading', { name: 'साइन इन करें' }).waitFor()
      await see('hindi-login')
      await allHindi(page)
      await open('/register')
      await page.getByRole('heading', { name: 'खाता बनाएँ' }).waitFor()
      await see('hindi-register')
      await allHindi(page)
      await beSchool('sunita')
      for (const path of [
        '/dashboard',
        '/Importantlink/managepayment',
        '/student/entry',
        '/School/contact-details',
      ]) {
        await open(path)
        await see(`hindi-${path.split('/').at(-1)}`)
        await allHindi(page)
      }
      await page.goto('/Importantlink/managepayment')
      await page.getByRole('heading', { name: 'भुगतान प्रबंधन' }).waitFor()
      await page
        .getByRole('button', { name: /^भुगतान विवरण भेजें/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
      await see('hindi-payments-dialog')
      await allHindi(page)
    },
    { language: 'hi' },
  )
})
