/**
 * The demo world's fixed sign-ins. They are public, so it is created only in demo mode, which production refuses
 * (platform/settings.ts).
 */

/** The counter that marks a demo world in progress: a start that finds it starts over. */
export const demoInProgress = 'demo-in-progress'

/** The password of all school accounts and officers of the demo world. */
export const demoPassword = 'Kalpanik-demo-42'

/** School accounts worth signing in as, and what each shows. */
export const demoAccounts: readonly { email: string; shows: string }[] = [
  { email: 'meera@podium.example', shows: 'part paid, later additions, books being verified' },
  { email: 'joel@podium.example', shows: 'staff of the same school, not its coordinator' },
  {
    email: 'kiran@podium.example',
    shows: 'all paid, exam dates chosen, books delivered, two lists signed off',
  },
  { email: 'manoj@podium.example', shows: 'students entered, nothing paid' },
  { email: 'savitri@podium.example', shows: 'payment being verified' },
  { email: 'sunita@podium.example', shows: 'payment rejected; names in Hindi' },
  { email: 'fiona@podium.example', shows: 'a school abroad, all paid' },
  { email: 'joyita@podium.example', shows: 'just approved, no students yet' },
  { email: 'arasu@podium.example', shows: "last season's students wait to be carried over" },
  { email: 'naveen@podium.example', shows: 'no school: the school detail form opens' },
  { email: 'waheeda@podium.example', shows: 'verification in progress' },
  { email: 'zarina@podium.example', shows: 'application asked back: the form opens for the answer' },
  { email: 'rohit@podium.example', shows: 'application rejected: the form opens again' },
]

export interface DemoOfficer {
  email: string
  name: string
  role: 'owner' | 'operations' | 'accounts' | 'results' | 'viewer'
  /** Base32, for an authenticator app; the demo page shows the current code */
  totpSecret: string
}

/** Office users: one for each role, and a second for results, because no one approves their own work. */
export const demoOfficers: readonly DemoOfficer[] = [
  {
    email: 'owner@podium.example',
    name: 'Anand Udaharan',
    role: 'owner',
    totpSecret: 'PODIUMDEMOOWNERAAAAAAAAAAAAAAAAA',
  },
  {
    email: 'operations@podium.example',
    name: 'Ilavarasi Namuna',
    role: 'operations',
    totpSecret: 'PODIUMDEMOOPERATIONSAAAAAAAAAAAA',
  },
  {
    email: 'accounts@podium.example',
    name: 'Radhika Kalpanik',
    role: 'accounts',
    totpSecret: 'PODIUMDEMOACCOUNTSAAAAAAAAAAAAAA',
  },
  {
    email: 'results@podium.example',
    name: 'Vikram Misaal',
    role: 'results',
    totpSecret: 'PODIUMDEMORESULTSAAAAAAAAAAAAAAA',
  },
  {
    email: 'results2@podium.example',
    name: 'Nasreen Udaharan',
    role: 'results',
    totpSecret: 'PODIUMDEMORESULTSTWOAAAAAAAAAAAA',
  },
  {
    email: 'viewer@podium.example',
    name: 'Peter Namunawala',
    role: 'viewer',
    totpSecret: 'PODIUMDEMOVIEWERAAAAAAAAAAAAAAAA',
  },
]

/** The link on the first school's letter and its access code. */
export const demoSchoolLink = { id: 'demo-school-vnk0417-qr', code: 'DEMSCH22', schoolCode: 'VNK0417' }

/** A family with two children at that school: their link, its access code and mobile number. */
export const demoFamilyLink = {
  id: 'demo-family-of-two-kid',
  code: 'DEMFAM22',
  schoolCode: 'VNK0417',
  mobile: '9000004170',
}
