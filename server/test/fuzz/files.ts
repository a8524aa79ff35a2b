import { type Ask, pick } from './ask.ts'

type File = NonNullable<Ask['file']>

const bytes = (text: string) => new TextEncoder().encode(text)
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

/** Files that are not what their call asks for, or are it in a way that nobody writes. */
const odd: readonly File[] = [
  { name: 'empty.csv', bytes: new Uint8Array() },
  { name: 'empty.xlsx', bytes: new Uint8Array() },
  { name: 'mark.csv', bytes: bytes('\ufeff') },
  { name: 'lines.csv', bytes: bytes('\n\r\n\r\n\n') },
  { name: 'quote.csv', bytes: bytes('Class,"Section\n7,A') },
  { name: 'quotes.csv', bytes: bytes('"a"b,"c""d"\n"7"7,""""') },
  { name: 'wide.csv', bytes: bytes(`${'a,'.repeat(5_000)}\n`) },
  {
    name: 'tall.csv',
    bytes: bytes(`Class,Section,Roll No,Student Name,Subjects\n${'7,A,1,Om,M\n'.repeat(20_000)}`),
  },
  { name: 'cell.csv', bytes: bytes(`Class,Section\n7,${'x'.repeat(100_000)}\n`) },
  { name: 'nul.csv', bytes: bytes('Class,Section,Roll No,Student Name,Subjects\n7,A,1,Om\u0000,M\n') },
  { name: 'half.csv', bytes: latin('Class,Section\n7,\xed\xa0\xbd\n') },
  { name: 'utf16.csv', bytes: utf16('Class,Section,Roll No,Student Name,Subjects\n7,A,1,Om,M\n') },
  { name: 'semicolons.csv', bytes: bytes('Class;Section;Roll No;Student Name;Subjects\n7;A;1;Om;M\n') },
  { name: 'same.csv', bytes: bytes('Class,Class,Class,__proto__,constructor\n7,7,7,7,7\n') },
  { name: 'formula.csv', bytes: bytes('Class,Section,Roll No,Student Name,Subjects\n=1+1,@A,-1,+Om,M\n') },
  { name: 'dates.csv', bytes: bytes('Date,Narration,Amount\n31/02/2026,x,1e400\n99/99/9999,y,-0.001\n') },
  { name: 'zip.xlsx', bytes: latin('PK\x03\x04\x14\x00\x00\x00\x08\x00garbage') },
  { name: 'ended.xlsx', bytes: latin(`PK\x05\x06${'\x00'.repeat(18)}`) },
  { name: 'old.xls', bytes: latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') },
  { name: 'picture.csv', bytes: latin('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01') },
  {
    name: 'huge.png',
    bytes: latin('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\x00\x00\x00'),
  },
  { name: 'page.pdf', bytes: latin('%PDF-1.7\n%%EOF') },
  { name: 'drawing.svg', bytes: bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>') },
  { name: '../../../../etc/list.csv', bytes: bytes('Class,Section\n7,A\n') },
  { name: `${'n'.repeat(300)}.csv`, bytes: bytes('Class,Section\n7,A\n') },
  { name: '.csv', bytes: bytes('Class,Section\n7,A\n') },
  { name: 'नमूना 👩‍👧 "list".csv', bytes: bytes('Class,Section\n7,A\n') },
]

/** The file of a call, or another in its place: an odd one, or its own cut off or with one byte changed. */
export function oddFile(file: File | undefined, at: number): File | undefined {
  const own = file ?? odd[0]
  if (!own || at % 3 > 0) return pick(odd, Math.floor(at / 3))
  const place = at % Math.max(1, own.bytes.length)
  if (at % 2 > 0) return { ...own, bytes: own.bytes.slice(0, place) }
  return { ...own, bytes: own.bytes.with(place, at % 256) }
}

/** Files as forms carry them within JSON. */
export const oddDataUrls: readonly string[] = [
  'data:,',
  'data:image/png;base64,',
  'data:image/png;base64,AAAA',
  'data:image/png;base64,!!!!',
  'data:application/pdf;base64,JVBERi0xLjcKJSVFT0Y=',
  `data:image/png;base64,${Buffer.from(odd.find(({ name }) => name === 'huge.png')?.bytes ?? []).toString('base64')}`,
  'data:image/svg+xml,<svg/>',
  'data:text/html,<script>1</script>',
  'http://127.0.0.1/x.png',
  'file:///etc/passwd',
]
