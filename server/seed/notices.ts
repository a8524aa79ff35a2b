import { addDays, istDay } from '@podium/contract/season'
import { saveNotice } from '../src/features/notices/commands.ts'
import type { World } from './world.ts'

/** What the office tells schools: an important notice for all in two languages, one for a state, one that is planned. */
export async function makeNotices({ db, officers, seasons }: World): Promise<void> {
  const [season] = seasons
  const last = season.at(1)
  const today = istDay(last)
  const plain = { id: 0, titleHi: '', textHi: '', important: false, states: [], schCode: '' }
  const notices = [
    {
      ...plain,
      at: season.at(0.95),
      title: 'Entries close soon: check your list',
      text: `Entries of this season close on the day shown on your dashboard. Please check names and subjects before you pay: after the payment nothing can be changed.\nHow to correct a list: https://podium.example/help/lists`,
      titleHi: 'प्रविष्टियाँ जल्द बंद होंगी: अपनी सूची जाँचें',
      textHi:
        'इस सत्र की प्रविष्टियाँ आपके डैशबोर्ड पर दिखाए दिन बंद होंगी। भुगतान से पहले नाम और विषय जाँच लें: भुगतान के बाद कुछ नहीं बदला जा सकता।\nसूची कैसे सुधारें: https://podium.example/help/lists',
      important: true,
      audience: 'all' as const,
      until: addDays(today, 20),
    },
    {
      ...plain,
      at: season.at(0.97),
      title: 'Parcels in Karnataka take two days longer',
      text: 'The courier has moved its centre in Karnataka. Parcels with books arrive up to two days later than usual until the end of the month.',
      audience: 'state' as const,
      states: ['Karnataka'],
      until: addDays(today, 10),
    },
    {
      ...plain,
      at: last,
      from: addDays(today, 25),
      title: 'Admit cards can be printed from today',
      text: 'Roll numbers are final. Print the admit cards and hand them out a week before the exam.',
      audience: 'all' as const,
      until: addDays(today, 60),
    },
  ]
  for (const { at, ...notice } of notices) {
    const written = { from: istDay(at), ...notice }
    await db.transaction().execute((tx) => saveNotice(tx, officers.operations, at, written))
  }
}
