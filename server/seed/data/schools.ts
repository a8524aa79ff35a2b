/** A school's stage in the current season; the demo has at least one of each. */
export type Stage =
  | 'empty'
  | 'entering'
  | 'carrying'
  | 'unpaid'
  | 'pending'
  | 'rejected'
  | 'additions'
  | 'books-pending'
  | 'paid'
  | 'dated'

export interface SchoolSeed {
  code: string
  name: string
  address: string
  city: string
  district: string
  state: string
  country: string
  pinCode: string
  phone: string
  udiseCode: string
  affiliationNo: string
  stage: Stage
  /** From this class to that, as indexes in the order Nursery, LKG, UKG, Class 1 … Class 12 */
  classes: readonly [number, number]
  /** Students this season, last season and the one before */
  children: readonly [number, number, number]
  coordinator: { name: string; email: string; gender: 1 | 2; designation: 'Teacher' | 'School' }
}

const india = { country: 'India' }
const emailAt = (email: string) => `${email}@podium.example`

/** Twelve invented schools in six states and abroad. */
export const schools: readonly SchoolSeed[] = [
  {
    ...india,
    code: 'VNK0417',
    name: 'Sri Gnanodaya Vidyaniketan Senior Secondary School',
    address: '14 Namuna Road, Udaharan Layout',
    city: 'Kaveripuram',
    district: 'Bengaluru Urban',
    state: 'Karnataka',
    pinCode: '560001',
    phone: '9000000417',
    udiseCode: '29200100417',
    affiliationNo: '830417',
    stage: 'additions',
    classes: [5, 12],
    children: [262, 168, 96],
    coordinator: { name: 'Meera Namunawala', email: emailAt('meera'), gender: 2, designation: 'Teacher' },
  },
  {
    ...india,
    code: 'KPS0102',
    name: 'Kalpanik Public School',
    address: '7 Misaal Marg',
    city: 'Udaharanpur',
    district: 'Pune',
    state: 'Maharashtra',
    pinCode: '411001',
    phone: '9000000102',
    udiseCode: '27250100102',
    affiliationNo: '1130102',
    stage: 'dated',
    classes: [0, 10],
    children: [320, 182, 102],
    coordinator: { name: 'Kiran Kalpanik', email: emailAt('kiran'), gender: 1, designation: 'School' },
  },
  {
    ...india,
    code: 'ZPS0233',
    name: 'Zilla Parishad Sample School, Devgaon',
    address: 'At post Devgaon',
    city: 'Devgaon',
    district: 'Nashik',
    state: 'Maharashtra',
    pinCode: '422101',
    phone: '9000000233',
    udiseCode: '27200500233',
    affiliationNo: '',
    stage: 'unpaid',
    classes: [3, 9],
    children: [112, 0, 0],
    coordinator: { name: 'Manoj Udaharan', email: emailAt('manoj'), gender: 1, designation: 'Teacher' },
  },
  {
    ...india,
    code: 'SJN0318',
    name: 'Shri Jagadguru Namuna Vidyapeetha High School',
    address: '3 Vidyapeetha Circle',
    city: 'Misaalhalli',
    district: 'Dharwad',
    state: 'Karnataka',
    pinCode: '580001',
    phone: '9000000318',
    udiseCode: '29090100318',
    affiliationNo: '',
    stage: 'pending',
    classes: [8, 12],
    children: [184, 124, 0],
    coordinator: { name: 'Savitri Misaal', email: emailAt('savitri'), gender: 2, designation: 'School' },
  },
  {
    ...india,
    code: 'RUB0051',
    name: 'राजकीय उदाहरण बालिका इण्टर कॉलेज',
    address: '१२ नमूना मार्ग',
    city: 'Kalpanabad',
    district: 'Lucknow',
    state: 'Uttar Pradesh',
    pinCode: '226001',
    phone: '9000000051',
    udiseCode: '09270100051',
    affiliationNo: '',
    stage: 'rejected',
    classes: [8, 14],
    children: [142, 82, 0],
    coordinator: { name: 'सुनीता उदाहरण', email: emailAt('sunita'), gender: 2, designation: 'School' },
  },
  {
    code: 'UIS0007',
    name: 'Udaharan International School',
    address: '88 Sample Street, Namuna District',
    city: 'Dubai',
    district: 'Dubai',
    state: 'Dubai',
    country: 'United Arab Emirates',
    pinCode: '00000',
    phone: '971500000007',
    udiseCode: '',
    affiliationNo: '',
    stage: 'paid',
    classes: [2, 10],
    children: [92, 54, 0],
    coordinator: { name: "Fiona D'Misaal", email: emailAt('fiona'), gender: 2, designation: 'School' },
  },
  {
    ...india,
    code: 'SMC0164',
    name: "St. Misaal's Convent School",
    address: '21 Beach Road',
    city: 'Kalpanakkad',
    district: 'Ernakulam',
    state: 'Kerala',
    pinCode: '682001',
    phone: '9000000164',
    udiseCode: '32080300164',
    affiliationNo: '930164',
    stage: 'books-pending',
    classes: [2, 9],
    children: [188, 98, 0],
    coordinator: { name: 'Sr. Agnes Misaal', email: emailAt('agnes'), gender: 2, designation: 'School' },
  },
  {
    ...india,
    code: 'NNA0275',
    name: 'Nadi Namuna Academy',
    address: '5 Ghat Lane',
    city: 'Udaharanganj',
    district: 'Kolkata',
    state: 'West Bengal',
    pinCode: '700001',
    phone: '9000000275',
    udiseCode: '19170100275',
    affiliationNo: '2430275',
    stage: 'pending',
    classes: [5, 11],
    children: [158, 72, 0],
    coordinator: { name: 'Arindam Namuna', email: emailAt('arindam'), gender: 1, designation: 'Teacher' },
  },
  {
    ...india,
    code: 'MVM0391',
    name: 'Misaal Vidya Mandir',
    address: '40 Temple Street',
    city: 'Namunapuram',
    district: 'Madurai',
    state: 'Tamil Nadu',
    pinCode: '625001',
    phone: '9000000391',
    udiseCode: '33240100391',
    affiliationNo: '',
    stage: 'carrying',
    // The eldest left after Class 12.
    classes: [3, 15],
    children: [7, 64, 0],
    coordinator: { name: 'Thirunavukkarasu Misaal', email: emailAt('arasu'), gender: 1, designation: 'Teacher' },
  },
  {
    ...india,
    code: 'KBB0402',
    name: 'Kalpanik Bal Bharati',
    address: '9 Udaharan Vihar',
    city: 'Kalpanabad',
    district: 'Prayagraj',
    state: 'Uttar Pradesh',
    pinCode: '211001',
    phone: '9000000402',
    udiseCode: '09450100402',
    affiliationNo: '',
    stage: 'entering',
    classes: [0, 7],
    children: [94, 0, 0],
    coordinator: { name: 'Rekha Kalpanik', email: emailAt('rekha'), gender: 2, designation: 'Teacher' },
  },
  {
    ...india,
    code: 'NMS0440',
    name: 'Nayi Misaal School',
    address: '2 Nayi Gali',
    city: 'Udaharanganj',
    district: 'Howrah',
    state: 'West Bengal',
    pinCode: '711101',
    phone: '9000000440',
    udiseCode: '19160100440',
    affiliationNo: '',
    stage: 'empty',
    classes: [3, 12],
    children: [0, 0, 0],
    coordinator: { name: 'Joyita Misaal', email: emailAt('joyita'), gender: 2, designation: 'School' },
  },
  {
    ...india,
    code: 'TUM0088',
    name: 'Tiruvalluvar Udaharanam Matriculation Higher Secondary School',
    address: '100 Kural Salai',
    city: 'Namunapuram',
    district: 'Chennai',
    state: 'Tamil Nadu',
    pinCode: '600001',
    phone: '9000000088',
    udiseCode: '33020100088',
    affiliationNo: '',
    stage: 'paid',
    classes: [5, 14],
    children: [262, 124, 70],
    coordinator: { name: 'Kayalvizhi Udaharanam', email: emailAt('kayal'), gender: 2, designation: 'School' },
  },
]

