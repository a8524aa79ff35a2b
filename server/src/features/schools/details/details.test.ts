import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { signInOptions } from '@podium/contract/accounts/calls'
import { getSchool } from '@podium/contract/schools/calls'
import { aDay, aSchool, aTeacher } from '#test/factories'
import { aFoundation } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

test('a school reads its details under exactly the names of the specification [spec 7.28]', async () => {
  const school = await aSchool({ name: 'Kalpanik Vidyalaya' })
  const rest = {
    affiliation_no: 'CBSE 830417',
    group_id: 'KG-4',
    landline: '080-00000417',
    fax: '080-00000418',
    website: 'https://kalpanik.example',
    whatsapp: '9000000418',
  }
  await server.deps.db.updateTable('schools').set(rest).where('id', '=', school.id).execute()
  const teacher = await aTeacher({ schoolId: school.id })
  for (const query of [{}, { schCode: school.code }, { schCode: school.code.toLowerCase() }]) {
    const { status, body } = await server.call(getSchool, { query }, teacher)
    assert.equal(status, 200)
    assert.deepEqual(body.data, [
      {
        schCode: school.code,
        schName: 'Kalpanik Vidyalaya',
        schEmail: school.email,
        schAddress: '1 Namuna Road',
        schAffiliationNo: 'CBSE 830417',
        schGroupId: 'KG-4',
        cityName: 'Kalpanagar',
        districtName: 'Kalpanagar',
        stateName: 'Karnataka',
        countryName: 'India',
        landLineNo: '080-00000417',
        schFaxNo: '080-00000418',
        schWebSite: 'https://kalpanik.example',
        schPhoneNo: '9000000000',
        whatsAppNo: '9000000418',
      },
    ])
  }
})

test('the code of another school is refused, known or not', async () => {
  const teacher = await aTeacher()
  for (const schCode of [(await aSchool()).code, 'NOSUCH99']) {
    const refused = await server.send(getSchool, { query: { schCode } }, teacher)
    assert.deepEqual([refused.status, refused.body.code], [403, 'access.other_school'])
  }
})

test('everybody can ask how the foundation is reached by e-mail', async () => {
  await aFoundation()
  const { body } = await server.call(signInOptions, {})
  assert.equal(body.supportEmail, 'help@foundation.example')
})