/** A person whose school is not registered, and the state of the application. */
interface ApplicantSeed {
  name: string
  email: string
  application: 'none' | 'submitted' | 'asked' | 'rejected'
  school?: {
    name: string
    address: string
    city: string
    district: string
    state: string
    pinCode: string
    phone: string
    udiseCode: string
  }
}

export const applicants: readonly ApplicantSeed[] = [
  { name: 'Naveen Namuna', email: emailAt('naveen'), application: 'none' },
  {
    name: 'Waheeda Misaal',
    email: emailAt('waheeda'),
    application: 'submitted',
    school: {
      name: 'Misaal Model School',
      address: '61 Station Road',
      city: 'Kalpanapur',
      district: 'Kozhikode',
      state: 'Kerala',
      pinCode: '673001',
      phone: '9000000501',
      udiseCode: '32041000501',
    },
  },
  {
    name: 'Rohit Udaharan',
    email: emailAt('rohit'),
    application: 'rejected',
    school: {
      name: 'Udaharan Coaching Classes',
      address: '2nd floor, 18 Market Road',
      city: 'Udaharanpur',
      district: 'Pune',
      state: 'Maharashtra',
      pinCode: '411002',
      phone: '9000000502',
      udiseCode: '',
    },
  },
  {
    // Very likely the Kalpanik Public School that is registered already.
    name: 'Parvati Namunawala',
    email: emailAt('parvati'),
    application: 'submitted',
    school: {
      name: 'Kalpanik Public School (CBSE)',
      address: '7, Misaal Marg',
      city: 'Udaharanpur',
      district: 'Pune',
      state: 'Maharashtra',
      pinCode: '411001',
      phone: '9000000503',
      udiseCode: '27250100102',
    },
  },
  {
    name: 'Balakrishnan Udaharanam',
    email: emailAt('balakrishnan'),
    application: 'submitted',
    school: {
      name: 'Government Sample Higher Secondary School',
      address: '4 Canal Bank Road',
      city: 'Namunapuram',
      district: 'Chennai',
      state: 'Tamil Nadu',
      pinCode: '600002',
      phone: '9000000504',
      udiseCode: '33020100504',
    },
  },
  {
    name: 'गौरव काल्पनिक',
    email: emailAt('gaurav'),
    application: 'submitted',
    school: {
      name: 'काल्पनिक ज्ञान मन्दिर',
      address: '५ ज्ञान पथ',
      city: 'Kalpanabad',
      district: 'Lucknow',
      state: 'Uttar Pradesh',
      pinCode: '226002',
      phone: '9000000505',
      udiseCode: '09270100505',
    },
  },
  {
    name: 'Zarina Kalpanik',
    email: emailAt('zarina'),
    application: 'asked',
    school: {
      name: 'Kalpanik Riverside School',
      address: '12 Ghat Road',
      city: 'Namunaghat',
      district: 'Varanasi',
      state: 'Uttar Pradesh',
      pinCode: '221002',
      phone: '9000000506',
      udiseCode: '',
    },
  },
]

/** The districts of these schools by state, with their Hindi names. */
export const districts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Karnataka: { 'Bengaluru Urban': 'बेंगलुरु शहरी', Dharwad: 'धारवाड़' },
  Kerala: { Ernakulam: 'एर्नाकुलम', Kozhikode: 'कोझिकोड' },
  Maharashtra: { Nashik: 'नासिक', Pune: 'पुणे' },
  'Tamil Nadu': { Chennai: 'चेन्नई', Madurai: 'मदुरै' },
  'Uttar Pradesh': { Lucknow: 'लखनऊ', Prayagraj: 'प्रयागराज', Varanasi: 'वाराणसी' },
  'West Bengal': { Howrah: 'हावड़ा', Kolkata: 'कोलकाता' },
}
